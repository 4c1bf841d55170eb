"""A table as it stood when a request came, with all that an answer about it is made from."""

from collections.abc import Collection
from typing import NamedTuple

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.server.tables.notices import Notice, notices
from mauerwerk.server.tables.table import Table, Viewer
from mauerwerk.server.tables.table_views import TableView, table_view


class Snapshot(NamedTuple):
    """A table at one moment. It is taken once per request and passed on."""

    table: Table
    seed: bytes
    viewers: Collection[Viewer]
    """The viewers who are connected to this process now."""

    respite: int = 0
    """The milliseconds by which a deadline is later than the log has it (`host.holds`)."""

    outside: Table | None = None
    """The table as spectators see it, where that is not the same."""

    def from_outside(self) -> "Snapshot":
        """What spectators see."""
        if self.outside is None:
            return self
        return Snapshot(self.outside, self.seed, self.viewers)

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats among the viewers."""
        return tuple(viewer for viewer in self.viewers if viewer is not None)

    def view(self, viewer: Viewer) -> TableView:
        """The table as this viewer sees it."""
        seen = table_view(self.table, viewer, self.seed)
        if not self.respite or seen.deadline is None:
            return seen
        times = tuple(
            time if time.until is None else replace(time, until=time.until + self.respite)
            for time in seen.times
        )
        return replace(seen, deadline=seen.deadline + self.respite, times=times)

    def story(
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
