"""How a request reaches the log: one after the other, stored, and only then told.

Requests to one table are taken one after the other. What a request writes is told to viewers only
once the store has it. If another process was faster, the store says so, and the request is tried
again on the table as it is then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from mauerwerk.play.fairness.transcript import transcript
from mauerwerk.play.host.live_tables import LiveTable, LiveTables
from mauerwerk.play.host.snapshot import Receipt
from mauerwerk.play.storage.store import OvertakenError, StorageError, Store
from mauerwerk.play.tables import repeats
from mauerwerk.play.tables.entries import Entry, Status
from mauerwerk.play.tables.repeats import Request
from mauerwerk.play.tables.transaction import Transaction

Write = Callable[[Transaction], object]
"""Looks at the table of a transaction, and adds entries or refuses."""


class Submissions:
    """Carries out the requests to all tables of a process."""

    def __init__(
        self,
        store: Store,
        live_tables: LiveTables,
        commit: Callable[[Awaitable[None], Sequence[Entry]], Awaitable[None]],
        changed: Callable[[LiveTable], object],
        now: Callable[[], int],
    ) -> None:
        """`commit` waits for the store; `changed` is called with each table that has changed."""
        self._store = store
        self._commit = commit
        self._live_tables = live_tables
        self._changed = changed
        self._now = now
        self._writing: set[asyncio.Task[Receipt]] = set()

    async def finish(self) -> None:
        """Wait for the requests that have begun."""
        await asyncio.gather(*self._writing, return_exceptions=True)

    async def submit(self, table: str, request: Request, write: Write) -> Receipt:
        """Carry out a request, once. It is finished even if the caller stops waiting for it."""
        task = asyncio.ensure_future(self._written(table, request, write))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    async def _written(self, table: str, request: Request, write: Write) -> Receipt:
        async with self._live_tables.taken(table) as live:
            while True:
                if live.doubtful:
                    await self._live_tables.catch_up(live)
                number = repeats.answered(live.table, request)
                if number is not None:
                    return Receipt(number, live.snapshot())
                repeats.check_tenure(live.table, request)
                transaction = Transaction(live.table, live.seed, self._now(), request.key)
                write(transaction)
                if not transaction.entries:
                    return Receipt(live.table.number(request.viewer), live.snapshot())
                if await self._stored(live, transaction):
                    break
        made = next(
            (entry for entry in transaction.entries if entry.kind in request.kinds),
            transaction.entries[0],
        )
        told = made.seat if request.viewer is None else request.viewer
        return Receipt(live.table.number_of(made.seq, told), live.snapshot())

    async def _stored(self, live: LiveTable, transaction: Transaction) -> bool:
        """Whether the entries are in the log now, and so told; if not, the table has moved on."""
        table = transaction.table
        over = table.status is Status.OVER and live.table.status is not Status.OVER
        text = transcript(table, live.seed) if over else None
        try:
            entries = transaction.entries
            appending = self._store.append(
                table.charter.id, entries, table.card(), table.owners, text
            )
            await self._commit(appending, entries)
        except OvertakenError as fault:
            known = live.table.seq
            await self._live_tables.catch_up(live)
            if live.table.seq == known:
                raise StorageError("the store takes nothing that follows its own log") from fault
            return False
        except BaseException:
            live.doubtful = True
            raise
        live.advance(table)
        self._changed(live)
        return True
