"""Viewers at a host are told everything once, in order."""

import random

import pytest
from tests.support.driven_table import bytes_of
from tests.support.hosts import SEATS, folder, heard, move, opened, play, set_up

from mauerwerk.core.game import Seat
from mauerwerk.server.engine.audience import Watcher
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.tables.errors import LaggingError
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio
__all__ = ["folder"]


async def test_streams_have_no_gaps_and_no_repeats(place: str) -> None:
    """This holds however often a viewer leaves and comes back."""
    async with opened(place) as host:
        table = await set_up(host, options={"rounds": "1"})
        rng = random.Random(3)
        collected: dict[Seat | None, list[bytes]] = {viewer: [] for viewer in (None, *SEATS)}
        now = await host.table(table)
        while now.status is Status.RUNNING:
            told = {
                viewer: await host.subscribe(table, viewer, after=len(notices))
                for viewer, notices in collected.items()
                if rng.random() < 0.7
            }
            for _ in range(rng.randrange(1, 6)):
                now = await host.table(table)
                if not now.waiting:
                    break
                seat = rng.choice(now.waiting)
                legal = (await host.snapshot(table)).view(seat).legal
                await move(host, table, seat, now.game.write(rng.choice(legal)))
            for viewer, subscription in told.items():
                missing = (await host.table(table)).number(viewer) - len(collected[viewer])
                collected[viewer] += map(bytes_of, await heard(subscription, missing))
                subscription.close()
            now = await host.table(table)
        for viewer, notices in collected.items():
            last = (await host.snapshot(table)).history(viewer, after=len(notices))
            story = (await host.snapshot(table)).history(viewer)
            assert [*notices, *map(bytes_of, last)] == list(map(bytes_of, story))
        assert not any(len(live.audience) for live in host.live_tables)


async def test_a_slow_viewer_is_cut_off(folder: str) -> None:
    """A slow viewer can come back for the rest, and nobody waits for them."""
    async with opened(folder) as host:
        table = await set_up(host, options={"rounds": "10"})
        slow = await host.subscribe(table, Seat(0), after=None)
        begun = (await host.table(table)).number(Seat(0))
        await play(host, table, "0:T")
        for each in range(HostLimits().unread_notices):
            await play(host, table, "0:C" if each % 2 else "0:6")
        assert not any(len(live.audience) for live in host.live_tables)

        with pytest.raises(LaggingError):
            await slow.next()
        again = await host.subscribe(table, Seat(0), after=begun)
        rest = await heard(again, HostLimits().unread_notices + 1)
        assert [notice.number for notice in rest] == list(
            range(begun + 1, begun + HostLimits().unread_notices + 2)
        )


async def test_all_streams_end_when_the_host_is_closed(folder: str) -> None:
    """Viewers are disconnected, so that they come back later or elsewhere."""
    async with opened(folder) as host:
        table = await set_up(host)
        told = await host.subscribe(table, None, after=None)
    assert await told.next() is None


async def test_seats_with_a_viewer_are_present(folder: str) -> None:
    """Seats with a viewer are present; spectators are not counted."""
    async with opened(folder) as host:
        table = await set_up(host)
        await host.subscribe(table, None, after=None)
        told = await host.subscribe(table, Seat(1), after=None)
        assert (await host.snapshot(table)).present == (1,)
        told.close()
        assert (await host.snapshot(table)).present == ()


async def test_a_player_who_comes_back_hears_all_though_spectators_are_behind(folder: str) -> None:
    """What was missed is told as to players, to spectators later."""
    async with opened(folder) as host:
        table = await set_up(host, spectator_delay=2)
        await play(host, table, "0:T 1:4 2:4")
        player = await host.subscribe(table, Seat(0), after=0)
        spectator = await host.subscribe(table, None, after=0, watcher=Watcher())
        missed = [
            [notice for batch in each.missed for notice in batch] for each in (player, spectator)
        ]

    assert [sum(notice.kind == "move" for notice in each) for each in missed] == [3, 1]
