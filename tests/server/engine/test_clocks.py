"""Clocks of a host whose time can be moved: games over days, restarts, several servers."""

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, order
from tests.support.hosts import folder, move, opened, play, set_up, until
from tests.support.moved_time import MovedTime, anyio_backend, clock, settled

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.host import Host
from mauerwerk.server.tables.clocks import DAY, Clock
from mauerwerk.server.tables.log import Kind

pytestmark = pytest.mark.anyio
__all__ = ["anyio_backend", "clock", "folder"]

HOUR = 3_600


async def sit_down(host: Host, **more: object) -> str:
    """A table of Mauerbauer at which Ada and Bob sit, and Ada begins."""
    options = {"board": "wwwme/wwmme+a2-b1"}
    wanted = order("mauerbauer", "ho", options=options, mine=(Seat(0),), **more)
    table = await host.create(wanted, ADA)
    await host.sit(table.charter.id, Seat(1), BOB)
    return table.charter.id


async def first_word(host: Host, table: str) -> tuple[int, str]:
    """Who must act, and what they could do."""
    now = await host.table(table)
    seat = now.deciding[0]
    return seat, now.game.write(now.game.legal(now.state, seat)[0])


async def runs_out(host: Host, table: str, seat: int) -> None:
    """Wait until a bot plays for a seat."""

    async def is_away() -> bool:
        return bool((await host.table(table)).occupants[seat].level)

    await until(is_away)


async def test_a_game_over_days_survives_a_restart_at_night(folder: str, clock: MovedTime) -> None:
    """Eight hours without a server are nobody's time; then the day runs out as it should."""
    async with opened(folder, clock=clock) as host:
        table = await sit_down(host, seconds_per_move=86_400, clock=Clock(days_off=1))
        seat, word = await first_word(host, table)
        clock.ahead += 20 * HOUR
        await move(host, table, seat, word)
        before = await host.table(table)
        seat = before.deciding[0]
        clock.ahead += 20 * HOUR  # the server stops four hours before the time is up
    clock.ahead += 8 * HOUR
    async with opened(folder, clock=clock) as host:
        await settled(host)
        assert not (await host.table(table)).occupants[seat].level
        await host.rest(table, Seat(seat))
        now = await host.table(table)
        assert [each.entry.kind for each in now.log[-2:]] == [Kind.PAUSE, Kind.REST]
        assert before.deadline is not None
        assert now.deadline is not None
        assert abs(now.deadline - before.deadline - DAY - 8_000 * HOUR) < 5_000
        await clock.move(host, 27 * HOUR)
        assert not (await host.table(table)).occupants[seat].level
        await clock.move(host, 2 * HOUR)
        assert (await host.table(table)).occupants[seat].level


async def test_a_table_that_ran_out_meanwhile_gets_its_time_back(
    folder: str, clock: MovedTime
) -> None:
    """The first thing that a new server does there is to give back the time without one."""
    async with opened(folder, clock=clock) as host:
        table = await sit_down(host, clock=Clock(total=60))
    clock.ahead += 600
    async with opened(folder, clock=clock) as host:

        async def is_paused() -> bool:
            return (await host.table(table)).log[-1].entry.kind is Kind.PAUSE

        await until(is_paused)
        now = await host.table(table)
        assert not now.occupants[now.deciding[0]].level
        assert now.deadline is not None
        assert 50_000 < now.deadline - int(clock() * 1_000) <= 60_000


async def test_a_short_restart_is_the_players_time(folder: str, clock: MovedTime) -> None:
    """A few seconds are not measured: so much is documented."""
    async with opened(folder, clock=clock) as host:
        table = await sit_down(host, clock=Clock(total=60))
        before = (await host.table(table)).deadline
    clock.ahead += 10
    async with opened(folder, clock=clock) as host:
        await settled(host)
        assert (await host.table(table)).deadline == before


@pytest.mark.postgres
async def test_a_clock_runs_out_once_at_several_servers(
    postgresql_url: str, clock: MovedTime
) -> None:
    """Both know when; one of them acts, and the other hears of it. No outage while one runs."""
    async with opened(postgresql_url, clock=clock) as one:
        table = await sit_down(one, clock=Clock(total=60))
        seat = (await one.table(table)).deciding[0]
        clock.ahead += 10
        async with opened(postgresql_url, clock=clock) as other:
            assert (await other.table(table)).deadline == (await one.table(table)).deadline
            clock.ahead += 120
            for host in (one, other):
                await runs_out(host, table, seat)
            kinds = [each.entry.kind for each in (await one.table(table)).log]
            assert kinds.count(Kind.AWAY) == 1


async def test_nobody_refuses_before_their_time_is_up(folder: str, clock: MovedTime) -> None:
    """Where a timer comes too early, whoever is asked for their consent is still asked."""
    async with opened(folder, clock=clock) as host:
        table = await set_up(host, letters="hhh", mine=(), seconds_per_move=60)
        for seat, guest in enumerate((ADA, BOB, CLEO)):
            await host.claim(table, Seat(seat), guest)
        await play(host, table, "0:- 1:-")
        await play(host, table, "2:- 0:-")
        await host.undo(table, Seat(1), (await host.table(table)).number(Seat(1)), "")
        live = await host.live_tables.at(table)
        assert live.table.proposal is not None
        before = live.table.seq
        clock.ahead += 61
        host.attend(live)  # which sets the timer to now
        clock.ahead -= 61
        assert live.timer is not None
        early = live.timer

        async def again() -> bool:
            return live.timer is not early

        await until(again)
        assert (live.table.seq, live.table.proposal is None) == (before, False)
        clock.ahead += 61
        host.attend(live)

        async def refused() -> bool:
            return live.table.proposal is None

        await until(refused)
