"""Spectators: what they may see of a table, and as whom others see them."""

from mauerwerk.server.engine.audience import Watcher
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.chat.access import seats_played
from mauerwerk.server.http.call import Call
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.tables.table import Table
from mauerwerk.server.tables.table_views import is_closed


def seen_by(call: Call, snapshot: Snapshot) -> Snapshot:
    """The table as the caller may see it: as it is, or from outside. Raises HttpError."""
    if seats_played(call, snapshot.table):
        return snapshot
    check_open(call, snapshot.table)
    return snapshot.from_outside()


def check_open(call: Call, table: Table) -> None:
    """Refuse spectators where the players want none. A seat that was just left is kept."""
    guest = call.caller.guest.id if call.caller.guest else ""
    left = guest and any(each.is_kept(guest, call.host.now()) for each in table.occupants)
    if is_closed(table) and not left:
        raise HttpError(403, "this table does not allow spectators", word="unseen")


def watcher_of(call: Call, table: Table, *, unseen: bool = False) -> Watcher | None:
    """As whom the caller watches; None for those who play. Raises HttpError."""
    if seats_played(call, table):
        return None
    check_open(call, table)
    guest = call.caller.guest
    if guest is None:
        return Watcher()
    return Watcher(guest.id, "" if unseen else guest.name)
