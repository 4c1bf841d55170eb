"""Resuming a game from a position: a new table that begins there, against bots."""

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core import options
from mauerwerk.core.game import Seat
from mauerwerk.games import is_current
from mauerwerk.server.features.replay.replay_page import Replays
from mauerwerk.server.features.replay.replays import Replay
from mauerwerk.server.games import web_game
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Chair, Order
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.page import PageRequest


async def play_on(replays: Replays, request: PageRequest, form: Form) -> Response:
    """Create a table that resumes the game from here, with the visitor at the seat they choose."""
    page = await replays.finished_page_of(request)
    order = _ordered(page.replay, form)
    guest, headers = request.known(friendly_name())
    return redirect(f"/t/{await request.create_table(order, guest)}", headers)


def _ordered(replay: Replay, form: Form) -> Order:
    """What the form asks for. Raises HttpError."""
    at, seat, level = form.number("at"), form.number("seat"), form.get("level", "")
    if (
        at is None
        or seat is None
        or at > replay.last
        or seat >= replay.seats
        or level not in LEVELS
    ):
        raise HttpError(422, "say from where, at which seat and against whom")
    if not replay.game.to_act(replay.states[at]):
        raise HttpError(422, "the game is over here")
    if not is_current(replay.game):
        raise HttpError(422, "the rules of this game have changed since; it cannot be played on")
    played = replay.record
    return Order(
        game=played.game,
        chairs=tuple(
            Chair("human") if each == seat else Chair("bot", level) for each in range(replay.seats)
        ),
        options=options.to_words(played.setup.options),
        mine=(Seat(seat),),
        tempo=web_game(played.game).box.tempo,
        moves=tuple(str(move) for move in replay.moves[:at]),
    )
