"""Playing on from a position: a new table that begins there, against bots."""

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core import options
from mauerwerk.core.game import Seat
from mauerwerk.play.entries import Chair
from mauerwerk.play.requests import Order
from mauerwerk.web.faults import Fault
from mauerwerk.web.pages.invite import opened
from mauerwerk.web.pages.page import Form, Visitor
from mauerwerk.web.pages.people import friendly_name
from mauerwerk.web.pages.shelf import BOXES
from mauerwerk.web.replay.film import NotOverError, film_of
from mauerwerk.web.replay.reel import Reel
from mauerwerk.web.replies import Reply, redirect


async def play_on(visitor: Visitor, form: Form) -> Reply:
    """A table at which the game goes on from here, with whoever asks at the seat they choose."""
    try:
        film = await film_of(visitor)
    except NotOverError:
        raise Fault(409, "the game goes on where it is", word="request") from None
    order = _ordered(film.reel, form)
    guest, headers = visitor.known(friendly_name())
    return redirect(f"/t/{await opened(visitor, order, guest)}", headers)


def _ordered(reel: Reel, form: Form) -> Order:
    """What the form asks for. Raises Fault."""
    at, seat, level = form.number("at"), form.number("seat"), form.get("level", "")
    if at is None or seat is None or at > reel.last or seat >= reel.seats or level not in LEVELS:
        raise Fault(422, "say from where, at which seat and against whom")
    if not reel.game.to_act(reel.states[at]):
        raise Fault(422, "the game is over here")
    played = reel.record
    return Order(
        game=played.game,
        chairs=tuple(
            Chair("human") if each == seat else Chair("bot", level) for each in range(reel.seats)
        ),
        options=options.to_words(played.setup.options),
        mine=(Seat(seat),),
        tempo=BOXES[played.game].tempo,
        moves=tuple(str(move) for move in reel.moves[:at]),
    )
