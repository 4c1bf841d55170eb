"""Advice at tables, and many bots that wait for a process: none stops the others."""

import asyncio
from functools import partial
from typing import Any

import msgspec
import pytest
from tests.support.bots_at_tables import Failing, is_legal
from tests.support.driven_table import start_table
from tests.support.errands import LONG

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.game import Ephemeral, Seat
from mauerwerk.games import GAMES
from mauerwerk.lab.workers import AsyncWorkers, WorkerDiedError, WorkError
from mauerwerk.server.engine import thinking
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.thinking import Turn
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.tables.errors import TooManyError, WarmingUpError
from mauerwerk.server.tables.table import Table
from mauerwerk.server.tables.table_views import sight

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("patient")]


# --- Advice ----------------------------------------------------------------------------------


async def test_few_wait_for_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests beyond the limit are refused at once; later ones are answered again."""
    go = asyncio.Event()

    async def think(*_: object, **__: object) -> str:
        await go.wait()
        return "T"

    monkeypatch.setattr(AsyncWorkers, "run", think)
    bot_workers = BotWorkers(1)
    table = start_table().table
    for _ in range(2):  # whoever was answered does not count any more
        go.clear()
        asked = [asyncio.create_task(_advice(bot_workers, table)) for _ in range(5)]
        await asyncio.sleep(0)
        go.set()
        answers = await asyncio.gather(*asked, return_exceptions=True)

        refused = [answer for answer in answers if isinstance(answer, TooManyError)]
        assert len(refused) == 5 - HostLimits().hints
    assert await _advice(bot_workers, table) == "T"


async def _advice(bot_workers: BotWorkers, table: Table) -> Any:  # noqa: ANN401 - of stand-ins
    return await bot_workers.advise(table, Seat(0), 0.0)


@pytest.mark.parametrize("fault", [TimeoutError(), WorkerDiedError("it died")])
async def test_advice_that_does_not_come_can_be_asked_for_again(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is late or dies is no error of the one who asks."""
    bot_workers = BotWorkers(1)
    monkeypatch.setattr(bot_workers, "_workers", Failing(fault))
    with pytest.raises(TooManyError, match="ask again"):
        await _advice(bot_workers, start_table().table)


async def test_advice_that_waits_for_the_compiler_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a search has answered once, a late one is being compiled; later it is just late."""
    bot_workers, table = BotWorkers(1), start_table().table
    monkeypatch.setattr(bot_workers, "_workers", Failing(TimeoutError()))
    with pytest.raises(WarmingUpError, match="ask again in a minute"):
        await bot_workers.advise(table, Seat(0), 1.0)

    async def think(*_: object, **__: object) -> str:
        return "T"

    monkeypatch.setattr(bot_workers, "_workers", AsyncWorkers(1))
    monkeypatch.setattr(AsyncWorkers, "run", think)
    await bot_workers.advise(table, Seat(0), 1.0)
    monkeypatch.setattr(bot_workers, "_workers", Failing(TimeoutError()))
    with pytest.raises(TooManyError):
        await bot_workers.advise(table, Seat(0), 1.0)


@pytest.mark.process
async def test_advice_comes_from_a_process(bot_workers: BotWorkers) -> None:
    """Without time for a search, advice follows rules of thumb, in the language of the reader."""
    table = start_table().table
    hints = await bot_workers.advise(table, Seat(0), 0.0, "de")

    assert 0 < len(hints) <= 3
    assert all(each.action in table.game.legal(table.state, Seat(0)) for each in hints)


async def test_a_bot_of_other_people_advises(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If it fails, our own bot does, and the log has the reason."""
    thrifty = msgspec.structs.replace(LEVELS["apprentice"], name="thrifty", word="my_bots:Thrifty")
    monkeypatch.setattr("mauerwerk.bots.levels._ADVISERS", {"mauer": thrifty})
    asked: list[Any] = []

    async def run(_: object, work: partial[Any], turn: Turn, *, within: float) -> str:
        asked.append(work.func)
        assert within > (thrifty.seconds if work.func is thinking.advise_as else 0.0)
        if len(asked) > 1 and work.func is thinking.advise_as:
            raise WorkError("BotFault: my_bots:Thrifty: oh no")
        return turn.setup.seats * "!"

    monkeypatch.setattr(AsyncWorkers, "run", run)
    bot_workers = BotWorkers(1)
    table = start_table().table

    assert [await _advice(bot_workers, table) for _ in range(2)] == ["!!!", "!!!"]
    assert asked == [thinking.advise_as, thinking.advise_as, thinking.advise]
    assert "my_bots:Thrifty: oh no" in caplog.text


def test_an_adviser_is_not_told_what_is_to_be_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint knows what lies on the table, in a game of memory nothing else (BB-9)."""
    laid = start_table("burgbaumeister", "hh")
    for _ in range(4):
        laid.move(laid.table.deciding[0], laid.legal(laid.table.deciding[0])[0])
    (seat,) = laid.table.deciding
    turn = Turn("burgbaumeister", 1, laid.table.setup, sight(laid.table, seat))
    assert any(isinstance(event, Ephemeral) for event in turn.sight.told)

    def chosen(_: object, asked: Turn) -> str:
        assert not any(isinstance(event, Ephemeral) for event in asked.sight.told)
        return laid.table.game.write(asked.sight.legal[0])

    monkeypatch.setattr(thinking, "_chosen_outside", chosen)
    (hint,) = thinking.advise_as(LEVELS["master"], "en", turn)
    assert (hint.action, hint.value) == (turn.sight.legal[0], None)
    assert hint.reason == "Master would do this."


# --- Many bots -------------------------------------------------------------------------------


class Thinking:
    """Stands for processes in which every bot thinks for a while."""

    def __init__(self, seconds: float) -> None:
        """This long."""
        self._seconds = seconds

    async def run(self, _work: object, turn: Turn, **_: object) -> str:
        """What the first seat may play, after a while."""
        await asyncio.sleep(self._seconds)
        return GAMES[turn.game].write(turn.sight.legal[0])

    def close(self) -> None:
        """Nothing is left."""


def opened_by(guest: str) -> Table:
    """A table with a bot whose turn it is."""
    table = start_table(letters="bhh").table
    return msgspec.structs.replace(
        table, charter=msgspec.structs.replace(table.charter, opener=guest)
    )


async def test_many_tables_of_one_guest_do_not_stop_the_bots_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thirty bots wait, and another guest's bot is next."""
    bot_workers = BotWorkers(1, HostLimits(bot_wait=LONG))
    monkeypatch.setattr(bot_workers, "_workers", Thinking(0.05))
    many = [
        asyncio.create_task(bot_workers.choose(opened_by("mallory"), Seat(0), "master"))
        for _ in range(30)
    ]
    await asyncio.sleep(0.12)
    before = sum(task.done() for task in many)
    other = asyncio.create_task(bot_workers.choose(opened_by("ada"), Seat(0), "journeyman"))
    await other
    done = sum(task.done() for task in many)
    await asyncio.gather(*many)
    bot_workers.close()

    assert before < done <= before + 2
    assert bot_workers.hurried == 0


async def test_a_bot_that_waits_too_long_plays_by_rules_of_thumb(
    monkeypatch: pytest.MonkeyPatch, played_simply: list[str]
) -> None:
    """At a table with people sooner than where there are none; it is counted."""
    bot_workers = BotWorkers(1, HostLimits(bot_wait=0.1))
    monkeypatch.setattr(bot_workers, "_workers", Thinking(0.5))
    table = opened_by("ada")
    busy = asyncio.create_task(bot_workers.choose(table, Seat(0), "master"))
    await asyncio.sleep(0)
    alone = asyncio.create_task(bot_workers.choose(table, Seat(0), "master", attended=False))
    await asyncio.sleep(0)
    assert bot_workers.queue.waiting(first=False) == 1
    word = await bot_workers.choose(table, Seat(0), "master")
    assert not alone.done()
    await asyncio.gather(busy, alone)
    bot_workers.close()

    assert is_legal(table, word)
    assert (played_simply, bot_workers.hurried) == (["greedy"], 1)
