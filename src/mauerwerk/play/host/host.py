"""The host of tables: it takes requests, stores what they lead to, and then tells the viewers.

    host = Host(store)
    await host.open()
    table = await host.create(order, guest)
    await host.move(table.charter.id, Seat(0), "T", version=3, key="…")

Each table in use is a live table. Requests to one table are taken one after the other; what they
write is told to anybody only once the store has it. Where another process was faster, the store
says so, and the request is looked at again on the table as it is then.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat, Value
from mauerwerk.play.fairness.keys import Keys, new_id
from mauerwerk.play.fairness.seed import new_seed
from mauerwerk.play.fairness.transcript import transcript
from mauerwerk.play.host.analyses import Analyses
from mauerwerk.play.host.attendant import Attendant
from mauerwerk.play.host.audience import Subscription
from mauerwerk.play.host.bots import BotWorkers
from mauerwerk.play.host.live_tables import LiveTable, LiveTables
from mauerwerk.play.storage.store import OvertakenError, StorageError, Store
from mauerwerk.play.tables import requests
from mauerwerk.play.tables.entries import Card, Chair, Entry, Kind, Status
from mauerwerk.play.tables.errors import RequestError, TooManyError
from mauerwerk.play.tables.requests import Guest, Order, Request, Transaction
from mauerwerk.play.tables.sights import Notice, TableView, notices, table_view
from mauerwerk.play.tables.table import Table, Viewer

MOST_TABLES: Final = 50
"""So many unfinished tables a guest may have."""

HINT_SECONDS: Final = 1.0

CommitObserver = Callable[[Sequence[Entry], float], None]


class Receipt(Value):
    """The answer to a request: the number, for the seat that made it, of what it led to."""

    number: int


class Host:
    """All tables of one store, as one process sees them."""

    def __init__(
        self,
        store: Store,
        *,
        bot_workers: int = 1,
        analyses: Analyses | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing happens until it is opened."""
        self.store = store
        self.on_commit: CommitObserver | None = None
        """Called with what was written, and the seconds until it was on disk."""

        self.analyses = analyses or Analyses()
        self.keys = Keys(b"")
        self._clock = clock
        self._bot_workers = BotWorkers(bot_workers)
        self._live_tables = LiveTables(store)
        self._attendant = Attendant(self._live_tables, self._bot_workers, self._submit, clock)
        self._writing: set[asyncio.Task[Receipt]] = set()

    def compile_search(self) -> None:
        """Begin to compile what strong bots need, so that nobody waits for it later."""
        self._bot_workers.begin()

    async def open(self) -> None:
        """Open the store, and go on with every table that waits for a bot or a clock."""
        await self.store.open()
        self.keys = Keys(await self.store.secret())
        self._attendant.begin(self.store)

    async def close(self) -> None:
        """Finish what was begun, end all streams, close the store."""
        await self._attendant.end()
        await asyncio.gather(*self._writing, return_exceptions=True)
        for live in self._live_tables:
            live.audience.close()
        self._bot_workers.close()
        await asyncio.to_thread(self.analyses.close)
        await self.store.close()

    # --- Tables ------------------------------------------------------------------------------

    async def create(self, order: Order, guest: Guest) -> Table:
        """Set up a table."""
        sitting = dict.fromkeys(order.mine, guest)
        return await self._set_up(order, sitting, guest, new_id())

    async def _set_up(
        self,
        order: Order,
        sitting: dict[Seat, Guest],
        guest: Guest,
        table_id: str,
        *,
        before: str = "",
    ) -> Table:
        seed = new_seed()
        charter = requests.charter_for(
            order, table_id, seed, self._now(), before=before, opener=guest.id
        )
        theirs = await self.store.tables_of(guest.id, before=None, most=2 * MOST_TABLES)
        if sum(card.status is not Status.OVER for card in theirs) >= MOST_TABLES:
            raise TooManyError(f"you have {MOST_TABLES} tables already; finish or leave one first")
        transaction = requests.set_up(charter, seed, sitting)
        table = transaction.table
        entries = transaction.entries
        creating = self.store.create(charter, seed, entries, table.card(), table.owners)
        await self._commit(creating, entries)
        live = self._live_tables.put(table, seed)
        self._attendant.attend(live)
        return table

    async def table(self, table: str) -> Table:
        """The table as it stands. Raises NoTableError."""
        return (await self._live_tables.fresh(table)).table

    async def lobby(self, status: Status, *, before: int | None, most: int) -> tuple[Card, ...]:
        """Public tables, the last changed first."""
        return await self.store.lobby(status, before=before, most=most)

    async def tables_of(self, guest: Guest, *, before: int | None, most: int) -> tuple[Card, ...]:
        """The tables at which a guest has a seat, the last changed first."""
        return await self.store.tables_of(guest.id, before=before, most=most)

    async def record(self, table: str) -> str:
        """A finished game on paper."""
        text = await self.store.record(table)
        if text is None:
            await self.table(table)
            raise RequestError("the record is written when the game is over")
        return text

    # --- Looking -----------------------------------------------------------------------------

    async def table_view(self, table: str, viewer: Viewer) -> TableView:
        """The table as this viewer sees it now."""
        live = await self._live_tables.fresh(table)
        return table_view(live.table, viewer, live.seed)

    async def story(self, table: str, viewer: Viewer, *, after: int = 0) -> tuple[Notice, ...]:
        """What this viewer was told beyond that number, less what is told only once."""
        return notices((await self._live_tables.fresh(table)).table, viewer, after=after)

    async def subscribe(self, table: str, viewer: Viewer, *, after: int | None) -> Subscription:
        """What this viewer is told from now on; first, what they missed since that number."""
        live = await self._live_tables.fresh(table)
        missed = () if after is None else notices(live.table, viewer, after=after)
        return live.audience.join(viewer, missed)

    def streams(self) -> int:
        """How many are subscribed."""
        return sum(len(live.audience) for live in self._live_tables)

    async def present(self, table: str) -> tuple[Seat, ...]:
        """The seats for which somebody watches here."""
        return (await self._live_tables.at(table)).audience.seats()

    # --- Coming and going --------------------------------------------------------------------

    async def sit(self, table: str, seat: Seat | None, guest: Guest, key: str = "") -> Receipt:
        """Take an open seat: this one, or any."""
        request = Request(guest.id, frozenset({Kind.SIT}), key)
        return await self._submit(
            table, request, lambda transaction: requests.sit(transaction, seat, guest)
        )

    async def claim(self, table: str, seat: Seat, guest: Guest) -> Receipt:
        """Come by a seat's own link."""
        request = Request(seat, frozenset({Kind.SIT, Kind.BACK}))
        return await self._submit(
            table, request, lambda transaction: requests.claim(transaction, seat, guest)
        )

    async def stand(
        self, table: str, seat: Seat, key: str = "", *, tenure: int | None = None
    ) -> Receipt:
        """Leave the seat."""
        request = Request(seat, frozenset({Kind.STAND, Kind.BOT}), key, tenure=tenure)
        return await self._submit(
            table, request, lambda transaction: requests.stand(transaction, seat)
        )

    async def hand_over(
        self, table: str, seat: Seat, level: str, key: str = "", *, tenure: int | None = None
    ) -> Receipt:
        """Let a bot play for this seat."""
        request = Request(seat, frozenset({Kind.AWAY}), key, level, tenure=tenure)
        return await self._submit(
            table, request, lambda transaction: requests.hand_over(transaction, seat, level)
        )

    async def come_back(
        self, table: str, seat: Seat, key: str = "", *, tenure: int | None = None
    ) -> Receipt:
        """Play again oneself."""
        request = Request(seat, frozenset({Kind.BACK}), key, tenure=tenure)
        return await self._submit(
            table, request, lambda transaction: requests.come_back(transaction, seat)
        )

    # A seat may change hands while somebody waits for their turn: `tenure` is how often it had when
    # they were found to be its owner.

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
        request = Request(seat, frozenset({Kind.MOVE}), key, word, version, tenure)
        return await self._submit(
            table, request, lambda transaction: requests.move(transaction, seat, word, version)
        )

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
        request = Request(guest, frozenset({Kind.MOVE}), key, word, version, tenure, seat)
        return await self._submit(
            table, request, lambda transaction: requests.enter(transaction, seat, word, version)
        )

    async def undo(
        self, table: str, seat: Seat, version: int, key: str, *, tenure: int | None = None
    ) -> Receipt:
        """Take back the seat's last move, or ask the others whether it may."""
        request = Request(
            seat, frozenset({Kind.UNDO, Kind.ASK}), key, version=version, tenure=tenure
        )
        return await self._submit(
            table, request, lambda transaction: requests.take_back(transaction, seat, version)
        )

    async def consent(
        self, table: str, seat: Seat, *, agree: bool, key: str = "", tenure: int | None = None
    ) -> Receipt:
        """Say whether somebody may take back their move; who asked may think better of it."""
        request = Request(
            seat, frozenset({Kind.AGREE if agree else Kind.REFUSE}), key, tenure=tenure
        )
        return await self._submit(
            table, request, lambda transaction: requests.consent(transaction, seat, agree=agree)
        )

    async def hints(self, table: str, seat: Seat, language: str = "en") -> tuple[Hint, ...]:
        """What a strong bot would do, in words of this language."""
        now = await self.table(table)
        if not now.charter.hints:
            raise RequestError("this table plays without hints")
        if seat not in now.waiting:
            raise RequestError(f"seat {seat} has nothing to decide")
        return await self._bot_workers.advise(now, seat, HINT_SECONDS, language)

    async def rematch(self, table: str, guest: Guest) -> str:
        """The table of the rematch, with the same people, set up by whoever asks first."""
        old = await self.table(table)
        if old.rematch:
            return old.rematch
        if old.status is not Status.OVER:
            raise RequestError("a rematch comes after the game")
        again = self.keys.rematch_id(old)
        sitting = {
            Seat(seat): Guest(occupant.guest, occupant.name)
            for seat, occupant in enumerate(old.occupants)
            if occupant.guest
        }
        with suppress(OvertakenError):
            await self._set_up(_same(old), sitting, guest, again, before=table)
        request = Request(guest.id, frozenset({Kind.REMATCH}))
        await self._submit(table, request, lambda transaction: requests.rematch(transaction, again))
        return again

    # --- Requests ----------------------------------------------------------------------------

    async def _submit(
        self, table: str, request: Request, write: Callable[[Transaction], object]
    ) -> Receipt:
        """Do what is asked, once. It is finished even if whoever asked does not wait for it."""
        task = asyncio.ensure_future(self._written(table, request, write))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    async def _written(
        self, table: str, request: Request, write: Callable[[Transaction], object]
    ) -> Receipt:
        async with self._live_tables.taken(table) as live:
            while True:
                if live.doubtful:
                    await self._live_tables.catch_up(live)
                number = requests.answered(live.table, request)
                if number is not None:
                    return Receipt(number)
                requests.check_tenure(live.table, request)
                transaction = Transaction(live.table, live.seed, self._now(), request.key)
                write(transaction)
                if not transaction.entries:
                    return Receipt(live.table.number(request.viewer))
                if await self._stored(live, transaction):
                    break
        made = next(
            (entry for entry in transaction.entries if entry.kind in request.kinds),
            transaction.entries[0],
        )
        told = made.seat if request.viewer is None else request.viewer
        return Receipt(transaction.table.number_of(made.seq, told))

    async def _stored(self, live: LiveTable, transaction: Transaction) -> bool:
        """Whether the entries are in the log now, and so told; if not, the table has moved on."""
        table = transaction.table
        over = table.status is Status.OVER and live.table.status is not Status.OVER
        text = transcript(table, live.seed) if over else None
        try:
            entries = transaction.entries
            appending = self.store.append(
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
        self._attendant.attend(live)
        return True

    async def _commit(self, writing: Awaitable[None], entries: Sequence[Entry]) -> None:
        """Wait until the store has the entries, and report how long that took."""
        began = time.perf_counter()
        await writing
        if self.on_commit:
            self.on_commit(entries, time.perf_counter() - began)

    def _now(self) -> int:
        return int(self._clock() * 1_000)


def _same(table: Table) -> Order:
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
        pace=charter.pace,
        tempo=charter.tempo,
        hints=charter.hints,
        moves=charter.moves,
        chance=charter.chance,
    )
