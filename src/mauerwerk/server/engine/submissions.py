"""How a request reaches the log: one after the other, stored, and only then told.

Requests to one table are taken one after the other. What a request writes is told to viewers only
once the store has it. If another process was faster, the store says so, and the request is tried
again on the table as it is then.
"""

import asyncio
import time
from collections.abc import Callable

from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.events import EntriesStored, Events
from mauerwerk.server.engine.live_tables import LiveTable, LiveTables
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.requests import PendingEntries, Submission
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.transcript import transcript

Write = Callable[[PendingEntries], object]
"""Looks at the table of a pending, and adds entries or refuses."""


class Submissions:
    """Carries out the requests to all tables of a process."""

    def __init__(  # noqa: PLR0913, PLR0917 - each is another part of a host
        self,
        store: Store,
        live_tables: LiveTables,
        events: Events,
        changed: Callable[[LiveTable], object],
        now: Callable[[], int],
        missed: Callable[[Table], int] = lambda _: 0,
    ) -> None:
        """`changed` is called with each table that changed.

        `missed` says for how long no server ran since the last entry of a table's log.
        """
        self._store = store
        self._events = events
        self._live_tables = live_tables
        self._changed = changed
        self._now = now
        self._missed = missed

    async def submit(self, table: str, request: Submission, write: Write) -> Receipt:
        """Carry out a request, once.

        Once the store has it, it is finished even if the caller stops waiting for it.
        """
        live = await self._live_tables.take(table)
        try:
            while True:
                if live.doubtful:
                    await self._live_tables.catch_up(live)
                try:
                    number = requests.answered(live.table, request)
                    if number is not None:
                        return Receipt(number, live.snapshot())
                    requests.check_tenure(live.table, request)
                    pending = PendingEntries(live.table, live.seed, self._now(), request.key)
                    if pause := self._missed(live.table):
                        requests.pause(pending, pause)
                    write(pending)
                except Exception:
                    if await self._has_moved_on(live):
                        continue
                    raise
                if not pending.entries:
                    if await self._has_moved_on(live):
                        continue
                    return Receipt(live.table.number(request.viewer), live.snapshot())
                if await self._stored(live, pending):
                    break
        finally:
            live.lock.release()
        made = pending.entries[0]
        if made.kind not in request.kinds:
            made = next((each for each in pending.entries if each.kind in request.kinds), made)
        told = made.seat if request.viewer is None else request.viewer
        return Receipt(live.table.number_of(made.seq, told), live.snapshot())

    async def _has_moved_on(self, live: LiveTable) -> bool:
        """Whether another process has written, so that a refusal may have been premature.

        The store reports a conflict only to a request that writes something.
        """
        if not self._store.shared:
            return False
        known = live.table.seq
        await self._live_tables.catch_up(live)
        return live.table.seq != known

    async def _stored(self, live: LiveTable, pending: PendingEntries) -> bool:
        """Whether the entries are in the log now, and so told; if not, the table has moved on."""
        table, entries = pending.table, pending.entries
        over = table.status is Status.OVER and live.table.status is not Status.OVER
        text = transcript(table, live.seed) if over else None
        began = time.perf_counter()
        left = False
        try:
            appending = self._store.append(
                table.charter.id, entries, table.card(), table.owners, text
            )
            try:
                await appending
            except asyncio.CancelledError:
                left = True
                appending.result()  # raises what went wrong
        except OvertakenError as fault:
            known = live.table.seq
            await self._live_tables.catch_up(live)
            if live.table.seq == known:
                raise StorageError("the store takes nothing that follows its own log") from fault
            if left:
                raise asyncio.CancelledError from fault
            return False
        except BaseException:
            live.doubtful = True
            raise
        self._events.publish(EntriesStored(entries, time.perf_counter() - began))
        live.advance(table)
        self._changed(live)
        if left:
            raise asyncio.CancelledError
        return True
