"""Spectators: what they may see of a table, and as whom others see them."""

from mauerwerk.server.engine.audience import Watcher
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.seats import seats_played
from mauerwerk.server.tables.table import Table
from mauerwerk.server.tables.table_views import is_closed


def seen_by(request: Request, snapshot: Snapshot) -> Snapshot:
    """The table as the caller may see it: as it is, or from outside. Raises HttpError."""
    if seats_played(request, snapshot.table):
        return snapshot
    check_open(request, snapshot.table)
    return snapshot.from_outside()


def check_open(request: Request, table: Table) -> None:
    """Refuse spectators where the players want none. A seat that was just left is kept."""
    guest = request.identity.guest.id if request.identity.guest else ""
    left = guest and any(each.is_kept(guest, request.host.now()) for each in table.occupants)
    if is_closed(table) and not left:
        raise HttpError(403, "this table does not allow spectators", code="unseen")


def watcher_of(request: Request, table: Table, *, unseen: bool = False) -> Watcher | None:
    """As whom the caller watches; None for those who play. Raises HttpError."""
    if seats_played(request, table):
        return None
    check_open(request, table)
    guest = request.identity.guest
    if guest is None:
        return Watcher()
    return Watcher(guest.id, "" if unseen else guest.name)
