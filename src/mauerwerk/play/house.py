"""The house where tables stand: takes requests, stores what they lead to, and then tells everybody.

    house = House(store)
    await house.open()
    table = await house.create(order, guest)
    await house.move(table.charter.id, Seat(0), "T", answers=3, key="…")

Each table has a desk. Requests to one table are taken one after the other; what they write is told
to anybody only once the store has it. Where another process was faster, the store says so, and the
request is looked at again on the table as it is then.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from typing import Final

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat, Value
from mauerwerk.play import requests
from mauerwerk.play.analyses import Analyses
from mauerwerk.play.attendant import Attendant
from mauerwerk.play.audience import Subscription
from mauerwerk.play.desks import Desk, Desks
from mauerwerk.play.entries import Card, Chair, Kind, Status
from mauerwerk.play.errors import RequestError, TooManyError
from mauerwerk.play.fairness import new_seed
from mauerwerk.play.keys import Keys, new_id
from mauerwerk.play.paper import paper
from mauerwerk.play.requests import Asked, Guest, Order, Pen
from mauerwerk.play.sights import Notice, Scene, notices, scene
from mauerwerk.play.store import OvertakenError, StorageError, Store
from mauerwerk.play.table import Table, Viewer
from mauerwerk.play.thinking import Thinkers

MOST_TABLES: Final = 50
"""So many unfinished tables a guest may have."""

HINT_SECONDS: Final = 1.0


class Receipt(Value):
    """The answer to a request: the number, for the seat that made it, of what it led to."""

    number: int


class House:
    """All tables of one store, as one process sees them."""

    def __init__(
        self,
        store: Store,
        *,
        thinkers: int = 1,
        analyses: Analyses | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing happens until it is opened."""
        self.store = store
        self.analyses = analyses or Analyses()
        self.keys = Keys(b"")
        self._clock = clock
        self._thinkers = Thinkers(thinkers)
        self._desks = Desks(store)
        self._attendant = Attendant(self._desks, self._thinkers, self._request, clock)
        self._writing: set[asyncio.Task[Receipt]] = set()

    def compile_search(self) -> None:
        """Begin to compile what strong bots need, so that nobody waits for it later."""
        self._thinkers.begin()

    async def open(self) -> None:
        """Open the store, and go on with every table that waits for a bot or a clock."""
        await self.store.open()
        self.keys = Keys(await self.store.secret())
        self._attendant.begin(self.store)

    async def close(self) -> None:
        """Finish what was begun, end all streams, close the store."""
        await self._attendant.end()
        await asyncio.gather(*self._writing, return_exceptions=True)
        for desk in self._desks:
            desk.audience.close()
        self._thinkers.close()
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
        pen = requests.set_up(charter, seed, sitting)
        table = pen.table
        await self.store.create(charter, seed, pen.entries, table.card(), table.owners)
        desk = self._desks.put(table, seed)
        self._attendant.attend(desk)
        return table

    async def table(self, table: str) -> Table:
        """The table as it stands. Raises NoTableError."""
        return (await self._desks.fresh(table)).table

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

    async def scene(self, table: str, viewer: Viewer) -> Scene:
        """The table as this viewer sees it now."""
        desk = await self._desks.fresh(table)
        return scene(desk.table, viewer, desk.seed)

    async def story(self, table: str, viewer: Viewer, *, after: int = 0) -> tuple[Notice, ...]:
        """What this viewer was told beyond that number, less what is told only once."""
        return notices((await self._desks.fresh(table)).table, viewer, after=after)

    async def subscribe(self, table: str, viewer: Viewer, *, after: int | None) -> Subscription:
        """What this viewer is told from now on; first, what they missed since that number."""
        desk = await self._desks.fresh(table)
        missed = () if after is None else notices(desk.table, viewer, after=after)
        return desk.audience.join(viewer, missed)

    def streams(self) -> int:
        """How many are subscribed."""
        return sum(len(desk.audience) for desk in self._desks)

    async def present(self, table: str) -> tuple[Seat, ...]:
        """The seats for which somebody watches here."""
        return (await self._desks.at(table)).audience.seats()

    # --- Coming and going --------------------------------------------------------------------

    async def sit(self, table: str, seat: Seat | None, guest: Guest, key: str = "") -> Receipt:
        """Take an open seat: this one, or any."""
        asked = Asked(guest.id, frozenset({Kind.SIT}), key)
        return await self._request(table, asked, lambda pen: requests.sit(pen, seat, guest))

    async def claim(self, table: str, seat: Seat, guest: Guest) -> Receipt:
        """Come by a seat's own link."""
        asked = Asked(seat, frozenset({Kind.SIT, Kind.BACK}))
        return await self._request(table, asked, lambda pen: requests.claim(pen, seat, guest))

    async def stand(
        self, table: str, seat: Seat, key: str = "", *, hands: int | None = None
    ) -> Receipt:
        """Leave the seat."""
        asked = Asked(seat, frozenset({Kind.STAND, Kind.BOT}), key, hands=hands)
        return await self._request(table, asked, lambda pen: requests.stand(pen, seat))

    async def hand_over(
        self, table: str, seat: Seat, level: str, key: str = "", *, hands: int | None = None
    ) -> Receipt:
        """Let a bot play for this seat."""
        asked = Asked(seat, frozenset({Kind.AWAY}), key, level, hands=hands)
        return await self._request(table, asked, lambda pen: requests.hand_over(pen, seat, level))

    async def come_back(
        self, table: str, seat: Seat, key: str = "", *, hands: int | None = None
    ) -> Receipt:
        """Play again oneself."""
        asked = Asked(seat, frozenset({Kind.BACK}), key, hands=hands)
        return await self._request(table, asked, lambda pen: requests.come_back(pen, seat))

    # A seat may change hands while somebody waits for their turn: `hands` is how often it had when
    # they were found to be its owner.

    # --- Playing -----------------------------------------------------------------------------

    async def move(  # noqa: PLR0913 - who, where, what, when, and once
        self,
        table: str,
        seat: Seat,
        word: str,
        answers: int,
        key: str,
        *,
        hands: int | None = None,
    ) -> Receipt:
        """Play a word in answer to what the seat was told up to that number."""
        asked = Asked(seat, frozenset({Kind.MOVE}), key, word, answers, hands)
        return await self._request(
            table, asked, lambda pen: requests.move(pen, seat, word, answers)
        )

    async def enter(  # noqa: PLR0913 - who, where, what, when, and once
        self,
        table: str,
        seat: Seat,
        word: str,
        answers: int,
        key: str,
        *,
        hands: int | None = None,
    ) -> Receipt:
        """Enter what nature did at the table where this seat is: a roll, a lot, a card."""
        guest = (await self.table(table)).sitters[seat].guest
        asked = Asked(guest, frozenset({Kind.MOVE}), key, word, answers, hands, seat)
        return await self._request(
            table, asked, lambda pen: requests.enter(pen, seat, word, answers)
        )

    async def undo(
        self, table: str, seat: Seat, answers: int, key: str, *, hands: int | None = None
    ) -> Receipt:
        """Take back the seat's last move, or ask the others whether it may."""
        asked = Asked(seat, frozenset({Kind.UNDO, Kind.ASK}), key, answers=answers, hands=hands)
        return await self._request(table, asked, lambda pen: requests.take_back(pen, seat, answers))

    async def consent(
        self, table: str, seat: Seat, *, agree: bool, key: str = "", hands: int | None = None
    ) -> Receipt:
        """Say whether somebody may take back their move; who asked may think better of it."""
        asked = Asked(seat, frozenset({Kind.AGREE if agree else Kind.REFUSE}), key, hands=hands)
        return await self._request(
            table, asked, lambda pen: requests.consent(pen, seat, agree=agree)
        )

    async def hints(self, table: str, seat: Seat, tongue: str = "en") -> tuple[Hint, ...]:
        """What a strong bot would do, in words of this language."""
        now = await self.table(table)
        if not now.charter.hints:
            raise RequestError("this table plays without hints")
        if seat not in now.waiting:
            raise RequestError(f"seat {seat} has nothing to decide")
        try:
            return await self._thinkers.advise(now, seat, HINT_SECONDS, tongue)
        except (BrokenExecutor, TimeoutError):
            raise TooManyError("nobody has time for advice right now; ask again") from None

    async def rematch(self, table: str, guest: Guest) -> str:
        """The table of the rematch, with the same people, set up by whoever asks first."""
        old = await self.table(table)
        if old.rematch:
            return old.rematch
        if old.status is not Status.OVER:
            raise RequestError("a rematch comes after the game")
        again = self.keys.rematch_id(old)
        sitting = {
            Seat(seat): Guest(sitter.guest, sitter.name)
            for seat, sitter in enumerate(old.sitters)
            if sitter.guest
        }
        with suppress(OvertakenError):
            await self._set_up(_same(old), sitting, guest, again, before=table)
        asked = Asked(guest.id, frozenset({Kind.REMATCH}))
        await self._request(table, asked, lambda pen: requests.rematch(pen, again))
        return again

    # --- Requests ----------------------------------------------------------------------------

    async def _request(self, table: str, asked: Asked, write: Callable[[Pen], object]) -> Receipt:
        """Do what is asked, once. It is finished even if whoever asked does not wait for it."""
        task = asyncio.ensure_future(self._written(table, asked, write))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    async def _written(self, table: str, asked: Asked, write: Callable[[Pen], object]) -> Receipt:
        async with self._desks.taken(table) as desk:
            while True:
                if desk.doubtful:
                    await self._desks.catch_up(desk)
                number = requests.answered(desk.table, asked)
                if number is not None:
                    return Receipt(number)
                requests.check_hands(desk.table, asked)
                pen = Pen(desk.table, desk.seed, self._now(), asked.key)
                write(pen)
                if not pen.entries:
                    return Receipt(desk.table.number(asked.viewer))
                if await self._stored(desk, pen):
                    break
        made = next((entry for entry in pen.entries if entry.kind in asked.kinds), pen.entries[0])
        told = made.seat if asked.viewer is None else asked.viewer
        return Receipt(pen.table.number_of(made.seq, told))

    async def _stored(self, desk: Desk, pen: Pen) -> bool:
        """Whether the entries are in the log now, and so told; if not, the table has moved on."""
        table = pen.table
        over = table.status is Status.OVER and desk.table.status is not Status.OVER
        text = paper(table, desk.seed) if over else None
        try:
            await self.store.append(table.charter.id, pen.entries, table.card(), table.owners, text)
        except OvertakenError as fault:
            known = desk.table.seq
            await self._desks.catch_up(desk)
            if desk.table.seq == known:
                raise StorageError("the store takes nothing that follows its own log") from fault
            return False
        except BaseException:
            desk.doubtful = True
            raise
        desk.advance(table)
        self._attendant.attend(desk)
        return True

    def _now(self) -> int:
        return int(self._clock() * 1_000)


def _same(table: Table) -> Order:
    """The order for a table like this one."""
    charter = table.charter
    chairs = tuple(
        Chair("bot", sitter.level) if sitter.level and not sitter.guest else chair
        for chair, sitter in zip(charter.chairs, table.sitters, strict=True)
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
