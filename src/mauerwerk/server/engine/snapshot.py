"""A table as it stood at one moment, with all that answers about it are made from.

All who ask at that moment share the snapshot: the answer to a move, and the streams that it
wakes. What one of them works out for a viewer, the others need not.
"""

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.server.tables.notices import Notice, notices
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.tables.table_views import TableView, table_view

T = TypeVar("T")

KEPT: Final = 64
"""How many things that were made from a snapshot are kept with it."""


@dataclass(eq=False, slots=True)
class Snapshot:
    """A table at one moment. It is taken once per change of the table, and passed on."""

    table: Table
    seed: bytes
    viewers: Collection[Viewer] = ()
    """The viewers who are connected to this process now."""

    respite: Callable[[Table], int] = lambda _: 0
    """By how many milliseconds a deadline is later than the log has it, while people look."""

    outside: "Snapshot | None" = None
    """Another one, if spectators see the table later."""

    _made: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])

    def from_outside(self) -> "Snapshot":
        """What spectators see."""
        return self.outside or self

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats among the viewers."""
        return tuple(viewer for viewer in self.viewers if viewer is not None)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What this key stands for, made now if nobody has asked for it yet."""
        if key not in self._made:
            if len(self._made) >= KEPT:
                self._made.pop(next(iter(self._made)))
            self._made[key] = make()
        made: T = self._made[key]
        return made

    def view(self, viewer: Viewer) -> TableView:
        """The table as this viewer sees it."""
        return self.once(("view", viewer), lambda: self._view(viewer))

    def _view(self, viewer: Viewer) -> TableView:
        """The same, with deadlines that are later while people look."""
        seen = table_view(self.table, viewer, self.seed)
        respite = self.respite(self.table)
        if not respite or seen.deadline is None:
            return seen
        times = tuple(
            time if time.until is None else replace(time, until=time.until + respite)
            for time in seen.times
        )
        return replace(seen, deadline=seen.deadline + respite, times=times)

    def history(
        self, viewer: Viewer, *, after: int = 0, most: int | None = None
    ) -> tuple[Notice, ...]:
        """What this viewer was told beyond that number, less what is told only once."""
        return notices(self.table, viewer, after=after, most=most)


class Receipt(NamedTuple):
    """The answer to a request: what it led to."""

    number: int
    """The number of the entry that it made, for the seat that made the request."""

    snapshot: Snapshot
    """The table afterwards."""

    @property
    def table(self) -> Table:
        """The table afterwards."""
        return self.snapshot.table
