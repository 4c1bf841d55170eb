"""Bots in line: each gets its time once it is its turn, and advice does not crowd them out."""

import asyncio
import threading
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.play.laying import lay

from mauerwerk.core.game import Seat
from mauerwerk.play import thinking
from mauerwerk.play.errors import TooManyError
from mauerwerk.play.thinking import Thinkers

pytestmark = pytest.mark.anyio


@pytest.fixture
def thinkers(monkeypatch: pytest.MonkeyPatch) -> Thinkers:
    """One worker, a thread."""

    def pool(workers: int, **_given: Any) -> ThreadPoolExecutor:  # noqa: ANN401 - as a pool is made
        return ThreadPoolExecutor(workers)

    def think(*_given: Any) -> str:  # noqa: ANN401 - whatever it is told
        return "T"

    monkeypatch.setattr(thinking, "ProcessPoolExecutor", pool)
    monkeypatch.setattr(thinking, "_choose", think)
    monkeypatch.setattr(thinking, "_advise", think)
    monkeypatch.setattr(thinking, "GRACE", 120.0)
    return Thinkers(1)


async def test_who_waits_in_line_does_not_run_out_of_time(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Five tables share a worker: the time of a bot begins when it is its turn, one at a time."""
    table = lay().table
    wait_for = asyncio.wait_for
    under_way = 0
    at_once: list[int] = []

    async def watched(job: Awaitable[str], within: float) -> str:
        nonlocal under_way
        under_way += 1
        at_once.append(under_way)
        try:
            return await wait_for(job, within)
        finally:
            under_way -= 1

    monkeypatch.setattr("mauerwerk.play.thinking.asyncio.wait_for", watched)
    words = await asyncio.gather(*(thinkers.choose(table, Seat(0), "apprentice") for _ in range(5)))
    thinkers.close()

    assert words == ["T"] * 5
    assert at_once == [1] * 5
    assert caplog.text == ""


async def test_nobody_waits_for_a_worker_that_thinks_for_ever(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its bot plays anything, and the next one has a new worker."""
    table = lay().table
    over = threading.Event()

    def endlessly(*_given: Any) -> str:  # noqa: ANN401 - whatever it is told
        over.wait(60)
        return "T"

    def at_once(*_given: Any) -> str:  # noqa: ANN401 - likewise
        return "T"

    monkeypatch.setattr(thinking, "_choose", endlessly)
    monkeypatch.setattr(thinking, "GRACE", 0.0)
    blindly = await thinkers.choose(table, Seat(0), "apprentice")
    monkeypatch.setattr(thinking, "_choose", at_once)
    monkeypatch.setattr(thinking, "GRACE", 60.0)
    next_one = await thinkers.choose(table, Seat(0), "apprentice")
    over.set()
    thinkers.close()

    assert table.game.parse(blindly) in table.game.legal(table.state, Seat(0))
    assert "a bot failed" in caplog.text
    assert next_one == "T"


async def test_few_wait_for_advice(thinkers: Thinkers) -> None:
    """The others are told at once to come again, and then get theirs."""
    table = lay().table
    asked = [thinkers.advise(table, Seat(0), 0.0) for _ in range(5)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, TooManyError)]

    assert len(refused) == 5 - thinking.MOST_ADVISED
    assert str(await thinkers.advise(table, Seat(0), 0.0)) == "T"
    thinkers.close()
