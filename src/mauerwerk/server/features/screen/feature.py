"""The big screen: a table for everybody in the room, while phones hold hands and fists.

A screen shows nothing that a seat alone knows, also in the browser of somebody who plays, and where
spectators are behind the players, so is it. Its one secret is the code of a free seat: it is there
for whoever hands out the links of the table, and everybody in the room may take it.
"""

from typing import Any, Final

from starlette.types import ASGIApp

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.lobby.api import link_to
from mauerwerk.server.features.spectating.pages import check_open, watcher_of
from mauerwerk.server.features.table import live, moments
from mauerwerk.server.features.table.pages import table_page
from mauerwerk.server.games import picture_of
from mauerwerk.server.games.viewpoint import WATCH, Viewpoint
from mauerwerk.server.http import errors, response, seats, static
from mauerwerk.server.http.seats import hands_out_links
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.table_views import is_closed
from mauerwerk.server.ui.markup import qr_code
from mauerwerk.server.ui.page import PageRequest, PageRoute

AUDIENCE: Final = Viewpoint(None, (), watching=True)
"""Everybody in the room."""


def invitation_to(request: PageRequest, table: Table) -> dict[str, Any] | None:
    """The way to the next free seat: a link as a code, and as words where it is short.

    None where there is none, or it is not for everybody.
    """
    free = [seat for seat, each in enumerate(table.occupants) if not each.taken]
    if table.status is not Status.OPEN or not free:
        return None
    if any(table.charter.chairs[seat].kind == "open" for seat in free):
        link = request.address(f"/t/{table.charter.id}")
        address = link.partition("://")[2]
    elif hands_out_links(table, seats.seats_played(request, table)):
        link, address = link_to(request, table, Seat(free[0])).link, ""
    else:
        return None
    return {
        "code": qr_code(link, omitsize=True, border=2),
        "address": address,
        "seats": len(free),
    }


def outside(snapshot: Snapshot) -> Snapshot:
    """The table as spectators see it. Raises HttpError where they see nothing."""
    if is_closed(snapshot.table):
        raise errors.HttpError(403, "this table does not allow spectators", code="unseen")
    return snapshot.from_outside()


def _content(request: PageRequest, snapshot: Snapshot) -> dict[str, Any]:
    seen = table_page(request, snapshot, AUDIENCE, request.language)
    awaited = [line.name for line in seen.lines if line.now]
    language = request.language
    return {
        "awaited": language("Waiting for {names}.", names=awaited)
        if awaited and seen.table_view.status is Status.RUNNING
        else "",
        "seen": seen,
        "invitation": invitation_to(request, snapshot.table),
        "picture": "" if seen.parts else picture_of(seen.box.name),
    }


async def show(request: PageRequest) -> response.Response:
    """The page of a big screen."""
    snapshot = await request.host.snapshot(request.table)
    check_open(request, snapshot.table)
    content = _content(request, outside(snapshot))
    seen = content["seen"]
    symbols = (*seen.symbols, *seen.box.symbols)
    return request.render("screen/page.html", symbols=symbols, now=request.host.now(), **content)


async def follow(request: PageRequest) -> ASGIApp:
    """Its stream."""
    table = await request.host.table(request.table)
    check_open(request, table)
    return live.table_stream(
        request,
        None,
        watcher_of(request, table, unseen=True),
        lambda told: ScreenTeller(request, told, (WATCH, ""), AUDIENCE).tell,
        owns=seats.seats_played,
        # At a table that everybody can find, a stranger's screen is not one in the players' room.
        shows=not table.charter.public or bool(seats.seats_played(request, table)),
        packed=static.takes_gzip(request),
    )


class ScreenTeller(live.Teller):
    """Draws a table for one screen as often as it changes."""

    def snapshot_of(self, latest: Snapshot) -> Snapshot:
        """What spectators see, also where a player has opened the screen."""
        return outside(latest)

    def viewpoint_at(self, table: Table) -> Viewpoint:
        """Everybody in the room looks."""
        del table
        return AUDIENCE

    def drawn(self, snapshot: Snapshot, viewpoint: Viewpoint, after: int) -> str:
        """What is morphed into the page, the moments last."""
        main = self.request.text("screen/main.html", **_content(self.request, snapshot))
        return main + moments.moments_part(self.request, snapshot, viewpoint, after)


FEATURE = Feature(
    name="screen",
    pages=(
        PageRoute("/t/{table}/screen", get=show),
        PageRoute("/t/{table}/screen/live", get=follow),
    ),
)
