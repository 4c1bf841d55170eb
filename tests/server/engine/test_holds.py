"""Bots wait for people who still look at something, but not for long."""

import pytest
from tests.support.driven_table import ADA as GUEST
from tests.support.driven_table import LEVEL, order
from tests.support.hosts import folder, move, opened, quick_bots, set_up
from tests.support.moved_time import MovedTime, anyio_backend, clock

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.engine import live_tables
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.features.table import moments
from mauerwerk.server.tables.table import Table, Viewer

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quick_bots")]

__all__ = ["anyio_backend", "clock", "folder", "quick_bots"]

ADA, BOT = Seat(0), Seat(1)


def everywhere(table: Table, since: int) -> int | None:
    """People stop after every move."""
    return max((play.seq for play in table.plays if play.seq >= since), default=None)


async def with_bots(host: Host) -> str:
    """A table at which it is Ada's turn, and then that of two bots."""
    asked = order("burgbaumeister", "hbb", mine=(ADA,), options={"first": "0"})
    return (await host.create(asked, GUEST)).charter.id


async def turn(host: Host, table: str) -> Receipt:
    """Ada's whole turn: she looks at a card, and leaves it."""
    await move(host, table, 0, "a1")
    return await move(host, table, 0, "-")


def nowhere(_table: Table, _since: int) -> int | None:
    """People stop after no move."""
    return None


def nobody_moved(table: Table) -> bool:
    """Whether no bot has moved yet."""
    return {play.seat for play in table.plays} <= {ADA, NATURE}


async def waits(host: Host, table: str, clock: MovedTime, seconds: float = 3) -> bool:
    """Whether no bot moves within this time, though it had all of it."""
    await clock.move(host, seconds)
    return nobody_moved(await host.table(table))


async def moved_on(host: Host, table: str, clock: MovedTime) -> bool:
    """Whether a bot has moved, at once."""
    return not await waits(host, table, clock, 0)


async def test_bots_wait_until_everybody_has_gone_on(
    folder: str, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One who says so for an older move is still waited for."""
    async with opened(folder, clock=clock) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        receipt = await turn(host, table)
        await host.go_on(table, ADA, receipt.number - 1)
        assert await waits(host, table, clock)
        await host.go_on(table, BOT, receipt.number)
        assert await waits(host, table, clock)

        monkeypatch.setattr(moments, "last_stop", nowhere)
        await host.go_on(table, ADA, receipt.number)
        assert await moved_on(host, table, clock)


async def test_nobody_holds_a_table_for_long(
    folder: str, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a page says, or does not say."""
    async with opened(folder, clock=clock) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        await turn(host, table)
        assert await waits(host, table, clock, live_tables.LONGEST / 1_000 - 0.5)
        assert not await waits(host, table, clock, 1)


async def test_somebody_who_leaves_the_page_is_not_waited_for(
    folder: str, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless another page of the same seat is open."""
    async with opened(folder, clock=clock) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        pages = [await host.subscribe(table, ADA, after=None, looks=ADA) for _ in range(2)]
        await turn(host, table)
        pages[0].close()
        assert await waits(host, table, clock)
        monkeypatch.setattr(moments, "last_stop", nowhere)
        pages[1].close()
        assert await moved_on(host, table, clock)


@pytest.mark.parametrize("viewer", [None, ADA])
async def test_spectators_and_programs_hold_nothing(
    folder: str, viewer: Viewer, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the page of a seat does."""
    async with opened(folder, clock=clock) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        await host.subscribe(table, viewer, after=None)
        await turn(host, table)
        assert await moved_on(host, table, clock)


async def test_a_shared_device_holds_the_table_for_one_of_its_seats(
    folder: str, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while all look together, and the page is nobody's."""
    async with opened(folder, clock=clock) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        page = await host.subscribe(table, None, after=None, looks=ADA)
        await turn(host, table)
        assert await waits(host, table, clock)
        monkeypatch.setattr(moments, "last_stop", nowhere)
        page.close()
        assert await moved_on(host, table, clock)


async def test_looking_takes_nothing_from_the_time_to_decide(
    folder: str, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question after a stop has as much time more, and its deadline says so."""
    async with opened(folder, clock=clock) as host:
        table = await set_up(host, letters="hhh", seconds_per_move=30)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        monkeypatch.setattr(moments, "last_stop", everywhere)
        for seat in range(3):
            await move(host, table, seat, "T")
        asked = await host.snapshot(table)
        assert asked.table.deadline is not None
        assert asked.view(ADA).deadline == asked.table.deadline + live_tables.LONGEST

        await clock.move(host, 35)
        assert (await host.table(table)).occupants[0].person
        await host.hand_over(table, Seat(2), LEVEL)  # then it is looked whether the time is up
        await clock.move(host, 0)
        assert (await host.table(table)).occupants[0].person
        await clock.move(host, 6)
        assert not (await host.table(table)).occupants[0].person


async def test_what_is_wrong_with_a_moment_harms_no_move(
    folder: str, clock: MovedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room of another package may be faulty."""

    def faulty(table: Table, since: int) -> int | None:
        raise ZeroDivisionError(table, since)

    async with opened(folder, clock=clock) as host:
        monkeypatch.setattr(moments, "last_stop", faulty)
        table = await with_bots(host)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        await turn(host, table)
        assert await moved_on(host, table, clock)


async def test_who_holds_nothing_gains_no_time(folder: str) -> None:
    """Not a millisecond."""
    async with opened(folder) as host:
        table = await host.table(await set_up(host, seconds_per_move=60))
        holds = live_tables.Holds()
        assert holds.respite(table) == 0
        holds.begin([ADA], table, table.seq - 1)
        assert holds.respite(table) == live_tables.LONGEST
        holds.end()


async def test_bots_take_their_time_where_nobody_plays_or_watches(
    folder: str, clock: MovedTime
) -> None:
    """Among themselves they are in no hurry, and people need not wait for them."""
    async with opened(folder, clock=clock, limits=HostLimits(bot_delay_alone=40)) as host:
        alone, watched = [
            (await host.create(order("mauer", "bbb", mine=()), GUEST)).charter.id for _ in range(2)
        ]
        told = await host.subscribe(watched, None, after=None)

        async def have_moved() -> list[bool]:
            return [bool((await host.table(table)).plays) for table in (alone, watched)]

        await clock.move(host, 30)
        assert await have_moved() == [False, True]
        await clock.move(host, 11)
        assert await have_moved() == [True, True]
        told.close()
