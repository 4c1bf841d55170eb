"""The tables at hand in one process: read from the store when first needed, kept up to date."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from typing import Final

from mauerwerk.play.audience import Audience
from mauerwerk.play.errors import NoTableError
from mauerwerk.play.folding import fold, more
from mauerwerk.play.store import Store
from mauerwerk.play.table import Table

MOST_DESKS: Final = 2_000
"""So many tables are kept at hand; those that nobody looks at are put away first."""


class Desk:
    """A table at hand, with who watches it and who thinks about it."""

    def __init__(self, table: Table, seed: bytes) -> None:
        """As it was stored."""
        self.table = table
        self.seed = seed
        self.lock = asyncio.Lock()
        self.audience = Audience()
        self.thoughts: dict[int, asyncio.Task[None]] = {}
        self.timer: asyncio.TimerHandle | None = None
        self.doubtful = False
        """Whether the store may hold more than is known here."""

    def advance(self, table: Table) -> None:
        """The table is this now, and the store has it: tell everybody."""
        before, self.table = self.table, table
        self.audience.tell(before, table)

    def stop_timer(self) -> None:
        """Wait for no deadline."""
        if self.timer:
            self.timer.cancel()
            self.timer = None

    @property
    def idle(self) -> bool:
        """Whether nobody needs it at hand."""
        return not (len(self.audience) or self.thoughts or self.lock.locked())


class Desks:
    """All tables at hand."""

    def __init__(self, store: Store) -> None:
        """None yet."""
        self._store = store
        self._desks: dict[str, Desk] = {}
        self._opening: dict[str, asyncio.Task[Desk]] = {}

    def __iter__(self) -> Iterator[Desk]:
        return iter(tuple(self._desks.values()))

    def get(self, table: str) -> Desk | None:
        """The desk of a table, if it is at hand."""
        return self._desks.get(table)

    async def at(self, table: str) -> Desk:
        """The desk of a table, fetched from the store if need be. Raises NoTableError."""
        desk = self._desks.get(table)
        if desk is not None:
            return desk
        opening = self._opening.get(table)
        if opening is None:
            opening = self._opening[table] = asyncio.ensure_future(self._fetch(table))
            opening.add_done_callback(lambda _: self._opening.pop(table, None))
        return await asyncio.shield(opening)

    async def fresh(self, table: str) -> Desk:
        """The desk of a table, with all that the store is known to hold. Raises NoTableError."""
        desk = self._desks.get(table)
        if desk is None or desk.doubtful:
            async with self.taken(table) as desk:
                if desk.doubtful:
                    await self.catch_up(desk)
        return desk

    @asynccontextmanager
    async def taken(self, table: str) -> AsyncGenerator[Desk, None]:
        """The desk of a table with its lock held, so that it stays at hand. Raises NoTableError."""
        while True:
            desk = await self.at(table)
            async with desk.lock:
                # While others had the lock it may have been put away, and another be there now.
                if self._desks.get(table) is desk:
                    yield desk
                    return

    def put(self, table: Table, seed: bytes) -> Desk:
        """A desk for a table that is in the store."""
        self._make_room()
        desk = self._desks[table.charter.id] = Desk(table, seed)
        return desk

    async def catch_up(self, desk: Desk) -> None:
        """Read what others have written. The desk's lock must be held."""
        entries = await self._store.entries(desk.table.charter.id, desk.table.seq)
        desk.doubtful = False
        if entries:
            desk.advance(more(desk.table, entries))

    async def _fetch(self, table: str) -> Desk:
        stored = await self._store.load(table)
        if stored is None:
            raise NoTableError
        desk = self._desks.get(table)
        if desk is None:
            desk = self.put(fold(stored.charter, stored.entries), stored.seed)
            # Another process may have written between the reading and now.
            desk.doubtful = True
        return desk

    def _make_room(self) -> None:
        """Put away tables that nobody needs now, those first that have been at hand longest."""
        if len(self._desks) < MOST_DESKS:
            return
        idle = [table for table, desk in self._desks.items() if desk.idle]
        for table in idle[: MOST_DESKS // 4]:
            self._desks.pop(table).stop_timer()
