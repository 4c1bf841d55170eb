"""Slots are shared fairly, and nobody waits for longer than they are ready to."""

import asyncio

import pytest

from mauerwerk.server.engine.workers import HALF_LIFE, FairQueue

pytestmark = pytest.mark.anyio

SOON = 5.0


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        """At the beginning."""
        self.now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


async def served(queue: FairQueue, clock: Clock, wishes: list[tuple[str, bool, float]]) -> str:
    """The users in the order in which they get the only slot, each for some seconds."""
    order: list[str] = []

    async def use(user: str, seconds: float, *, first: bool) -> None:
        async with queue.slot(user, first=first, within=SOON):
            order.append(user)
            clock.now += seconds

    async with queue.slot("holder", first=True, within=SOON):
        tasks = [
            asyncio.create_task(use(user, seconds, first=first)) for user, first, seconds in wishes
        ]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return " ".join(order)


async def test_those_who_used_little_go_before_those_who_used_much() -> None:
    """Many wishes of one user do not keep another waiting for all of them."""
    clock = Clock()
    queue = FairQueue(1, clock)
    wishes = [("many", True, 1.0)] * 5 + [("few", True, 1.0)]

    assert await served(queue, clock, wishes) == "many few many many many many"


async def test_some_are_always_first() -> None:
    """However much they have used."""
    clock = Clock()
    queue = FairQueue(1, clock)
    wishes = [("bots", False, 0.1)] * 2 + [("people", True, 9.0)] * 3

    assert await served(queue, clock, wishes) == "people people people bots bots"


async def test_the_past_is_forgotten() -> None:
    """A minute later half of it counts."""
    clock = Clock()
    queue = FairQueue(1, clock)
    await served(queue, clock, [("a", True, 4.0)])
    clock.now += HALF_LIFE
    await served(queue, clock, [("b", True, 3.0)])

    assert await served(queue, clock, [("b", True, 1.0), ("a", True, 1.0)]) == "a b"


async def test_the_past_counts_half_as_much_after_each_half_life() -> None:
    """However often somebody is served meanwhile."""
    clock = Clock()
    queue = FairQueue(1, clock)
    await served(queue, clock, [("a", True, 16.0)])
    for _ in range(3):
        clock.now += HALF_LIFE
        await served(queue, clock, [("other", True, 0.0)])
    await served(queue, clock, [("b", True, 1.0)])

    assert await served(queue, clock, [("a", True, 1.0), ("b", True, 1.0)]) == "b a"


async def test_nobody_waits_for_ever() -> None:
    """A slot that comes too late goes to the next."""
    queue = FairQueue(1)
    async with queue.slot("a", first=True, within=SOON):
        with pytest.raises(TimeoutError):
            async with queue.slot("b", first=True, within=0.01):
                pass
        assert queue.waiting(first=True) == 0
    async with queue.slot("c", first=True, within=0.01):
        pass


async def test_a_wish_that_is_given_up_loses_no_slot() -> None:
    """Not even if its turn comes in the same moment."""
    queue = FairQueue(1)
    holding = queue.slot("a", first=True, within=SOON)
    await holding.__aenter__()
    waiting = asyncio.create_task(anext_slot(queue))
    await asyncio.sleep(0)
    assert queue.waiting(first=True) == 1
    await holding.__aexit__(None, None, None)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    async with queue.slot("c", first=True, within=0.1):
        pass


async def test_a_wish_that_is_given_up_makes_no_slot() -> None:
    """A slot that becomes free in the moment of giving up stays one."""
    queue = FairQueue(1)
    holding = queue.slot("a", first=True, within=SOON)
    await holding.__aenter__()
    waiting = asyncio.create_task(anext_slot(queue))
    await asyncio.sleep(0)
    waiting.cancel()
    await holding.__aexit__(None, None, None)
    await asyncio.gather(waiting, return_exceptions=True)

    async with queue.slot("c", first=True, within=SOON):
        with pytest.raises(TimeoutError):
            async with queue.slot("d", first=True, within=0.01):
                pass


async def anext_slot(queue: FairQueue) -> None:
    """Wait for a slot and hold it for long."""
    async with queue.slot("b", first=True, within=SOON):
        await asyncio.sleep(SOON)


async def test_a_user_may_hold_several_slots() -> None:
    """They are counted, and forgotten with the last."""
    queue = FairQueue(3, Clock())
    async with queue.slot("ada", first=True, within=SOON):
        async with queue.slot("ada", first=True, within=SOON):
            assert queue.served == {"ada": 2}
        assert queue.served == {"ada": 1}
        async with queue.slot("bob", first=True, within=SOON):
            assert queue.served == {"ada": 1, "bob": 1}
    assert queue.served == {}
