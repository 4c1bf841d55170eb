"""Who plays at the tables of a host: people who come and go, bots, and clocks."""

import time

import pytest
from tests.support.driven_table import BOB, CLEO, LEVEL, bytes_of, refused
from tests.support.hosts import SEATS, folder, heard, opened, play, quick_bots, set_up, until
from tests.support.moved_time import MovedTime, anyio_backend, clock

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat
from mauerwerk.games import mauer
from mauerwerk.lab.workers import AsyncWorkers
from mauerwerk.server.api.table_messages import notice_messages, view_message
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.errors import RequestError, TooManyError, WarmingUpError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Status, Table

pytestmark = pytest.mark.anyio
__all__ = ["anyio_backend", "clock", "folder", "quick_bots"]

STALLS = {"rounds": "1", "stall": "1"}


# --- Seats -----------------------------------------------------------------------------------


async def test_people_come_and_go(folder: str) -> None:
    """They take an open seat, come by a link, or leave their seat to a bot."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hoh", mine=(Seat(0),))
        await host.sit(table, None, BOB, "k")
        assert (await host.sit(table, None, BOB, "k")).number == 2
        await host.stand(table, Seat(1))
        await host.sit(table, Seat(1), BOB)
        await host.claim(table, Seat(2), CLEO)
        assert (await host.table(table)).status is Status.RUNNING

        await host.hand_over(table, Seat(1), LEVEL)
        await host.come_back(table, Seat(1))

        kinds = [notice.kind for notice in (await host.snapshot(table)).history(None)]
        assert kinds == ["sit", "sit", "stand", "sit", "sit", "start", "away", "back"]
        assert [card.id for card in await host.store.tables_of(BOB.id, before=None, most=9)] == [
            table
        ]


@pytest.mark.rule("DM-27")
@pytest.mark.usefixtures("quick_bots")
async def test_bots_whom_everybody_has_left_do_not_play_for_ever(
    folder: str, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a game that need not end, bots on their own stop after very many moves."""
    monkeypatch.setattr(requests, "MOST_MOVES", 20)
    async with opened(folder, clock=clock) as host:
        table = await set_up(host, letters="hbb", options={"stall": "off"})
        await host.stand(table, Seat(0))

        async def stopped() -> bool:
            return requests.is_too_long(await host.table(table))

        await until(stopped)
        await clock.move(host, 3_600)
        left = await host.table(table)

        assert left.status is Status.RUNNING
        assert len(left.plays) < 20 + len(SEATS)  # who was thinking then may still play


async def test_a_seat_has_a_new_link_once_it_is_another_s(folder: str) -> None:
    """The owner's link stays valid on any device and after a restart."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hhh", mine=(Seat(0),))
        before = host.keys.seat_token(await host.table(table), Seat(1))
        await host.claim(table, Seat(1), BOB)
        now = await host.table(table)
        after = host.keys.seat_token(now, Seat(1))

        assert host.keys.seat_of(now, before) is None
        assert host.keys.seat_of(now, after) == 1
        await host.claim(table, Seat(1), BOB)
    async with opened(folder) as host:
        assert host.keys.seat_of(await host.table(table), after) == 1


# --- Bots and clocks -------------------------------------------------------------------------


@pytest.mark.process
async def test_bots_play_at_their_tempo(folder: str) -> None:
    """Real bots in their own process play slowly enough to follow."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hbb", bot_delay_ms=300)
        await play(host, table, "0:T")
        told = await host.subscribe(table, Seat(0), after=None)
        moved = await heard(told, 2)

        assert {notice.seat for notice in moved} == {1, 2}
        started, *_, last = (logged.entry.at for logged in (await host.table(table)).log)
        assert last - started >= 290


@pytest.mark.usefixtures("quick_bots")
async def test_bots_alone_play_a_whole_game(folder: str) -> None:
    """Four bots finish a game, and its record is stored."""
    async with opened(folder) as host:
        table = await set_up(host, letters="bbb", options=STALLS)

        async def over() -> bool:
            return (await host.table(table)).status is Status.OVER

        await until(over)
        assert "# fair seed=" in await host.record(table)


@pytest.mark.usefixtures("quick_bots")
async def test_when_time_is_up_a_bot_plays(folder: str, clock: MovedTime) -> None:
    """A bot plays until the owner is back; seats that had already chosen are left alone."""
    async with opened(folder, clock=clock) as host:
        table = await set_up(host, seconds_per_move=60)
        await play(host, table, "0:T")
        await clock.move(host, 59)
        assert len((await host.table(table)).plays) == 1
        await clock.move(host, 2)
        assert len((await host.table(table)).plays) >= 3
        kinds = [
            (notice.kind, notice.seat)
            for notice in (await host.snapshot(table)).history(None)
            if notice.kind is Kind.AWAY
        ]
        assert kinds[:2] == [(Kind.AWAY, 1), (Kind.AWAY, 2)]
        await host.come_back(table, Seat(1))
        assert (await host.table(table)).occupants[1].person


@pytest.mark.usefixtures("quick_bots")
async def test_a_table_goes_on_after_a_restart(place: str) -> None:
    """Bots and clocks resume where they were."""
    ahead = 0
    async with opened(place, clock=lambda: time.time() + ahead) as host:
        with_bots = await set_up(host, letters="hbb", bot_delay_ms=1_000)
        await play(host, with_bots, "0:T")
        with_clock = await set_up(host, seconds_per_move=60)
        before = await everything(host, with_bots, with_clock)
        ahead = 61
    async with opened(place, clock=lambda: time.time() + ahead) as host:
        assert await everything(host, with_bots, with_clock) == before

        async def both_went_on() -> bool:
            clocks = (await host.table(with_clock)).occupants
            plays = (await host.table(with_bots)).plays
            return len(plays) >= 3 and all(occupant.level for occupant in clocks)

        await until(both_went_on)


async def everything(host: Host, *tables: str) -> list[bytes]:
    """All that anybody can see at these tables."""
    return [
        bytes_of((view_message(at, viewer), notice_messages(at.table.game, at.history(viewer))))
        for at in [await host.snapshot(table) for table in tables]
        for viewer in (None, *SEATS)
    ]


async def test_hints_are_for_the_seat_that_decides(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat gets hints when it has to decide, at tables that allow them."""
    asked: list[Seat] = []
    hint = Hint(mauer.parse("T"), None, "why not")

    async def advise(
        self: BotWorkers, table: Table, seat: Seat, seconds: float, language: str
    ) -> tuple[Hint, ...]:
        del self, table, seconds, language
        asked.append(seat)
        return (hint,)

    monkeypatch.setattr(BotWorkers, "advise", advise)
    async with opened(folder) as host:
        plain = await set_up(host, hints=False)
        with refused(RequestError, "without hints"):
            await host.hints(await host.table(plain), Seat(0))
        table = await set_up(host)
        await play(host, table, "0:T")
        with refused(RequestError, "nothing to decide"):
            await host.hints(await host.table(table), Seat(0))
        assert asked == []
        assert await host.hints(await host.table(table), Seat(1)) == (hint,)
        assert asked == [1]


async def test_advice_that_does_not_come_is_no_fault(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the bots take too long or have died, one can ask again."""

    async def takes_too_long(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(AsyncWorkers, "run", takes_too_long)
    async with opened(folder) as host:
        table = await set_up(host)
        with pytest.raises(WarmingUpError, match="ask again"):  # its search may be compiled yet
            await host.hints(await host.table(table), Seat(0))
        monkeypatch.setattr(host.bots, "_searched", {"mauer"})
        with pytest.raises(TooManyError, match="ask again"):
            await host.hints(await host.table(table), Seat(0))
