"""How tables are set up and requests reach the log: in turn, stored, and only then told.

Requests to one table are taken one after the other. What a request writes is told to viewers only
once the store has it. If another process was faster, the store says so, and the request is tried
again on the table as it is then.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from mauerwerk.core.game import Seat
from mauerwerk.core.language import listed
from mauerwerk.server.database import rows
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.events import EntriesStored, Events
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.live_tables import LiveTable, LiveTables
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.keys import new_seed
from mauerwerk.server.tables import errors, requests
from mauerwerk.server.tables.charter import Chair, Guest, Order, charter_for, house_rules_of, shared
from mauerwerk.server.tables.requests import PendingEntries, Submission
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.transcript import transcript

Write = Callable[[PendingEntries], object]
"""Looks at the table of a pending, and adds entries or refuses."""


@dataclass(eq=False)
class Submissions:
    """Creates the tables of a process, and carries out the requests to them."""

    store: Store
    live_tables: LiveTables
    limits: HostLimits
    events: Events
    changed: Callable[[LiveTable], object]
    """Called with each table that changed."""

    now: Callable[[], int]
    missed: Callable[[Table], int]
    """For how long no server ran since the last entry of a table's log."""

    _under_way: WeakValueDictionary[str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[str, asyncio.Lock]
    )
    """Guests whose tables are being set up."""

    async def submit(self, table: str, request: Submission, write: Write) -> Receipt:
        """Carry out a request, once.

        Once the store has it, it is finished even if the caller stops waiting for it.
        """
        live = await self.live_tables.take(table)
        try:
            while True:
                if live.doubtful:
                    await self.live_tables.catch_up(live)
                try:
                    number = requests.answered(live.table, request)
                    if number is not None:
                        return Receipt(number, live.snapshot())
                    requests.check_tenure(live.table, request)
                    pending = PendingEntries(live.table, live.seed, self.now(), request.key)
                    if pause := self.missed(live.table):
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
        if not self.store.shared:
            return False
        known = live.table.seq
        await self.live_tables.catch_up(live)
        return live.table.seq != known

    async def _stored(self, live: LiveTable, pending: PendingEntries) -> bool:
        """Whether the entries are in the log now, and so told; if not, the table has moved on."""
        table, entries = pending.table, pending.entries
        over = table.status is Status.OVER and live.table.status is not Status.OVER
        text = transcript(table, live.seed) if over else None
        began = time.perf_counter()
        left = False
        try:
            appending = self.store.put(
                rows.change(table.charter.id, entries, table.card(), table.owners, text)
            )
            try:
                await appending
            except asyncio.CancelledError:
                left = True
                appending.result()  # raises what went wrong
        except OvertakenError as fault:
            known = live.table.seq
            await self.live_tables.catch_up(live)
            if live.table.seq == known:
                raise StorageError("the store takes nothing that follows its own log") from fault
            if left:
                raise asyncio.CancelledError from fault
            return False
        except BaseException:
            live.doubtful = True
            raise
        self.events.publish(EntriesStored(entries, time.perf_counter() - began))
        live.advance(table)
        self.changed(live)
        if left:
            raise asyncio.CancelledError
        return True

    async def create(
        self,
        order: Order,
        sitting: Mapping[Seat, Guest],
        guest: Guest,
        table: str,
        before: str = "",
    ) -> LiveTable:
        """Set up a table with this id. Raises TooManyError, RequestError or OrderError."""
        seed = new_seed()
        charter = charter_for(order, table, seed, self.now(), before=before, opener=guest.id)
        if (changed := house_rules_of(charter)) and not self.limits.house_rules:
            told = listed([f"{name}={word}" for name, word in changed.items()])
            raise errors.OrderError(errors.Obstacle.HOUSE_RULES, options=told)
        if all(chair.kind == "bot" for chair in charter.chairs):
            self._check_bot_tables(guest)
        made = requests.set_up(charter, seed, sitting)
        # One at a time, or a guest who orders many at once gets more than are allowed.
        async with self._under_way.setdefault(guest.id, asyncio.Lock()):
            await self._check_room(guest)
            began = time.perf_counter()
            card, owners = made.table.card(), made.table.owners
            await self.store.put(rows.creation(charter, seed, made.entries, card, owners))
            self.events.publish(EntriesStored(made.entries, time.perf_counter() - began))
        return self.live_tables.put(made.table, seed)

    async def _check_room(self, guest: Guest) -> None:
        """Refuse a guest who has many tables, or whose tables take up much. Raises both errors."""
        most = self.limits.unfinished_tables
        theirs = await self.store.tables_of(guest.id, before=None, most=2 * most)
        if sum(card.status is not Status.OVER for card in theirs) >= most:
            raise errors.TooManyError(f"you have {most} tables already; finish or leave one first")
        room = self.limits.stored_bytes
        if room and await self.store.stored_by(guest.id) >= room:
            raise errors.RequestError(errors.Reason.NO_ROOM, kilobytes=room // 1024)

    def _check_bot_tables(self, guest: Guest) -> None:
        """Refuse a guest who has opened many tables of bots alone. Raises TooManyError."""
        tables = (live.table for live in self.live_tables)
        running = sum(
            table.charter.opener == guest.id
            and table.status is Status.RUNNING
            and not any(table.owners)
            for table in tables
        )
        if running >= self.limits.bot_tables:
            raise errors.TooManyError(
                f"bots play at {running} of your tables already; wait until one is over"
            )


def same_again(table: Table, joining: Collection[Seat] = ()) -> Order:
    """The order for a table like this one, with people instead of bots at some seats."""
    chairs = tuple(
        Chair("open")
        if seat in joining
        else Chair("bot", occupant.level)
        if occupant.level and not occupant.guest
        else chair
        for seat, (chair, occupant) in enumerate(
            zip(table.charter.chairs, table.occupants, strict=True)
        )
    )
    agreed = shared(table.charter)
    agreed.update(chairs=chairs, evening="")
    return Order(**agreed)
