"""The host of tables: what can be asked of it, for all tables of a store.

    host = Host(store)
    await host.open()
    table = await host.create(order, guest)
    receipt = await host.move(table.charter.id, Seat(0), "T", version=3, key="…")

Each table in use is a live table (`live_tables`); `submissions` carries out requests to it. A
request that changes a table answers with a receipt, which holds the table that it led to.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from typing import Any, Final, TypeVar, cast

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES, is_current
from mauerwerk.server.database.errors import OvertakenError
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.uptime import Uptime
from mauerwerk.server.engine import audience, workers
from mauerwerk.server.engine.attendant import Attendant
from mauerwerk.server.engine.blocklist import Blocklist
from mauerwerk.server.engine.events import AuditLogGrew, Events, GameEnded, TableChanged
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.live_tables import LiveTable, LiveTables
from mauerwerk.server.engine.snapshot import Receipt, Snapshot
from mauerwerk.server.engine.submissions import Submissions, same_again
from mauerwerk.server.keys import Keys, new_id
from mauerwerk.server.tables import notices, requests
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.tables.errors import ClosedError, OtherRulesError, Reason, RequestError
from mauerwerk.server.tables.log import Ending, Kind
from mauerwerk.server.tables.requests import Submission
from mauerwerk.server.tables.table import Card, Status, Table, Viewer

MISSED_AT_ONCE: Final = 100
"""The notices that a viewer who missed many is told at once."""

HINT_SECONDS: Final = 1.0

S = TypeVar("S")


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
        self._submissions = Submissions(
            store,
            self.live_tables,
            self.limits,
            self.events,
            self.attend,
            self.now,
            self._uptime.missed,
        )
        self.submit = self._submissions.submit
        """Carries out a request to a table."""

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
        self.store.on_audit(lambda: self.events.publish_and_wait(AuditLogGrew()))
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
        """Set up a table with this id, at which these guests sit. Raises OvertakenError."""
        if self.closed:
            raise ClosedError
        live = await self._submissions.create(order, sitting, guest, table, before)
        self._attendant.attend(live)
        return live.table

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
            raise RequestError(Reason.RECORD_BEFORE_END)
        return text

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

    async def watchers(self, table: str) -> tuple[audience.Watcher, ...]:
        """Who watches a table at this server. Raises NoTableError."""
        return (await self.live_tables.at(table)).audience.watchers

    async def has_screen(self, table: str) -> bool:
        """Whether a screen shows a table to a whole room. Raises NoTableError."""
        return (await self.live_tables.at(table)).audience.has_screen

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

    async def end(self, table: str, why: Ending) -> Receipt:
        """End the game without a winner; what was played so far can be replayed."""
        request = Submission("", frozenset({Kind.END}))
        return await self.submit(table, request, lambda it: requests.end(it, why))

    async def hints(
        self, table: Table, seat: Seat, language: str = "en", seconds: float = HINT_SECONDS
    ) -> tuple[Hint, ...]:
        """What a strong bot would do, in words of this language; without time, a quick one."""
        if not table.charter.hints:
            raise RequestError(Reason.NO_HINTS)
        if seat not in table.waiting:
            raise RequestError(Reason.NOTHING_TO_DECIDE, seat=seat)
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
            raise RequestError(Reason.REMATCH_BEFORE_END)
        if old.charter.moves and not is_current(old.game):
            # What it began with was played by other rules than those of a new table.
            present = GAMES[old.charter.game].RULES
            raise OtherRulesError(old.charter.game, old.charter.rules, present)
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
