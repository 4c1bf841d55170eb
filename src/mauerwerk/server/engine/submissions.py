"""How tables are set up and requests reach the log: in turn, stored, and only then told.

Requests to one table are taken one after the other. What a request writes is told to viewers only
once the store has it. If another process was faster, the store says so, and the request is tried
again on the table as it is then.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from weakref import WeakValueDictionary

from mauerwerk.core.game import Seat
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.events import EntriesStored, Events
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.live_tables import LiveTable, LiveTables
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.keys import new_seed
from mauerwerk.server.tables import errors, requests
from mauerwerk.server.tables.charter import Chair, Guest, Order, charter_for
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


class Creation:
    """Creates the tables of a process."""

    def __init__(
        self,
        store: Store,
        live_tables: LiveTables,
        limits: HostLimits,
        events: Events,
        now: Callable[[], int],
    ) -> None:
        """Nothing is set up yet."""
        self._store = store
        self._live_tables = live_tables
        self._limits = limits
        self._events = events
        self._now = now
        self._under_way: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Guests whose tables are being set up."""

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
        charter = charter_for(order, table, seed, self._now(), before=before, opener=guest.id)
        if all(chair.kind == "bot" for chair in charter.chairs):
            self._check_bot_tables(guest)
        made = requests.set_up(charter, seed, sitting)
        # One at a time, or a guest who orders many at once gets more than are allowed.
        async with self._under_way.setdefault(guest.id, asyncio.Lock()):
            await self._check_room(guest)
            began = time.perf_counter()
            card, owners = made.table.card(), made.table.owners
            await self._store.create(charter, seed, made.entries, card, owners)
            self._events.publish(EntriesStored(made.entries, time.perf_counter() - began))
        return self._live_tables.put(made.table, seed)

    async def _check_room(self, guest: Guest) -> None:
        """Refuse a guest who has many tables, or whose tables take up much. Raises both errors."""
        most = self._limits.unfinished_tables
        theirs = await self._store.tables_of(guest.id, before=None, most=2 * most)
        if sum(card.status is not Status.OVER for card in theirs) >= most:
            raise errors.TooManyError(f"you have {most} tables already; finish or leave one first")
        room = self._limits.stored_bytes
        if room and await self._store.stored_by(guest.id) >= room:
            raise errors.RequestError(errors.Reason.NO_ROOM, kilobytes=room // 1024)

    def _check_bot_tables(self, guest: Guest) -> None:
        """Refuse a guest who has opened many tables of bots alone. Raises TooManyError."""
        tables = (live.table for live in self._live_tables)
        running = sum(
            table.charter.opener == guest.id
            and table.status is Status.RUNNING
            and not any(table.owners)
            for table in tables
        )
        if running >= self._limits.bot_tables:
            raise errors.TooManyError(
                f"bots play at {running} of your tables already; wait until one is over"
            )


def same_again(table: Table) -> Order:
    """The order for a table like this one."""
    charter = table.charter
    chairs = tuple(
        Chair("bot", occupant.level) if occupant.level and not occupant.guest else chair
        for chair, occupant in zip(charter.chairs, table.occupants, strict=True)
    )
    return Order(
        game=charter.game,
        chairs=chairs,
        options=charter.options,
        public=charter.public,
        seconds_per_move=charter.seconds_per_move,
        bot_delay_ms=charter.bot_delay_ms,
        hints=charter.hints,
        moves=charter.moves,
        dice=charter.dice,
        clock=charter.clock,
        spectator_delay=charter.spectator_delay,
        chat=charter.chat,
        language=charter.language,
        rated=charter.rated,
    )
