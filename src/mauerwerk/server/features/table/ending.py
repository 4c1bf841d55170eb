"""What can be asked for at the end of a game: its chances to win, and a picture of the places."""

from typing import Final

from mauerwerk.core.game import Outcome
from mauerwerk.core.language.words import sentence
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.ending import end, podium
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.table import pages, view_model
from mauerwerk.server.games import web_game
from mauerwerk.server.games.viewpoint import viewpoint_at
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.errors import TooManyError
from mauerwerk.server.ui.error_texts import ErrorText
from mauerwerk.server.ui.names import names_for
from mauerwerk.server.ui.page import Form, PageRequest, html_reply

SVG: Final = b"image/svg+xml"


async def work_out(request: PageRequest, form: Form) -> Response:
    """Have a bot work out everybody's chances in a game that is over."""
    snapshot, _ = await _finished(request)
    table, language = snapshot.table, request.language
    client = request.client
    whose = request.guest.id if request.guest else client
    times = request.app.limiter.times(client)
    extra = view_model.UNADORNED
    try:
        request.host.service(Analyses).ask(table.record(), whose=whose, client=client, times=times)
    except TooManyError:
        busy = language("bots look at other games right now; ask again in a few minutes")
        extra = view_model.Extra(refusal=ErrorText(409, sentence(busy)), plain=not request.morphs)
    viewpoint = viewpoint_at(request, table, form.get("seat", ""))
    status = extra.refusal.status if extra.refusal else 200
    if request.morphs:
        shown = table.number(viewpoint.counter)
        return html_reply(pages.next_part(request, snapshot, viewpoint, shown, extra), status)
    if extra.refusal:
        return pages.page_of(request, snapshot, viewpoint, extra, status)
    return redirect(f"/t/{table.charter.id}")


async def see_places(request: PageRequest) -> Response:
    """The places as a picture, to be sent to others."""
    snapshot, outcome = await _finished(request)
    table, language = snapshot.table, request.language
    names = names_for(snapshot.table.players, None, language)
    places = end.places_of(outcome, names, language)
    title = web_game(table.charter.game, table.charter.rules).box.title
    drawn = podium.podium_file(places, title, end.towers_said(places, language))
    return Response(drawn.encode(), SVG)


async def _finished(request: PageRequest) -> tuple[Snapshot, Outcome]:
    """The table that a path is about, and its outcome. Raises HttpError while the game goes on."""
    snapshot = await request.host.snapshot(request.table)
    if snapshot.table.outcome is None:
        raise HttpError(409, "this game is not over yet", code="request")
    return snapshot, snapshot.table.outcome
