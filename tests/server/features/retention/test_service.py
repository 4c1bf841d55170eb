"""A server keeps its database small while people play."""

import asyncio
from contextlib import suppress

import pytest
import sqlalchemy as sa
from tests.support.driven_table import ADA, BOB, refused
from tests.support.hosts import folder, move, opened, play, set_up, words_of

from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import reading_at
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.database.rows import Batch
from mauerwerk.server.database.schema import ENTRIES, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.features.accounts import service
from mauerwerk.server.features.accounts.store import data_of
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.service import Moderation
from mauerwerk.server.features.moderation.state import Action, Report, Subject
from mauerwerk.server.features.retention.service import RetentionJob
from mauerwerk.server.features.retention.store import DAY, Retention
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import NoTableError, RequestError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio
__all__ = ["folder"]

SHORT = {"rounds": "1", "stall": "1"}
OVER = "0:- 1:- 2:-"


class Clock:
    """A clock that can be put on."""

    def __init__(self) -> None:
        """It begins long ago."""
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now

    def after(self, days: float) -> None:
        """Put it on."""
        self.now += days * DAY / 1_000


async def finished(host: Host) -> str:
    """A game that is over."""
    table = await set_up(host, options=SHORT)
    await play(host, table, OVER)
    assert (await host.table(table)).status is Status.OVER
    return table


async def test_a_round_does_what_is_due(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside people who play; what is in memory is read again, and a rematch goes on."""
    clock = Clock()
    monkeypatch.setattr(
        "mauerwerk.server.database.transaction.milliseconds", lambda: int(clock() * 1_000)
    )
    monkeypatch.setattr("mauerwerk.server.features.retention.service.PAUSE", 0)
    async with opened(folder, clock=clock) as host:
        waiting = await set_up(host, letters="ooo", mine=())
        over = await finished(host)
        abandoned = await set_up(host)
        await move(host, abandoned, 0, "T")
        clock.after(91)
        going = await set_up(host, guest=BOB)
        await move(host, going, 0, "T")
        size = await host.store.stored_by(ADA.id)

        done = await host.service(RetentionJob).run()

        assert done == {"expired": 1, "abandoned": 1, "thinned": 1}
        with pytest.raises(NoTableError):
            await host.table(waiting)
        assert (await host.table(abandoned)).ended == "abandoned"
        assert await host.store.stored_by(ADA.id) < size
        assert await words_of(host, going) == "0:T"
        await host.rematch(over, ADA)
        assert (await host.table(over)).rematch
        assert not await host.service(RetentionJob).run()
        assert host.service(RetentionJob).done == done
    with reading_at(folder) as transaction:
        (entry,) = [
            each for each in moderation.audit_log(transaction) if each.action is Action.MAINTENANCE
        ]
    assert entry.detail == ("1 open table deleted, 1 game ended without a winner, 1 log thinned")


async def test_nobody_sits_down_for_a_guest_who_was_forgotten(folder: str) -> None:
    """A rematch has a free seat instead."""
    async with opened(folder) as host:
        table = await set_up(host, options=SHORT, letters="hho", mine=(Seat(0), Seat(1)))
        await host.sit(table, Seat(2), BOB)
        await play(host, table, OVER)
        assert await service.forget(host.store, ADA) == 1
        again = await host.table(await host.rematch(table, BOB))
        assert again.owners == ("", "", BOB.id)
        sat = [each.entry.guest for each in again.log if each.entry.kind is Kind.SIT]
        assert sat == [BOB.id]
        assert again.status is Status.OPEN


async def test_a_table_that_somebody_else_opened_stays(folder: str) -> None:
    """Whoever sat there and is forgotten takes nothing from its opener."""
    async with opened(folder) as host:
        sat, left = [await set_up(host, letters="ooo", mine=()) for _ in range(2)]
        await host.sit(sat, Seat(0), BOB)
        await host.sit(left, Seat(0), BOB)
        await host.stand(left, Seat(0))
        own = await set_up(host, guest=BOB, letters="ooo", mine=())
        assert await service.forget(host.store, BOB) == 3
        for table in (sat, left):
            assert (await host.table(table)).status is Status.OPEN
            assert not any((await host.table(table)).owners)
        assert await host.store.load(own) is None
    assert not any(each.faults for each in examine(folder))


async def test_no_log_is_read_for_what_a_guest_takes_along(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest may have megabytes of logs, and ask again and again, while others play."""
    async with opened(place) as host:
        table = await set_up(host, letters="hho", mine=(Seat(0), Seat(1)))
        monkeypatch.delattr(Transaction, "log")
        data = await host.store.read(lambda it: data_of(it, ADA.id, ADA.name))
        (only,) = data[0]["tables"]
        assert (only["table"], only["names"], only["seats"]) == (table, (ADA.name,), (0, 1))


async def test_nobody_takes_along_who_is_behind_a_name(folder: str) -> None:
    """By the id of a guest, a reporter would know them again under another name."""
    about = Report(
        "r", 1, "t", "mauer", 0, "rare-id", "Rosalind", Subject.NAME, "", "", "ada", "Ada"
    )
    async with opened(folder) as host:
        await host.store.write("", lambda it: moderation.add_report(it, about))
        data, _ = await host.store.read(lambda it: data_of(it, ADA.id, ADA.name))
    (report,) = data["reports"]
    assert report["name"] == "Rosalind"
    assert about.guest not in str(report)


async def test_a_move_under_way_is_known_after_somebody_is_forgotten(folder: str) -> None:
    """The table is read again only when what is being written there is on disk."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hho", mine=(Seat(0),))
        for seat in (1, 2):
            await host.claim(table, Seat(seat), BOB)
        version = (await host.table(table)).number(Seat(1))
        put, reached, go_on = host.store.put, asyncio.Event(), asyncio.Event()

        def slowly(batch: Batch) -> asyncio.Future[None]:
            async def write() -> None:
                reached.set()
                await go_on.wait()
                await put(batch)

            return asyncio.ensure_future(write())

        host.store.put = slowly  # type: ignore[method-assign,assignment]
        moving = asyncio.create_task(host.stand(table, Seat(2)))
        await reached.wait()
        forgetting = asyncio.create_task(
            host.store.write("guest", lambda it: it.audit(Action.REWRITE_TABLE, table, ""))
        )
        await asyncio.wait([forgetting], timeout=0.1)
        looking = asyncio.create_task(host.table(table))
        await asyncio.wait([looking], timeout=0.1)
        go_on.set()
        receipt = await moving
        await asyncio.gather(forgetting, looking)
        assert (await host.table(table)).seq == receipt.snapshot.table.seq > version


async def test_one_bad_table_does_not_stop_a_round(
    folder: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, and not tried again."""
    clock = Clock()
    monkeypatch.setattr(
        "mauerwerk.server.database.transaction.milliseconds", lambda: int(clock() * 1_000)
    )
    monkeypatch.setattr("mauerwerk.server.features.retention.service.PAUSE", 0)
    async with opened(folder, clock=clock) as host:
        await finished(host)
        bad = await set_up(host, letters="ooo", mine=())
        clock.after(40)

        def refuse(transaction: Transaction, table: str, *_: object, **__: object) -> bool:
            raise ValueError(f"{transaction} {table}")

        monkeypatch.setattr("mauerwerk.server.features.retention.store.delete", refuse)
        assert await host.service(RetentionJob).run() == {"thinned": 1}
        assert await host.service(RetentionJob).run() == {}
        assert (await host.table(bad)).status is Status.OPEN
    assert [each.message for each in caplog.records] == ["could not maintain a table"]


@pytest.mark.postgres
async def test_a_round_of_two_servers(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever both find due is done once, and both read it again."""
    clock = Clock()
    monkeypatch.setattr(
        "mauerwerk.server.database.transaction.milliseconds", lambda: int(clock() * 1_000)
    )
    monkeypatch.setattr("mauerwerk.server.features.retention.service.PAUSE", 0)
    async with (
        opened(postgresql_url, clock=clock) as one,
        opened(postgresql_url, clock=clock) as two,
    ):
        tables = [await finished(one) for _ in range(3)]
        for table in tables:
            await two.table(table)
        clock.after(31)
        done = await asyncio.gather(
            one.service(RetentionJob).run(), two.service(RetentionJob).run()
        )
        assert sum(each["thinned"] for each in done) == 3
        await two.service(Moderation).catch_up()
        for table in tables:
            assert (await two.table(table)).seq == (await one.table(table)).seq
            await two.rematch(table, ADA)


async def test_a_server_stops_in_the_middle_of_a_round(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step under way is finished, and the next server does the rest."""
    clock = Clock()
    monkeypatch.setattr(
        "mauerwerk.server.database.transaction.milliseconds", lambda: int(clock() * 1_000)
    )
    monkeypatch.setattr("mauerwerk.server.features.retention.service.FIRST", 0)
    monkeypatch.setattr("mauerwerk.server.features.retention.service.PAUSE", 0)
    async with opened(folder, clock=clock) as host:
        for _ in range(4):
            await finished(host)
    clock.after(31)
    async with opened(folder, clock=clock) as host:
        while not await host.store.read(thinned_in):  # noqa: ASYNC110 - nobody would set an event
            await asyncio.sleep(0)
    assert not any(each.faults for each in examine(folder))
    async with opened(folder, clock=clock) as host:
        while await host.store.read(thinned_in) < 4:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0)


def thinned_in(transaction: Transaction) -> int:
    """How many tables have been thinned."""
    wanted = sa.select(sa.func.count()).where(TABLES.c.thinned.is_not(None))
    return transaction.connection.scalar(wanted) or 0


async def test_what_a_guest_may_have_stored_is_bounded(folder: str) -> None:
    """A new table is refused in one line; another guest is not affected."""
    async with opened(folder, limits=HostLimits(stored_bytes=2_048)) as host:
        for _ in range(2):
            await set_up(host)
        with refused(RequestError, "all the space that a guest has here, 2 kB"):
            for _ in range(5):
                await set_up(host)
        await set_up(host, guest=BOB)
    async with opened(folder, limits=HostLimits(stored_bytes=0)) as host:
        await set_up(host)


async def test_nothing_is_tidied_when_a_server_starts(folder: str) -> None:
    """It has time to start; and the policy can be that nothing goes."""
    never = Retention(open_days=0, running_days=0, log_days=0, guest_days=0)
    async with opened(folder, Settings(sections=(never,))) as host:
        await set_up(host, letters="hoo", mine=(Seat(0),))
        assert not await host.service(RetentionJob).run()


async def test_a_guest_is_forgotten_while_others_play(place: str) -> None:
    """Nobody is disturbed, the log is sound, and the name is nowhere."""
    rare = Guest("a-rare-guest", "Rosalind the Rare")
    async with opened(place) as host:
        tables = [await set_up(host, guest=rare, letters="hho", mine=(Seat(0),)) for _ in range(3)]
        for table in tables:
            for seat in (1, 2):
                await host.claim(table, Seat(seat), BOB)

        async def play_on(table: str) -> None:
            for word in ("T", "4", "5", "6"):
                seen = await host.table(table)
                with suppress(MoveError, RequestError):
                    await host.move(table, Seat(1), word, seen.number(Seat(1)), "")
                await asyncio.sleep(0)

        playing = [asyncio.create_task(play_on(table)) for table in tables]
        assert await service.forget(host.store, rare) == 3
        await asyncio.gather(*playing)
        for table in tables:
            seen = await host.table(table)
            assert seen.occupants[0].level
            assert "Rosalind" not in str(seen.log) + str(seen.card())
    assert not any(each.faults for each in examine(place))
    with reading_at(place) as transaction:
        rows = transaction.connection.execute(sa.select(TABLES, ENTRIES).join(ENTRIES)).all()
    assert "Rosalind" not in str(rows)
    assert rare.id not in str(rows)
