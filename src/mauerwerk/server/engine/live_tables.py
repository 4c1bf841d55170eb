"""The tables in memory of one process: read from the store when needed, kept up to date."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.audience import Audience
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.tables import errors, folding, table_views
from mauerwerk.server.tables.table import Table

LONGEST: Final = 10_000
"""The most milliseconds that a table waits after a move."""

ENTRY_BYTES: Final = 800
"""About what an entry takes up, with what follows from it."""


class Memory(NamedTuple):
    """What tables take up in memory."""

    tables: int
    size: int
    """Bytes, about."""


class LiveTable:
    """A table in memory, with its viewers and the bots that think about it."""

    def __init__(self, table: Table, seed: bytes, limits: HostLimits) -> None:
        self.table = table
        self.seed = seed
        self.lock = asyncio.Lock()
        self.audience = Audience(limits.unread_notices)
        self.holds = Holds()
        self.ended_for_all = -1
        """The last entry of the log at which a player had everybody go on."""

        self.attended = table.seq
        """The length of the log when the table was last attended to."""

        self.thoughts: dict[int, asyncio.Task[None]] = {}
        self.timer: asyncio.TimerHandle | None = None
        self._snapshot: Snapshot | None = None
        self.doubtful = False
        """Whether the store may hold more than is known here."""

        self.used = time.monotonic()
        """When somebody last asked for it."""

    def advance(self, table: Table) -> None:
        """The table is this now, and the store has it: tell everybody."""
        before, self.table = self.snapshot(), table
        self._snapshot = self._taken(before)
        self.audience.tell(before, self._snapshot)

    def replace(self, table: Table) -> None:
        """Names have gone from what was told before; tell everybody only what is new."""
        before, self.table = self.snapshot(), table
        self._snapshot = self._taken(None)
        self.audience.tell(before, self._snapshot)

    def snapshot(self) -> Snapshot:
        """The table as it stands now, the same for all who ask until it changes."""
        if self._snapshot is None:
            self._snapshot = self._taken(None)
        return self._snapshot

    def _taken(self, before: Snapshot | None) -> Snapshot:
        """A snapshot, after one that was taken some entries ago."""
        outside = None
        if table_views.is_late(self.table):
            seen = None if before is None else before.from_outside()
            late = table_views.seen_from_outside(self.table, None if seen is None else seen.table)
            viewers = self.audience.viewers
            outside = seen if seen and seen.table is late else Snapshot(late, self.seed, viewers)
        return Snapshot(self.table, self.seed, self.audience.viewers, self.holds.respite, outside)

    def stop_timer(self) -> None:
        """Wait for no deadline."""
        if self.timer:
            self.timer.cancel()
            self.timer = None

    @property
    def has_people(self) -> bool:
        """Whether somebody plays or watches, and not only bots among themselves."""
        return bool(len(self.audience)) or any(self.table.owners)

    @property
    def idle(self) -> bool:
        """Whether nobody watches it, thinks about it or changes it."""
        return not (len(self.audience) or self.thoughts or self.lock.locked())


@contextmanager
def _reading(live: LiveTable) -> Generator[None, None, None]:
    """A doubt that comes up meanwhile stays: what is being read may be older than what it meant."""
    live.doubtful = False
    try:
        yield
    except BaseException:
        live.doubtful = True
        raise


class LiveTables:
    """All tables in memory."""

    def __init__(self, store: Store, limits: HostLimits | None = None) -> None:
        self._store = store
        self._limits = limits or HostLimits()
        self._live_tables: dict[str, LiveTable] = {}
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(tuple(self._live_tables.values()))

    def get(self, table: str) -> LiveTable | None:
        """The live table, if it is in memory."""
        return self._live_tables.get(table)

    async def at(self, table: str) -> LiveTable:
        """The live table, fetched from the store if need be. Raises NoTableError."""
        live = self._live_tables.get(table)
        if live is not None:
            live.used = time.monotonic()
            return live
        opening = self._opening.get(table)
        if opening is None:
            opening = self._opening[table] = asyncio.ensure_future(self._fetch(table))
            opening.add_done_callback(lambda _: self._opening.pop(table, None))
        try:
            return await asyncio.shield(opening)
        finally:
            del opening  # its error would hold this frame, which holds it

    async def fresh(self, table: str) -> LiveTable:
        """The live table, with all that was acknowledged so far. Raises NoTableError.

        Another process may have acknowledged a request a moment ago, to a client that now asks
        here: what a client was told must not be missing from the next answer.
        """
        live = self._live_tables.get(table)
        if live is not None:
            live.used = time.monotonic()
            if await self._is_behind(live):
                live.doubtful = True
        if live is None or live.doubtful:
            async with self.taken(table) as live:
                if live.doubtful:
                    await self.catch_up(live)
        return live

    async def _is_behind(self, live: LiveTable) -> bool:
        """Whether another process has written what is not known here."""
        if not self._store.shared or live.doubtful:
            return False
        return bool(await self._store.entries(live.table.charter.id, live.table.seq))

    async def take(self, table: str) -> LiveTable:
        """The live table with its lock held, so that it stays in memory. Raises NoTableError.

        The caller releases the lock.
        """
        while True:
            live = await self.at(table)
            await live.lock.acquire()
            # While others held the lock it may have been put away and read again.
            if self._live_tables.get(table) is live:
                return live
            live.lock.release()

    @asynccontextmanager
    async def taken(self, table: str) -> AsyncGenerator[LiveTable, None]:
        """The live table, whose lock is held meanwhile. Raises NoTableError."""
        live = await self.take(table)
        try:
            yield live
        finally:
            live.lock.release()

    def put(self, table: Table, seed: bytes) -> LiveTable:
        """A live table for one that is in the store."""
        self._make_room()
        live = self._live_tables[table.charter.id] = LiveTable(table, seed, self._limits)
        return live

    def drop(self, table: str) -> None:
        """Let go of a table that was deleted or thinned."""
        live = self._live_tables.pop(table, None)
        if live is not None:
            live.stop_timer()
            for thought in live.thoughts.values():
                thought.cancel()
            live.audience.close()

    async def read_again(self, live: LiveTable) -> None:
        """Read a table of which others have rewritten the log. Its lock must be held."""
        with _reading(live):
            stored = await self._store.load(live.table.charter.id)
            if stored is not None:  # or it was deleted afterwards; the audit log says so, too
                live.replace(folding.fold(stored.charter, stored.entries))

    async def catch_up(self, live: LiveTable) -> None:
        """Read what others have written. Its lock must be held."""
        with _reading(live):
            entries = await self._store.entries(live.table.charter.id, live.table.seq)
            if entries:
                live.advance(folding.more(live.table, entries))

    async def _fetch(self, table: str) -> LiveTable:
        stored = await self._store.load(table)
        if stored is None:
            raise errors.NoTableError
        live = self._live_tables.get(table)
        if live is None:
            live = self.put(folding.fold(stored.charter, stored.entries), stored.seed)
            # Another process may have written between the reading and now.
            live.doubtful = True
        return live

    def put_away(self, now: float) -> None:
        """Put away tables that nobody uses and that wait for no deadline; `now` is monotonic."""
        for table, live in tuple(self._live_tables.items()):
            unused = now - live.used >= self._limits.live_seconds
            if unused and live.timer is None and live.idle:
                del self._live_tables[table]

    def memory(self) -> Memory:
        """How much there is in memory."""
        entries = sum(live.table.seq for live in self._live_tables.values())
        return Memory(len(self._live_tables), entries * ENTRY_BYTES)

    def _make_room(self) -> None:
        """Put away idle tables, those first that have been in memory longest.

        Then a quarter of the room is free again, unless too many tables are in use.
        """
        tables = len(self._live_tables)
        entries = sum(live.table.seq for live in self._live_tables.values())
        most, most_entries = self._limits.live_tables, self._limits.live_entries
        if tables < most and entries < most_entries:
            return
        idle = [(table, live) for table, live in self._live_tables.items() if live.idle]
        for table, live in idle:
            if tables < most * 3 // 4 and entries < most_entries * 3 // 4:
                return
            tables -= 1
            entries -= live.table.seq
            self._live_tables.pop(table).stop_timer()


# --- Seats that hold a table -----------------------------------------------------------------


class Holds:
    """Seats that still look at something, and for which the bots of one table wait a little.

    What there is to look at is not known here: a feature says after which moves people stop. Only
    seats with a page open hold a table, each until it has gone on, and none longer than `LONGEST`.
    The question that people then answer has as much time more. None of this is in the log.

    Holds belong to a process. Where several share a store, bots wait for the pages that are
    connected to the process at which they think. To share holds would take a message for every page
    that goes on; a proxy that sends all of a table to one process does it without
    (`deploy/nginx.conf`).
    """

    def __init__(self) -> None:
        self._seats: set[Seat] = set()
        self._stop = -1
        self._asked_at: int | None = None
        self._over = asyncio.Event()
        self._over.set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, seats: Iterable[Seat], table: Table, stop: int) -> None:
        """These seats look at what the entry `stop` of the log led to."""
        self.end()
        self._seats = set(seats)
        self._stop = stop
        if self._seats:
            self._asked_at = table.asked_at
            self._over.clear()
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(LONGEST / 1_000, self.end)

    def go_on(self, table: Table, seat: Seat, number: int) -> None:
        """This seat has seen all that it was told up to that number."""
        if seat in self._seats and number >= table.number_of(self._stop, seat):
            self.release(seat)

    def release(self, seat: Seat) -> None:
        """This seat looks no longer."""
        self._seats.discard(seat)
        if not self._seats:
            self.end()

    def end(self) -> None:
        """Nobody looks any longer."""
        self._seats.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._over.set()

    @property
    def any(self) -> bool:
        """Whether somebody looks."""
        return bool(self._seats)

    async def over(self) -> None:
        """Wait until nobody looks any longer; who has gone on may stop at the next move."""
        while self._seats:
            await self._over.wait()

    def respite(self, table: Table) -> int:
        """The milliseconds by which the deadline of the present question is later."""
        asked = table.proposal is None and self._asked_at == table.asked_at
        return LONGEST if asked else 0
