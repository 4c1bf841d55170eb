"""Stores that fail, tables that cannot be read, too many tables at hand: play goes on."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import msgspec
import pytest
from tests.support.driven_table import ADA, SEED, start_table
from tests.support.hosts import (
    PATIENCE,
    begun,
    folder,
    heard,
    kept_words,
    opened,
    play,
    quick_bots,
    set_up,
    until,
    with_features,
    words_of,
)
from tests.support.moved_time import MovedTime, anyio_backend, clock
from tests.support.rows import card, charter

from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES
from mauerwerk.server.database import rows
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.sqlite import SQLiteStore
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.writer import Writing
from mauerwerk.server.engine import attendant
from mauerwerk.server.engine import host as host_module
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.live_tables import LiveTables
from mauerwerk.server.tables.errors import NotYoursError, OtherRulesError
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.requests import PendingEntries
from mauerwerk.server.tables.table import Card, Status

pytestmark = pytest.mark.anyio
__all__ = ["anyio_backend", "clock", "folder", "quick_bots"]


class FaultyStore(SQLiteStore):
    """A store that can fail, before it has written or after, or take nothing any more."""

    fails: str = ""

    def put(self, batch: rows.Batch) -> Writing:
        """Write it, or not."""
        if self.fails == "before":
            raise StorageError("the disk is full")
        if self.fails == "always":
            raise OvertakenError("these entries do not follow upon the last")
        appending = super().put(batch)
        if self.fails != "after":
            return appending
        failing = Writing()
        fault = StorageError("the connection broke in the last moment")
        appending.add_done_callback(lambda _: failing.set_exception(fault))
        return failing


@pytest.fixture
def store(tmp_path: Path) -> FaultyStore:
    """A store that fails when told to."""
    (tmp_path / "data").mkdir()
    return FaultyStore(tmp_path / "data" / "mauerwerk.db")


async def test_what_is_not_stored_is_not_acknowledged_nor_told(store: FaultyStore) -> None:
    """The table stays as it was, and goes on when the store works again."""
    async with opened(store) as host:
        table = await set_up(host)
        await play(host, table, "0:T")
        told = await host.subscribe(table, Seat(1), after=None)
        before = (await host.snapshot(table)).view(Seat(1))
        store.fails = "before"
        with pytest.raises(StorageError):
            await play(host, table, "1:4")
        assert (await host.snapshot(table)).view(Seat(1)) == before

        store.fails = ""
        await play(host, table, "1:6")

        assert await kept_words(store, table) == "0:T 1:6"
        assert [notice.seat for notice in await heard(told, 1)] == [1]


async def test_what_was_stored_without_an_answer_is_told_once(store: FaultyStore) -> None:
    """A request repeated with its key gets the receipt and is not carried out again."""
    async with opened(store) as host:
        table = await set_up(host)
        told = await host.subscribe(table, Seat(1), after=None)
        number = (await host.table(table)).number(Seat(0))
        store.fails = "after"
        with pytest.raises(StorageError):
            await host.move(table, Seat(0), "T", number, "k")
        store.fails = ""

        receipt = await host.move(table, Seat(0), "T", number, "k")
        await play(host, table, "1:4")

        assert await kept_words(store, table) == "0:T 1:4"
        notices = await heard(told, 2)
        assert [notice.number for notice in notices] == [receipt.number, receipt.number + 1]


async def test_a_store_that_takes_nothing_is_not_asked_for_ever(store: FaultyStore) -> None:
    """If a database was replaced under a running server, the request fails with an error."""
    async with opened(store) as host:
        table = await set_up(host)
        store.fails = "always"
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(StorageError):
                await play(host, table, "0:T")
        store.fails = ""

        await play(host, table, "0:T")
        assert await kept_words(store, table) == "0:T"


async def test_a_look_finds_what_was_stored_without_an_answer(store: FaultyStore) -> None:
    """The next look at the table shows the move, without another request for it."""
    async with opened(store) as host:
        table = await set_up(host)
        store.fails = "after"
        with pytest.raises(StorageError):
            await play(host, table, "0:T")
        store.fails = ""

        assert (await host.snapshot(table)).view(Seat(1)).seats[0].asked is False


@pytest.mark.usefixtures("quick_bots")
async def test_bots_go_on_once_the_store_does(
    store: FaultyStore, clock: MovedTime, caplog: pytest.LogCaptureFixture
) -> None:
    """A move of a bot that could not be stored is made again; the store itself says why, once."""
    async with opened(store, clock=clock) as host:
        table = await set_up(host, letters="hbb", bot_delay_ms=50)
        store.fails = "before"
        for _ in range(10):
            await clock.move(host, attendant.SWEEP)
        assert (await host.table(table)).plays == ()
        store.fails = ""
        while len((await host.table(table)).plays) < 2:
            await clock.move(host, attendant.SWEEP)
        assert len((await host.table(table)).plays) == 2
    assert "could not see to a table" not in caplog.text


@pytest.mark.usefixtures("quick_bots")
async def test_one_broken_table_does_not_stop_the_others(
    folder: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A log that does not replay is reported, and other tables go on."""
    monkeypatch.setattr(attendant, "SWEEP", 0.05)
    async with opened(folder) as host:
        good = await set_up(host, letters="hbb", bot_delay_ms=100)
    store = store_at(folder)
    await store.open()
    broken = (Entry(seq=0, at=0, kind=Kind.MOVE, seat=Seat(0), word="what?"),)
    shown = card("broken", status=Status.RUNNING, due=1)
    await store.put(rows.creation(charter("broken"), SEED, broken, shown, ("", "", "")))
    log = await store.entries(good, 0)
    nudge = Entry(seq=len(log), at=1, kind=Kind.AWAY, seat=Seat(0), word="journeyman")
    overdue = await due_card(store, good)
    await store.put(rows.change(good, (nudge,), overdue, (ADA.id, "", ""), None))
    await store.close()
    async with opened(folder) as host:

        async def goes_on() -> bool:
            return len(await host.store.entries(good, len(log) + 1)) > 0

        await until(goes_on)
    assert "could not resume table broken...: it is damaged: " in caplog.text


async def test_a_table_of_other_rules_is_said_once(
    folder: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left for a server with those rules; requests for it say why."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hbb", bot_delay_ms=60_000)
    monkeypatch.setattr(attendant, "SWEEP", 0.01)
    monkeypatch.setattr(attendant, "GRACE", 0)
    monkeypatch.setattr(GAMES["mauer"], "RULES", 2)
    looks = 0
    due = SQLiteStore.due

    async def overdue(self: SQLiteStore, before: int) -> tuple[str, ...]:
        nonlocal looks
        looks += 1
        return await due(self, before + 1_000_000)

    monkeypatch.setattr(SQLiteStore, "due", overdue)
    async with opened(folder) as host:

        async def looked() -> bool:
            return looks > 3

        await until(looked)
        with pytest.raises(OtherRulesError):
            await host.table(table)
    said = "this table was played by mauer/1; this program has mauer/2"
    assert [each.getMessage() for each in caplog.records] == [
        f"could not resume table {table[:6]}...: {said}"
    ]
    assert caplog.records[0].exc_info is None


async def test_after_a_break_every_table_is_read_again(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Viewers are told what they missed; other tables are read when somebody asks."""
    broke = asyncio.Event()

    async def changes(_: SQLiteStore) -> AsyncIterator[str | None]:
        await broke.wait()
        yield None
        await asyncio.Event().wait()

    monkeypatch.setattr(SQLiteStore, "changes", changes)
    async with opened(folder) as host:
        watched, other = await set_up(host), await set_up(host)
        told = await host.subscribe(watched, Seat(1), after=None)
        for table in (watched, other):
            pending = PendingEntries(await host.table(table), b"", 0)
            pending.write(Kind.MOVE, Seat(0), word="T")
            after = pending.table
            await host.store.put(
                rows.change(table, pending.entries, after.card(), after.owners, None)
            )
        assert [await words_of(host, table) for table in (watched, other)] == ["", ""]
        broke.set()

        assert [notice.kind for notice in await heard(told, 1)] == ["move"]
        assert [await words_of(host, table) for table in (watched, other)] == ["0:T", "0:T"]


async def test_a_move_that_waited_while_its_seat_was_left_is_refused(folder: str) -> None:
    """By then the seat belongs to a bot or to somebody else."""
    async with opened(folder) as host:
        table = await set_up(host, bot_delay_ms=60_000)
        now = await host.table(table)
        number, tenure = now.number(Seat(0)), now.occupants[0].tenure
        await host.stand(table, Seat(0), tenure=tenure)

        with pytest.raises(NotYoursError):
            await host.move(table, Seat(0), "T", number, "k", tenure=tenure)
        with pytest.raises(NotYoursError):
            await host.hand_over(table, Seat(0), "master", tenure=tenure)
        assert await words_of(host, table) == ""


async def due_card(store: Store, table: str) -> Card:
    """The card of a table that should have gone on long ago."""
    (shown,) = await store.tables_of(ADA.id, before=None, most=9)
    assert shown.id == table
    return msgspec.structs.replace(shown, due=2)


@pytest.fixture
def at_hand(monkeypatch: pytest.MonkeyPatch) -> list[LiveTables]:
    """The desks of each house that is made: there is room for four."""
    made: list[LiveTables] = []

    def make(store: Store, limits: HostLimits) -> LiveTables:
        made.append(LiveTables(store, limits))
        return made[-1]

    monkeypatch.setattr(host_module, "LiveTables", make)
    return made


class LateReads:
    """A store that others write to, in which a read may take long to arrive."""

    shared = True

    def __init__(self, store: Store) -> None:
        """At first all reads arrive."""
        self.load = store.load
        self._entries = store.entries
        self.has_read = asyncio.Event()
        self.arrives = asyncio.Event()
        self.late = False

    async def entries(self, table: str, start: int) -> tuple[Entry, ...]:
        """What is there now; the first time, once it arrives."""
        found = await self._entries(table, start)
        if self.late:
            self.late = False
            self.has_read.set()
            await self.arrives.wait()
        return found


async def test_what_was_acknowledged_during_a_read_is_not_missing(folder: str) -> None:
    """A client is answered by another process, and then asks here, where an older read is on."""
    async with opened(folder) as elsewhere:
        table = await set_up(elsewhere)
        store = LateReads(elsewhere.store)
        here = LiveTables(cast("Store", store))
        live = await here.fresh(table)
        store.late = live.doubtful = True
        older = asyncio.create_task(here.fresh(table))
        await store.has_read.wait()
        await play(elsewhere, table, "0:T")

        newer = asyncio.create_task(here.fresh(table))
        await asyncio.sleep(0)
        store.arrives.set()
        await older

        assert (await newer).table.seq == (await elsewhere.table(table)).seq


async def test_tables_that_nobody_looks_at_are_put_away(
    folder: str, at_hand: list[LiveTables]
) -> None:
    """They are read again on request; tables with viewers stay in memory."""
    async with opened(folder, limits=HostLimits(live_tables=4)) as host:
        watched = await set_up(host)
        told = await host.subscribe(watched, Seat(0), after=None)
        tables = [await set_up(host) for _ in range(8)]
        assert len(list(at_hand[0])) <= 5
        for table in (watched, *tables):
            await play(host, table, "0:T 1:4")
        assert [notice.seat for notice in await heard(told, 2)] == [0, 1]
        for table in tables:
            assert await kept_words(host.store, table) == "0:T 1:4"


async def test_room_is_made_for_a_quarter_of_the_tables(
    folder: str, at_hand: list[LiveTables]
) -> None:
    """Once there is none left, and those go first that came first."""
    async with opened(folder, limits=HostLimits(live_tables=8)) as host:
        tables = [await set_up(host) for _ in range(8)]
        assert [live.table.charter.id for live in at_hand[0]] == tables
        tables.append(await set_up(host))
        assert [live.table.charter.id for live in at_hand[0]] == tables[3:]


async def test_room_is_made_for_a_quarter_of_the_entries(
    folder: str, at_hand: list[LiveTables]
) -> None:
    """However few tables have them; each of these has seven."""
    async with opened(folder, limits=HostLimits(live_entries=56)) as host:
        tables: list[str] = []
        for _ in range(8):
            tables.append(await set_up(host))
            await play(host, tables[-1], "0:T 1:4 2:4")
        assert [live.table.seq for live in at_hand[0]] == [7] * 8
        tables.append(await set_up(host))
        assert [live.table.charter.id for live in at_hand[0]] == tables[3:]


async def test_tables_that_nobody_uses_leave_the_memory(
    folder: str, at_hand: list[LiveTables]
) -> None:
    """Those with viewers or a deadline stay, and so does one that was asked for lately."""
    async with opened(folder, limits=HostLimits(live_seconds=60)) as host:
        watched, asked, timed, old = (
            await set_up(host),
            await set_up(host),
            await set_up(host, seconds_per_move=600),
            await set_up(host),
        )
        told = await host.subscribe(watched, Seat(0), after=None)
        for live in at_hand[0]:
            live.used -= 100
        await host.table(asked)
        at_hand[0].put_away(time.monotonic())

        assert {live.table.charter.id for live in at_hand[0]} == {watched, asked, timed}
        await play(host, old, "0:T")
        told.close()


@pytest.mark.parametrize(("unused", "left"), [(59.5, 1), (60.0, 0)])
async def test_a_table_leaves_the_memory_when_its_time_is_up(
    folder: str, at_hand: list[LiveTables], unused: float, left: int
) -> None:
    """Not before."""
    async with opened(folder, limits=HostLimits(live_seconds=60)) as host:
        await set_up(host)
        (live,) = at_hand[0]
        live.used = 0.0
        at_hand[0].put_away(unused)

        assert len(list(at_hand[0])) == left


async def test_long_tables_take_more_room(folder: str, at_hand: list[LiveTables]) -> None:
    """A few with many entries are put away like many with few."""
    async with opened(folder, limits=HostLimits(live_entries=40)) as host:
        for _ in range(8):
            await play(host, await set_up(host), "0:T 1:4 2:4")
        live = list(at_hand[0])
        assert len(live) < 8
        assert sum(each.table.seq for each in live) < 40 + 12


async def test_a_table_put_away_while_somebody_asks_is_one_table(
    folder: str, at_hand: list[LiveTables]
) -> None:
    """Two requests at the same time get the same live table."""
    async with opened(folder) as host:
        table, *_ = [await set_up(host) for _ in range(4)]
        number = (await host.table(table)).number(Seat(0))
        first = asyncio.create_task(host.move(table, Seat(0), "T", number, ""))
        await asyncio.sleep(0)
        at_hand[0].put(start_table().table, SEED)  # at the worst moment
        told = await host.subscribe(table, Seat(1), after=number)
        await first
        assert [notice.seat for notice in await heard(told, 1)] == [0]
        assert len((await host.snapshot(table)).history(None)) == number + 1


async def test_a_host_can_be_closed_at_any_time(folder: str) -> None:
    """What has begun is finished."""
    host = with_features(Host(store_at(folder)))
    await host.open()
    table = await set_up(host)
    number = (await host.table(table)).number(Seat(0))
    asked = asyncio.create_task(host.move(table, Seat(0), "T", number, "k"))
    await begun()
    await host.close()
    receipt = await asked
    async with opened(folder) as again:
        repeated = await again.move(table, Seat(0), "T", number, "k")
        assert (repeated.number, repeated.table) == (receipt.number, receipt.table)
