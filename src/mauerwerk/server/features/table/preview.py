"""What a choice would do: the page asks for it while somebody thinks about the choice."""

from typing import Any, NamedTuple

import msgspec

from mauerwerk.core.game import Seat
from mauerwerk.core.language.words import capital
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.table.pages import history_seen
from mauerwerk.server.games import room, web_game
from mauerwerk.server.games.viewpoint import view_from, viewpoint_at
from mauerwerk.server.http import errors, seats
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.http.response import Response, reply
from mauerwerk.server.tables.table import Viewer
from mauerwerk.server.tables.table_views import TableView
from mauerwerk.server.ui import page, render
from mauerwerk.server.ui.names import names_for

LONGEST_WORD = 200


class PreviewKey(NamedTuple):
    """All that a preview depends on."""

    table: str
    seq: int
    seat: Seat
    viewer: Viewer
    """None where the seat chooses in front of all who share the device."""

    language: str
    word: str


class PreviewMessage(room.Preview, kw_only=True):
    """A preview as the page's script gets it."""

    said: str
    """The action, as a player would say it."""


async def show(request: page.PageRequest) -> Response:
    """What a word would do for a seat of the visitor. Raises HttpError or MoveError."""
    snapshot = await request.host.snapshot(request.table)
    table = snapshot.table
    seat = seats.seat_for(request, table, whole_number(request.query.get("seat", "")))
    viewpoint = viewpoint_at(request, table, str(seat), request.query.get("opened", ""))
    if viewpoint.acts != seat:
        raise errors.HttpError(403, "this seat is behind the gate")
    word = request.query.get("word", "")[:LONGEST_WORD]
    viewer, code = viewpoint.viewer, request.language.code
    key = PreviewKey(table.charter.id, table.seq, seat, viewer, code, word)
    view = view_from(snapshot, viewpoint)
    action = table.game.parse(word)
    if action not in view.legal:  # the table has changed since it was pointed at
        return Response(b"", b"text/plain", 204)
    made = request.app.service(render.Drawings).once(
        key, lambda: _made(request, snapshot, view, viewer, action)
    )
    return reply(made, headers=[page.VARY])


def _made(
    request: page.PageRequest,
    snapshot: Snapshot,
    table_view: TableView,
    viewer: Viewer,
    action: Any,  # noqa: ANN401 - the game's own
) -> PreviewMessage:
    language = request.language
    said = capital(snapshot.table.game.say(action, language))
    names = names_for(snapshot.table.players, viewer, language)
    draw = web_game(table_view.game, table_view.rules).preview
    told = history_seen(request, snapshot, viewer, language).notices
    before = [event for notice in told for event in notice.events]
    made = draw(table_view.view, action, names, language, before) if draw else None
    preview = made or room.Preview(sentence="")
    message = PreviewMessage(said=said, **msgspec.structs.asdict(preview))
    return message if message.act else msgspec.structs.replace(message, act=said)
