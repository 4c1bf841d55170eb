"""What answers cost: CPU time counts, waiting does not, and nobody else has to wait."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from time import thread_time

import pytest
from tests.server.http.test_limits import Clock
from tests.support.web_server import serving

from mauerwerk.server.http.costs import Costs, Lane
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.limits import MUCH, Limiter
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.meter import metered

pytestmark = pytest.mark.anyio
REQUEST = 0.002
"""Seconds of CPU time that a request includes."""


def compute(seconds: float) -> None:
    """Use this much CPU time."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


@pytest.fixture(name="limiter")
def _limiter() -> Limiter:
    return Limiter(Limits(), Clock())


def spent(limiter: Limiter, client: str = "ada") -> float:
    """The requests for which a client was charged."""
    return limiter._requests.missing(client)  # noqa: SLF001 - nothing else tells


async def test_work_counts_and_waiting_does_not(limiter: Limiter) -> None:
    """A page that takes ten times as long as a request includes counts as ten; a wait, as one."""
    costs = Costs(limiter)

    async def wait() -> str:
        await asyncio.sleep(0.05)
        return "waited"

    async def work() -> None:
        compute(5 * REQUEST)
        await asyncio.sleep(0)
        compute(5 * REQUEST)

    assert await costs.charged("ada", wait()) == "waited"
    assert spent(limiter) == 0
    await costs.charged("ada", work())
    assert 8.9 < spent(limiter) < 12


async def test_work_in_threads_counts(limiter: Limiter) -> None:
    """What a request has done in threads is charged when it goes on."""
    costs = Costs(limiter)

    async def look_up() -> None:
        await asyncio.to_thread(metered(compute), 5 * REQUEST)

    async def draw() -> None:
        await costs.in_thread("bob", compute, 5 * REQUEST)

    await costs.charged("ada", look_up())
    await costs.charged("bob", draw())
    assert 3.9 < spent(limiter, "ada") < 6
    assert 3.9 < spent(limiter, "bob") < 6


async def test_what_a_stream_tells_counts_from_the_first_moment(limiter: Limiter) -> None:
    """No request has paid for the pictures of a stream."""

    async def draw() -> None:
        compute(REQUEST)

    await Costs(limiter).streamed("ada", draw())
    assert 0.9 < spent(limiter) < 2


async def test_work_is_ended_like_any_other(limiter: Limiter) -> None:
    """Errors, timeouts and the end of a task reach the work, also where it waits for its turn."""
    costs, lane_is_taken = Costs(limiter), asyncio.Event()
    ended: list[str] = []

    async def work(name: str) -> None:
        try:
            await asyncio.sleep(60)
        except BaseException as error:
            ended.append(f"{name}: {type(error).__name__}")
            raise

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError("so it is")

    async def keep_the_lane() -> None:
        await costs._lane.turn("bob")  # noqa: SLF001 - as if it had a long step
        lane_is_taken.set()

    with pytest.raises(ValueError, match="so it is"):
        await costs.charged("ada", fail())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await costs.charged("ada", work("within a time"))
    task = asyncio.create_task(costs.charged("ada", work("cancelled")))
    await asyncio.sleep(0)
    limiter.charge("ada", REQUEST * (MUCH + 1))
    await keep_the_lane()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    late = asyncio.create_task(costs.charged("ada", work("not begun")))
    await asyncio.sleep(0)
    late.cancel()
    with suppress(asyncio.CancelledError):
        await late
    assert ended == ["within a time: CancelledError", "cancelled: CancelledError"]


async def test_clients_that_take_much_take_turns() -> None:
    """One step at a time, clients in turn, and a rest as long as the work; nobody is forgotten."""
    lane = Lane()
    order: list[str] = []

    async def step(client: str) -> None:
        await lane.turn(client)
        order.append(client)
        lane.done(0.0)

    await lane.turn("eve")
    steps = [asyncio.create_task(step(client)) for client in ("ada", "ada", "ada", "bob")]
    await asyncio.sleep(0)
    steps[0].cancel()
    lane.done(0.0)
    await asyncio.gather(*steps, return_exceptions=True)
    assert order == ["ada", "bob", "ada"]
    loop = asyncio.get_running_loop()
    await lane.turn("eve")
    began = loop.time()
    lane.done(0.05)
    await lane.turn("eve")
    assert loop.time() - began >= 0.04


async def test_others_do_not_wait_behind_a_heap_of_work(limiter: Limiter) -> None:
    """A client asks for a hundred pages at once; somebody else's answer comes between them."""
    costs = Costs(limiter)
    done: list[str] = []

    async def page(client: str) -> None:
        await asyncio.sleep(0)
        compute(REQUEST)
        done.append(client)

    heap = [asyncio.create_task(costs.charged("eve", page("eve"))) for _ in range(100)]
    for _ in heap:
        limiter.request("eve")
    await asyncio.sleep(0)
    await costs.charged("ada", page("ada"))
    assert done.index("ada") <= 2
    await asyncio.gather(*heap)


def people_at(limiter: Limiter, clock: Clock, seconds: int, *rates: tuple[float, float]) -> None:
    """Requests of one client at regular times: so many per second, each of this CPU time."""

    def requests() -> Iterator[tuple[float, float]]:
        for per_second, cost in rates:
            yield from ((number / per_second, cost) for number in range(int(seconds * per_second)))

    for at, cost in sorted(requests()):
        clock.now = at
        limiter.request("home")
        limiter.charge("home", max(0.0, cost - REQUEST))


@pytest.mark.parametrize(
    "rates",
    [
        pytest.param([(2, 0.012), (10, 0.0005)], id="a fast reader: two pages a second"),
        pytest.param(
            [(2, 0.008), (12, 0.005), (12, 0.004)],
            id="six at one address: moves, previews, and a picture of each move for each of them",
        ),
        pytest.param([(95, 0.001)], id="a bot that plays over the API as fast as it may"),
    ],
)
def test_ordinary_players_never_notice(rates: list[tuple[float, float]]) -> None:
    """The costs are twice those measured (`bench.page_costs`); they play for ten minutes."""
    clock = Clock()
    limiter = Limiter(Limits(), clock)
    people_at(limiter, clock, 600, *rates)
    assert dict(limiter.refused) == {}


def test_a_client_that_asks_for_expensive_pages_is_refused() -> None:
    """A hundred pages of five milliseconds each second are too many; a hundred looks are not."""
    clock = Clock()
    limiter = Limiter(Limits(), clock)
    people_at(limiter, clock, 20, (99, 0.001))
    with pytest.raises(HttpError):
        people_at(Limiter(Limits(), clock), clock, 20, (99, 0.005))


def test_pages_that_take_long_are_refused_before_others_notice(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The client gets 429 after a few pages, held back for a while; others get their pages."""
    settings = Settings(limits=Limits(requests=0.01, burst=40, request_ms=0.1), trust_proxy=True)
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        eve, ada = (site.client(x_forwarded_for=f"192.0.2.{each}") for each in (1, 2))
        first = refused = eve.get("/new/mauerbauer")
        for _ in range(9):  # to refuse takes a second
            if refused.status_code == 200:
                refused = eve.get("/new/mauerbauer")

        assert first.status_code == 200
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.elapsed.total_seconds() > 0.5
        assert ada.get("/healthz").status_code == 200
