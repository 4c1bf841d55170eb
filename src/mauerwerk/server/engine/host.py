"""The host of tables: what can be asked of it, for all tables of a store.

    host = Host(store)
    await host.open()
    table = await host.create(order, guest)
    receipt = await host.move(table.charter.id, Seat(0), "T", version=3, key="…")

Each table in use is a live table (`live_tables`). A request that changes a table answers with a
receipt, which holds the table that it led to.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from typing import Any, Final, TypeVar, cast
from weakref import WeakValueDictionary

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat
from mauerwerk.core.language import listed
from mauerwerk.games import GAMES, is_current
from mauerwerk.server.database import rows
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.uptime import Uptime
from mauerwerk.server.engine import audience, workers
from mauerwerk.server.engine.attendant import Attendant
from mauerwerk.server.engine.blocklist import Blocklist
from mauerwerk.server.engine.events import (
    AuditLogGrew,
    EntriesStored,
    Events,
    GameEnded,
    TableChanged,
)
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.live_tables import LiveTable, LiveTables
from mauerwerk.server.engine.snapshot import Receipt, Snapshot
from mauerwerk.server.keys import Keys, new_id, new_seed
from mauerwerk.server.tables import errors, notices, requests
from mauerwerk.server.tables.charter import Chair, Guest, Order, charter_for, house_rules_of, shared
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.requests import PendingEntries, Submission
from mauerwerk.server.tables.table import Card, Status, Table, Viewer
from mauerwerk.server.tables.transcript import transcript

MISSED_AT_ONCE: Final = 100
"""The notices that a viewer who missed many is told at once."""

HINT_SECONDS: Final = 1.0

S = TypeVar("S")

Write = Callable[[PendingEntries], object]
"""Looks at a table, and adds entries or refuses."""


class Host:
    """All tables of one store, as one process sees them."""

    def __init__(
        self,
        store: Store,
        *,
        bot_workers: int = 1,
        limits: HostLimits | None = None,
        clock: Callable[[], float] = time.time,
        bots: workers.BotWorkers | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or HostLimits()
        self.clock = clock
        self.events = Events()
        self.keys = Keys(b"")
        self.blocklist = Blocklist(clock=clock)
        self.closed = False
        """Whether nobody may open new tables."""

        self.bots = bots or workers.BotWorkers(bot_workers, self.limits)
        self.live_tables = LiveTables(store, self.limits)
        self._services: dict[type[Any], Any] = {}
        self._started = AsyncExitStack()
        self._uptime = Uptime(store, self.now)
        self._ordering: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Guests whose tables are being set up."""

        self._attendant = Attendant(
            self.live_tables,
            self.bots,
            self.submit,
            self.events,
            clock,
            self.limits.bot_delay_alone,
        )

    # --- Features ----------------------------------------------------------------------------

    def add_service(self, service: object) -> None:
        """Let others find what a feature does here, by its type."""
        self._services[type(service)] = service

    def service(self, kind: type[S]) -> S:
        """What a feature does here. Raises KeyError if it has not been started."""
        found: S = self._services[kind]
        return found

    async def open(self) -> None:
        """Open the store, start the services, and resume tables that wait for a bot or a clock."""
        await self.store.open()
        self.store.on_audit = lambda: self.events.publish_and_wait(AuditLogGrew())
        self.keys = Keys(await self.store.secret())
        await self._uptime.begin()
        for service in self._services.values():
            if isinstance(service, AbstractAsyncContextManager):
                await self._started.enter_async_context(
                    cast("AbstractAsyncContextManager[object]", service)
                )
        self._attendant.begin(self.store)

    async def close(self) -> None:
        """Finish what was begun, end all streams, close the store."""
        await self._started.aclose()
        await self._attendant.end()
        for live in self.live_tables:
            live.audience.close()
        self.bots.close()
        await self._uptime.end()
        await self.store.close()

    # --- Tables ------------------------------------------------------------------------------

    async def create(self, order: Order, guest: Guest) -> Table:
        """Set up a table."""
        sitting = dict.fromkeys(order.mine, guest)
        return await self.create_at(new_id(), order, sitting, guest)

    async def create_at(
        self,
        table: str,
        order: Order,
        sitting: Mapping[Seat, Guest],
        guest: Guest,
        before: str = "",
    ) -> Table:
        """Set up a table with this id, at which these guests sit.

        Raises OvertakenError, ClosedError, TooManyError, RequestError or OrderError.
        """
        if self.closed:
            raise errors.ClosedError
        seed = new_seed()
        charter = charter_for(order, table, seed, self.now(), before=before, opener=guest.id)
        if (changed := house_rules_of(charter)) and not self.limits.house_rules:
            told = listed([f"{name}={word}" for name, word in changed.items()])
            raise errors.OrderError(errors.Obstacle.HOUSE_RULES, options=told)
        if all(chair.kind == "bot" for chair in charter.chairs):
            self._check_bot_tables(guest)
        made = requests.set_up(charter, seed, sitting)
        # One at a time, or a guest who orders many at once gets more than are allowed.
        async with self._ordering.setdefault(guest.id, asyncio.Lock()):
            await self._check_room(guest)
            began = time.perf_counter()
            card, owners = made.table.card(), made.table.owners
            await self.store.put(rows.creation(charter, seed, made.entries, card, owners))
            self.events.publish(EntriesStored(made.entries, time.perf_counter() - began))
        live = self.live_tables.put(made.table, seed)
        self._attendant.attend(live)
        return live.table

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

    async def seats_of(
        self, guest: Guest | None, cards: Sequence[Card]
    ) -> Mapping[str, tuple[Seat, ...]]:
        """The seats of a guest at these tables. A name would not tell: others may share it."""
        since = min((card.changed for card in cards), default=None)
        if guest is None or since is None:
            return {}
        return await self.store.seats_of(guest.id, since=since)

    async def record(self, table: str) -> str:
        """The transcript of a finished game."""
        text = await self.store.record(table)
        if text is None:
            await self.table(table)
            raise errors.RequestError(errors.Reason.RECORD_BEFORE_END)
        return text

    # --- Requests to tables ------------------------------------------------------------------

    # Requests to one table are taken one after the other. What a request writes is told to viewers
    # only once the store has it. If another process was faster, the store says so, and the request
    # is tried again on the table as it is then.

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
                    if pause := self._uptime.missed(live.table):
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
        self.attend(live)
        if left:
            raise asyncio.CancelledError
        return True

    # --- Looking -----------------------------------------------------------------------------

    async def snapshot(self, table: str) -> Snapshot:
        """The table as it stands. Raises NoTableError."""
        return (await self.live_tables.fresh(table)).snapshot()

    async def known_snapshot(self, table: str) -> Snapshot:
        """The table as this process knows it; others may have written. Raises NoTableError."""
        return (await self.live_tables.at(table)).snapshot()

    async def table(self, table: str) -> Table:
        """The table as it stands, for requests that need no more. Raises NoTableError."""
        return (await self.live_tables.fresh(table)).table

    async def subscribe(  # noqa: PLR0913 - who watches what, from when on, and as whom
        self,
        table: str,
        viewer: Viewer,
        *,
        after: int | None,
        looks: Seat | None = None,
        watcher: audience.Watcher | None = None,
        shows: bool = False,
    ) -> audience.Subscription:
        """What this viewer is told from now on; first, what they missed since that number.

        Bots wait for a seat that looks, on a page that says when it goes on (`go_on`). A watcher
        does not play here, and is told what spectators may know. What `shows` the table to a whole
        room is known to its players.
        """
        live = await self.live_tables.fresh(table)
        seen = live.snapshot() if watcher is None else live.snapshot().from_outside()
        told = seen.table.number(viewer) if after is None else after
        missed = notices.pages(seen.table, viewer, after=told, most=MISSED_AT_ONCE)
        return live.audience.join(
            seen, viewer, missed, looks, live.holds.release, watcher, shows=shows
        )

    async def go_on(self, table: str, seat: Seat, number: int) -> None:
        """A page of this seat has shown all that the seat was told up to that number."""
        live = await self.live_tables.fresh(table)
        live.holds.go_on(live.table, seat, number)

    def present(self) -> frozenset[str]:
        """The guests at whose seats somebody looks on."""
        return frozenset(
            live.table.owners[viewer]
            for live in self.live_tables
            for viewer in live.audience.viewers
            if viewer is not None
        ) - {""}

    def openers(self) -> Mapping[str, int]:
        """How many tables in memory each guest opened."""
        return Counter(live.table.charter.opener for live in self.live_tables)

    # --- Coming and going --------------------------------------------------------------------

    async def sit(self, table: str, seat: Seat | None, guest: Guest, key: str = "") -> Receipt:
        """Take an open seat: this one, or any."""
        request = Submission(guest.id, frozenset({Kind.SIT}), key)
        return await self.submit(table, request, lambda it: requests.sit(it, seat, guest))

    async def claim(self, table: str, seat: Seat, guest: Guest) -> Receipt:
        """Take a seat, or come back to it, by its own link."""
        request = Submission(seat, frozenset({Kind.SIT, Kind.BACK}))
        return await self.submit(table, request, lambda it: requests.claim(it, seat, guest))

    async def put_bot(self, table: str, seat: Seat, level: str) -> Receipt:
        """Let a bot have a seat that is still free before the game."""
        request = Submission("", frozenset({Kind.BOT}))
        return await self.submit(table, request, lambda it: requests.put_bot(it, seat, level))

    async def stand(
        self, table: str, seat: Seat, key: str = "", *, tenure: int | None = None
    ) -> Receipt:
        """Leave the seat."""
        request = Submission(seat, frozenset({Kind.STAND, Kind.BOT}), key, tenure=tenure)
        return await self.submit(table, request, lambda it: requests.stand(it, seat))

    async def hand_over(
        self, table: str, seat: Seat, level: str, key: str = "", *, tenure: int | None = None
    ) -> Receipt:
        """Let a bot play for this seat."""
        request = Submission(seat, frozenset({Kind.AWAY}), key, level, tenure=tenure)
        return await self.submit(table, request, lambda it: requests.hand_over(it, seat, level))

    async def come_back(
        self, table: str, seat: Seat, key: str = "", *, tenure: int | None = None
    ) -> Receipt:
        """Let the owner of the seat play again."""
        request = Submission(seat, frozenset({Kind.BACK}), key, tenure=tenure)
        return await self.submit(table, request, lambda it: requests.come_back(it, seat))

    async def rest(
        self, table: str, seat: Seat, key: str = "", *, tenure: int | None = None
    ) -> Receipt:
        """Take a day off."""
        request = Submission(seat, frozenset({Kind.REST}), key, tenure=tenure)
        return await self.submit(table, request, lambda it: requests.rest(it, seat))

    # A seat may change hands while a request waits for its turn: `tenure` is how often it had
    # changed hands when the caller was found to be its owner.

    # --- Playing -----------------------------------------------------------------------------

    async def move(  # noqa: PLR0913 - who, where, what, when, and once
        self,
        table: str,
        seat: Seat,
        word: str,
        version: int,
        key: str,
        *,
        tenure: int | None = None,
    ) -> Receipt:
        """Play a word in answer to what the seat was told up to that number."""
        request = Submission(seat, frozenset({Kind.MOVE}), key, word, version, tenure)
        return await self.submit(table, request, lambda it: requests.move(it, seat, word, version))

    async def enter(  # noqa: PLR0913 - who, where, what, when, and once
        self,
        table: str,
        seat: Seat,
        word: str,
        version: int,
        key: str,
        *,
        tenure: int | None = None,
    ) -> Receipt:
        """Enter what nature did at the table where this seat is: a roll, a lot, a card."""
        guest = (await self.table(table)).occupants[seat].guest
        request = Submission(guest, frozenset({Kind.MOVE}), key, word, version, tenure, seat)
        return await self.submit(table, request, lambda it: requests.enter(it, seat, word, version))

    async def undo(
        self, table: str, seat: Seat, version: int, key: str, *, tenure: int | None = None
    ) -> Receipt:
        """Take back the seat's last move, or ask the others whether it may."""
        request = Submission(
            seat, frozenset({Kind.UNDO, Kind.ASK}), key, version=version, tenure=tenure
        )
        return await self.submit(table, request, lambda it: requests.take_back(it, seat, version))

    async def consent(
        self, table: str, seat: Seat, *, agree: bool, key: str = "", tenure: int | None = None
    ) -> Receipt:
        """Say whether a move may be taken back; the seat that asked may withdraw the question."""
        request = Submission(
            seat, frozenset({Kind.AGREE if agree else Kind.REFUSE}), key, tenure=tenure
        )
        return await self.submit(table, request, lambda it: requests.consent(it, seat, agree=agree))

    async def hints(
        self, table: Table, seat: Seat, language: str = "en", seconds: float = HINT_SECONDS
    ) -> tuple[Hint, ...]:
        """What a strong bot would do, in words of this language; without time, a quick one."""
        if not table.charter.hints:
            raise errors.RequestError(errors.Reason.NO_HINTS)
        if seat not in table.waiting:
            raise errors.RequestError(errors.Reason.NOTHING_TO_DECIDE, seat=seat)
        return await self.bots.advise(table, seat, seconds, language)

    async def rematch(
        self, table: str, guest: Guest, joining: Mapping[Seat, Guest] | None = None
    ) -> str:
        """The id of the rematch, with the same people; the first who asks sets it up.

        Those who join take over the seats of bots.
        """
        old = await self.table(table)
        if old.rematch:
            return old.rematch
        if old.status is not Status.OVER:
            raise errors.RequestError(errors.Reason.REMATCH_BEFORE_END)
        if old.charter.moves and not is_current(old.game):
            # What it began with was played by other rules than those of a new table.
            present = GAMES[old.charter.game].RULES
            raise errors.OtherRulesError(old.charter.game, old.charter.rules, present)
        again = self.keys.rematch_id(old)
        sitting = {
            Seat(seat): Guest(guest, old.occupants[seat].name)
            for seat, guest in enumerate(old.owners)
            if guest
        }
        joining = {
            seat: each
            for seat, each in (joining or {}).items()
            if seat not in sitting and each.id not in old.owners
        }
        order = same_again(old, joining)
        with suppress(OvertakenError):
            await self.create_at(again, order, {**sitting, **joining}, guest, before=table)
        request = Submission(guest.id, frozenset({Kind.REMATCH}))
        await self.submit(table, request, lambda it: requests.rematch(it, again))
        return again

    def attend(self, live: LiveTable) -> None:
        """A table has changed: tell the features, then let bots and clocks go on."""
        self.events.publish(TableChanged(live))
        if live.table.status is Status.OVER:
            self.events.publish(GameEnded(live.table))
        live.attended = live.table.seq
        self._attendant.attend(live)

    def now(self) -> int:
        """The time by the host's clock, in milliseconds since 1970."""
        return int(self.clock() * 1_000)


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
