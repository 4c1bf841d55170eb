"""A picture of a table to pass on, as anybody may see it."""

from typing import Any, NamedTuple

from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg import Drawing
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.sharing import link_preview, pictures
from mauerwerk.server.features.sharing.pictures import WIDE, Pictures, Shown, card
from mauerwerk.server.games import last_view, web_game
from mauerwerk.server.http.response import Response
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.page import PageRequest


class TableKey(NamedTuple):
    """All that the picture of a table depends on."""

    table: str
    seq: int
    names: tuple[str, ...]
    language: str


async def show(request: PageRequest) -> Response:
    """A table as a spectator sees it; when the game is over, with all that lay hidden."""
    link_preview.check_pixels()
    snapshot = (await request.host.snapshot(request.table)).from_outside()
    language, table = link_preview.language_in(request), snapshot.table
    key = TableKey(
        table.charter.id, table.seq, link_preview.names_at(snapshot, language), language.code
    )
    content = await request.app.service(Pictures).get(
        key,
        lambda: pictures.Still(table_card(snapshot, language), WIDE),
        link_preview.counted(request),
    )
    over = table.status is Status.OVER
    return Response(content, link_preview.PNG, headers=[link_preview.FOR_AN_HOUR] if over else ())


def table_card(snapshot: Snapshot, language: Language) -> Drawing:
    """The card of a table. A running game shows what a spectator sees, and nothing else."""
    table = snapshot.table
    room = web_game(table.charter.game, table.charter.rules)
    names = link_preview.names_at(snapshot, language)
    view: Any = snapshot.view(None).view
    if table.outcome is not None:
        view = last_view(snapshot, None)
    drawing = "" if view is None else table.game.svg(view, names, language)
    told = "" if table.outcome else link_preview.told_at(snapshot, language)
    rows = link_preview.rows_of(table.outcome, names, language)
    return card(table.game, Shown(room.box.title, told, rows, drawing, room.box.thumb))
