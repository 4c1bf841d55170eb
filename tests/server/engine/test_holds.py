"""Bots wait for people who still look at something, but not for long."""

import asyncio
import time

import pytest
from tests.support.driven_table import ADA as GUEST
from tests.support.driven_table import LEVEL, order
from tests.support.hosts import begun, folder, move, opened, quick_bots, set_up, until

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.engine import live_tables
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.features.table import moments
from mauerwerk.server.tables.table import Table, Viewer

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quick_bots")]

__all__ = ["folder", "quick_bots"]

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


async def waits(host: Host, table: str) -> bool:
    """Whether no bot has moved yet, though there was time for it."""
    await asyncio.sleep(0.05)
    return {play.seat for play in (await host.table(table)).plays} <= {ADA, NATURE}


async def moved_on(host: Host, table: str) -> None:
    """Wait until a bot has moved."""

    async def has_moved() -> bool:
        return not await waits(host, table)

    await until(has_moved)


async def test_bots_wait_until_everybody_has_gone_on(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One who says so for an older move is still waited for."""
    async with opened(folder) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        receipt = await turn(host, table)
        await host.go_on(table, ADA, receipt.number - 1)
        assert await waits(host, table)
        await host.go_on(table, BOT, receipt.number)
        assert await waits(host, table)

        monkeypatch.setattr(moments, "last_stop", nowhere)
        await host.go_on(table, ADA, receipt.number)
        await moved_on(host, table)


async def test_nobody_holds_a_table_for_long(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a page says, or does not say."""
    monkeypatch.setattr(live_tables, "LONGEST", 60)
    async with opened(folder) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        await turn(host, table)
        await moved_on(host, table)


async def test_somebody_who_leaves_the_page_is_not_waited_for(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless another page of the same seat is open."""
    async with opened(folder) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        pages = [await host.subscribe(table, ADA, after=None, looks=ADA) for _ in range(2)]
        await turn(host, table)
        pages[0].close()
        assert await waits(host, table)
        monkeypatch.setattr(moments, "last_stop", nowhere)
        pages[1].close()
        await moved_on(host, table)


@pytest.mark.parametrize("viewer", [None, ADA])
async def test_spectators_and_programs_hold_nothing(
    folder: str, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the page of a seat does."""
    async with opened(folder) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        await host.subscribe(table, viewer, after=None)
        await turn(host, table)
        await moved_on(host, table)


async def test_a_shared_device_holds_the_table_for_one_of_its_seats(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while all look together, and the page is nobody's."""
    async with opened(folder) as host:
        monkeypatch.setattr(moments, "last_stop", everywhere)
        table = await with_bots(host)
        page = await host.subscribe(table, None, after=None, looks=ADA)
        await turn(host, table)
        assert await waits(host, table)
        monkeypatch.setattr(moments, "last_stop", nowhere)
        page.close()
        await moved_on(host, table)


async def test_looking_takes_nothing_from_the_time_to_decide(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question after a stop has as much time more, and its deadline says so."""
    now = time.time()
    async with opened(folder, clock=lambda: now) as host:
        table = await set_up(host, letters="hhh", seconds_per_move=30)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        monkeypatch.setattr(moments, "last_stop", everywhere)
        for seat in range(3):
            await move(host, table, seat, "T")
        asked = await host.snapshot(table)
        assert asked.table.deadline is not None
        assert asked.view(ADA).deadline == asked.table.deadline + live_tables.LONGEST

        now += 35  # whenever somebody comes or goes, it is looked whether the time is up
        await host.hand_over(table, Seat(2), LEVEL)
        await begun()
        assert (await host.table(table)).occupants[0].person
        now += 6
        await host.come_back(table, Seat(2))

        async def is_up() -> bool:
            return not (await host.table(table)).occupants[0].person

        await until(is_up)


async def test_what_is_wrong_with_a_moment_harms_no_move(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room of another package may be faulty."""

    def faulty(table: Table, since: int) -> int | None:
        raise ZeroDivisionError(table, since)

    async with opened(folder) as host:
        monkeypatch.setattr(moments, "last_stop", faulty)
        table = await with_bots(host)
        await host.subscribe(table, ADA, after=None, looks=ADA)
        await turn(host, table)
        await moved_on(host, table)
