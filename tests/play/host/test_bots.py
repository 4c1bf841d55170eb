"""Bots in line: each gets its time once it is its turn, and advice does not crowd them out."""

import asyncio
import threading
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.support.driven_table import start_table

from mauerwerk.core.game import Seat
from mauerwerk.play.host import bots
from mauerwerk.play.host.bots import BotWorkers
from mauerwerk.play.tables.errors import TooManyError

pytestmark = pytest.mark.anyio


@pytest.fixture
def bot_workers(monkeypatch: pytest.MonkeyPatch) -> BotWorkers:
    """One worker, a thread."""

    def pool(workers: int, **_given: Any) -> ThreadPoolExecutor:  # noqa: ANN401 - as a pool is made
        return ThreadPoolExecutor(workers)

    def think(*_given: Any) -> str:  # noqa: ANN401 - whatever it is told
        return "T"

    monkeypatch.setattr(bots, "ProcessPoolExecutor", pool)
    monkeypatch.setattr(bots, "_choose", think)
    monkeypatch.setattr(bots, "_advise", think)
    monkeypatch.setattr(bots, "GRACE", 120.0)
    return BotWorkers(1)


async def test_who_waits_in_line_does_not_run_out_of_time(
    bot_workers: BotWorkers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Five tables share a worker: the time of a bot begins when it is its turn, one at a time."""
    table = start_table().table
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

    monkeypatch.setattr("mauerwerk.play.host.bots.asyncio.wait_for", watched)
    words = await asyncio.gather(
        *(bot_workers.choose(table, Seat(0), "apprentice") for _ in range(5))
    )
    bot_workers.close()

    assert words == ["T"] * 5
    assert at_once == [1] * 5
    assert caplog.text == ""


async def test_nobody_waits_for_a_worker_that_thinks_for_ever(
    bot_workers: BotWorkers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its bot plays anything, and the next one has a new worker."""
    table = start_table().table
    over = threading.Event()

    def endlessly(*_given: Any) -> str:  # noqa: ANN401 - whatever it is told
        over.wait(60)
        return "T"

    def at_once(*_given: Any) -> str:  # noqa: ANN401 - likewise
        return "T"

    monkeypatch.setattr(bots, "_choose", endlessly)
    monkeypatch.setattr(bots, "GRACE", 0.0)
    blindly = await bot_workers.choose(table, Seat(0), "apprentice")
    monkeypatch.setattr(bots, "_choose", at_once)
    monkeypatch.setattr(bots, "GRACE", 60.0)
    next_one = await bot_workers.choose(table, Seat(0), "apprentice")
    over.set()
    bot_workers.close()

    assert table.game.parse(blindly) in table.game.legal(table.state, Seat(0))
    assert "a bot failed" in caplog.text
    assert next_one == "T"


async def test_few_wait_for_advice(bot_workers: BotWorkers) -> None:
    """The others are told at once to come again, and then get theirs."""
    table = start_table().table
    asked = [bot_workers.advise(table, Seat(0), 0.0) for _ in range(5)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, TooManyError)]

    assert len(refused) == 5 - bots.MOST_ADVISED
    assert str(await bot_workers.advise(table, Seat(0), 0.0)) == "T"
    bot_workers.close()
