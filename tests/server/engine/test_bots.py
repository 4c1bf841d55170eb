"""Bots at tables: each thinks in a process of its own, and a fault of one disturbs no other."""

import asyncio
import multiprocessing
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.support.bots_at_tables import Failing, is_legal
from tests.support.driven_table import start_table
from tests.support.errands import faulty_bot, hang, is_running, started

from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES
from mauerwerk.lab.workers import WorkerDiedError, WorkError
from mauerwerk.server.engine import thinking as thoughts
from mauerwerk.server.engine import workers
from mauerwerk.server.engine.thinking import Turn, choose_simply
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.tables.table_views import sight

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("patient")]


# --- Faults ----------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        ("hangs", "TimeoutError"),
        ("dies", "WorkerDiedError"),
        ("raises", "the bricks are wet"),
        (">", "illegal move"),
        ("?", "NotAWordError"),
    ],
)
async def test_a_fault_of_a_bot_disturbs_no_other(  # noqa: PLR0913, PLR0917 - all that is watched
    fault: str,
    cause: str,
    bot_workers: BotWorkers,
    played_simply: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The greedy bot plays in its place, while the bot of another table goes on thinking."""
    monkeypatch.setattr(thoughts, "choose", partial(faulty_bot, str(tmp_path), fault))
    table, other = start_table().table, start_table().table
    thinking = asyncio.create_task(bot_workers.choose(other, Seat(0), "journeyman"))
    undisturbed = await started(tmp_path)
    if fault == "hangs":
        monkeypatch.setattr(workers, "GRACE", 0.0)
    words = [await bot_workers.choose(table, Seat(0), "apprentice") for _ in range(2)]

    assert all(is_legal(table, word) for word in words)
    assert played_simply == ["greedy", "greedy"]
    assert is_running(undisturbed)
    assert not thinking.done()
    (tmp_path / "go").touch()
    assert is_legal(other, await thinking)
    assert len(played_simply) == 2
    (logged,) = caplog.records
    if fault == "hangs":  # the machine may be busy: nothing is wrong with the program
        assert (logged.levelname, logged.exc_info) == ("WARNING", None)
        assert "game mauer, level apprentice" in logged.message
        return
    assert (logged.message, vars(logged)["game"]) == ("a bot failed", "mauer")
    assert vars(logged)["level"] == "apprentice"
    assert cause in caplog.text


async def test_a_failure_is_logged_once_per_cause(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A cause is logged once for each game and level, whatever its details are."""
    bot_workers = BotWorkers(1)
    wet, dry = WorkError("ValueError: wet"), WorkError("ValueError: dry")
    died, key = WorkerDiedError("died"), WorkError("KeyError: 3")
    faults = (wet, dry, died, key, died, TimeoutError(), wet, wet)
    monkeypatch.setattr(bot_workers, "_workers", Failing(*faults))
    table = start_table().table
    for _ in faults[:-1]:
        await bot_workers.choose(table, Seat(0), "journeyman")
    await bot_workers.choose(table, Seat(0), "master")

    logged = [(vars(each)["level"], each.exc_info) for each in caplog.records]
    assert [(level, info and info[1]) for level, info in logged] == [
        ("journeyman", wet),
        ("journeyman", died),
        ("journeyman", key),
        ("journeyman", None),  # it was late, which is no fault of the program
        ("master", wet),
    ]


async def test_a_table_goes_on_even_if_the_greedy_bot_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If the greedy bot fails too, a random legal move is played and both are logged."""
    bot_workers = BotWorkers(1)
    monkeypatch.setattr(bot_workers, "_workers", Failing(WorkError("ValueError: wet")))
    play = choose_simply

    def only_by_chance(name: str, turn: Turn) -> str:
        if name == "greedy":
            raise ZeroDivisionError
        return play(name, turn)

    monkeypatch.setattr(thoughts, "choose_simply", only_by_chance)
    table = start_table().table

    assert is_legal(table, await bot_workers.choose(table, Seat(0), "apprentice"))
    assert [each.exc_info[0] for each in caplog.records if each.exc_info] == [
        WorkError,
        ZeroDivisionError,
    ]


def test_the_greedy_bot_needs_no_process() -> None:
    """In every game the greedy bot plays its best move at once, in this process."""
    for game in GAMES:
        table = start_table(game).table
        seat = table.deciding[0]
        turn = Turn(game, table.charter.rules, table.setup, sight(table, seat))
        word = choose_simply("greedy", turn)
        assert table.game.parse(word) in turn.sight.legal


# --- Turns -----------------------------------------------------------------------------------


@pytest.mark.process
async def test_bots_that_wait_for_their_turn_are_not_late(
    played_simply: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Five tables share a process, and every bot plays its own move."""
    before = {*multiprocessing.active_children()}
    bot_workers = BotWorkers(1)
    table = start_table().table
    words = await asyncio.gather(
        *(bot_workers.choose(table, Seat(0), "apprentice") for _ in range(5))
    )
    assert len(multiprocessing.active_children()) == len(before) + 1
    bot_workers.close()

    assert all(is_legal(table, word) for word in words)
    assert played_simply == []
    assert caplog.text == ""


@pytest.mark.process
async def test_a_bot_whose_move_is_not_wanted_any_more_ends(
    bot_workers: BotWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process of a bot is killed when its move is no longer wanted."""
    monkeypatch.setattr(thoughts, "choose", partial(faulty_bot, str(tmp_path), ""))
    table = start_table().table
    thinking = asyncio.create_task(bot_workers.choose(table, Seat(0), "journeyman"))
    pid = await started(tmp_path)
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thinking

    assert not is_running(pid)


@pytest.mark.process
async def test_nothing_thinks_after_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """All processes end at once, including the one that compiles."""
    compiling = tmp_path / "compiling"
    compiling.mkdir()
    monkeypatch.setattr(thoughts, "warm", partial(hang, str(compiling)))
    monkeypatch.setattr(thoughts, "choose", partial(faulty_bot, str(tmp_path), ""))
    before = {*multiprocessing.active_children()}
    bot_workers = BotWorkers(1)
    bot_workers.begin()
    await started(compiling)
    thinking = asyncio.create_task(bot_workers.choose(start_table().table, Seat(0), "journeyman"))
    await started(tmp_path)
    assert len(multiprocessing.active_children()) == len(before) + 2
    thinking.cancel()
    bot_workers.close()
    assert {*multiprocessing.active_children()} <= before
    await asyncio.wait([thinking])

    assert caplog.text == ""


# --- Compiling -------------------------------------------------------------------------------


class Compiler:
    """Compiles when it is told to, one game after the other."""

    def __init__(self) -> None:
        """With nothing compiled."""
        self.go: asyncio.Queue[Exception | None] = asyncio.Queue()
        self.closed = False

    async def run(self, work: Callable[[str], None], game: str) -> None:
        """Wait for the sign."""
        del work, game
        if fault := await self.go.get():
            raise fault

    def close(self) -> None:
        """End."""
        self.closed = True


class Seeing:
    """Workers that only note whether a bot may search."""

    def __init__(self) -> None:
        """With nothing seen."""
        self.ahead: list[bool] = []

    async def run(self, work: "partial[str]", turn: Turn, **_: object) -> str:
        """Any legal word."""
        self.ahead.append(work.args[0].ahead)
        return choose_simply("uniform", turn)


async def test_bots_search_once_their_game_is_compiled(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Until a game is compiled, and if it cannot be, its bots play by rules of thumb."""
    bot_workers = BotWorkers(1)
    compiler, seeing = Compiler(), Seeing()
    monkeypatch.setattr(bot_workers, "_compiler", compiler)
    monkeypatch.setattr(bot_workers, "_workers", seeing)
    monkeypatch.setattr(workers, "can_search", lambda: True)
    unusable: list[str] = []
    monkeypatch.setattr(workers, "note_unusable", unusable.append)
    tables = [start_table(game).table for game in GAMES]

    async def ask_all() -> list[bool]:
        seeing.ahead.clear()
        for table in tables:
            await bot_workers.choose(table, table.deciding[0], "master")
        return list(seeing.ahead)

    assert await ask_all() == [True, True, True]  # nothing compiles: a bot loads what it needs
    bot_workers.begin()
    assert await ask_all() == [False, False, False]
    for sign in (None, WorkError("LoweringError: no"), None):
        compiler.go.put_nowait(sign)
    while not compiler.closed:  # noqa: ASYNC110 - it takes a few turns of the loop
        await asyncio.sleep(0)

    assert await ask_all() == [True, False, True]
    assert unusable == ["burgbaumeister"]  # pages say so, beside the level
    assert "a search could not be compiled" in caplog.text


async def test_a_server_without_kernels_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("mauerwerk.bots.can_run", lambda *_: False)

    BotWorkers(1).begin()

    assert "play by rules of thumb: kernels are not installed" in caplog.text


async def test_a_compiler_that_died_holds_no_game_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If the process that compiles is killed, it is logged, and bots search all the same."""
    bot_workers = BotWorkers(1)
    compiler, seeing = Compiler(), Seeing()
    monkeypatch.setattr(bot_workers, "_compiler", compiler)
    monkeypatch.setattr(bot_workers, "_workers", seeing)
    monkeypatch.setattr(workers, "can_search", lambda: True)
    bot_workers.begin()
    for _ in GAMES:
        compiler.go.put_nowait(WorkerDiedError("the worker died"))
    while not compiler.closed:  # noqa: ASYNC110 - it takes a few turns of the loop
        await asyncio.sleep(0)
    table = start_table().table
    await bot_workers.choose(table, table.deciding[0], "master")

    assert seeing.ahead == [True]
    assert caplog.text.count("a search could not be compiled") == len(GAMES)
