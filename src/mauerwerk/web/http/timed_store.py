"""A store that counts moves and measures how long it takes until they are on disk."""

import time
from collections.abc import AsyncIterator, Mapping, Sequence

from mauerwerk.core.game import NATURE
from mauerwerk.play.storage.store import Store, Stored
from mauerwerk.play.tables.entries import Card, Charter, Entry, Kind, Status
from mauerwerk.web.http.observe import Metrics


class TimedStore:
    """Another store, watched."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        """Watch this one."""
        self._store = store
        self._metrics = metrics

    async def open(self) -> None:
        """As it does."""
        await self._store.open()

    async def close(self) -> None:
        """As it does."""
        await self._store.close()

    async def secret(self) -> bytes:
        """As it does."""
        return await self._store.secret()

    async def create(
        self,
        charter: Charter,
        seed: bytes,
        entries: Sequence[Entry],
        card: Card,
        owners: Sequence[str],
        /,
    ) -> None:
        """As it does, with an eye on the clock."""
        began = time.perf_counter()
        await self._store.create(charter, seed, entries, card, owners)
        self._metrics.commits.add(time.perf_counter() - began)

    async def append(
        self,
        table: str,
        entries: Sequence[Entry],
        card: Card,
        owners: Sequence[str],
        record: str | None,
        /,
    ) -> None:
        """As it does, with an eye on the clock."""
        began = time.perf_counter()
        await self._store.append(table, entries, card, owners, record)
        self._metrics.commits.add(time.perf_counter() - began)
        self._metrics.moves += sum(
            entry.kind is Kind.MOVE and entry.seat != NATURE for entry in entries
        )

    async def load(self, table: str, /) -> Stored | None:
        """As it does."""
        return await self._store.load(table)

    async def entries(self, table: str, start: int, /) -> tuple[Entry, ...]:
        """As it does."""
        return await self._store.entries(table, start)

    async def lobby(self, status: Status, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """As it does."""
        return await self._store.lobby(status, before=before, most=most)

    async def tables_of(self, guest: str, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """As it does."""
        return await self._store.tables_of(guest, before=before, most=most)

    async def record(self, table: str, /) -> str | None:
        """As it does."""
        return await self._store.record(table)

    async def due(self, before: int, /) -> tuple[str, ...]:
        """As it does."""
        return await self._store.due(before)

    def changes(self) -> AsyncIterator[str | None]:
        """As it does."""
        return self._store.changes()

    async def count(self) -> Mapping[str, int]:
        """As it does."""
        return await self._store.count()
