"""Bots at tables: each thinks in a process of its own, and a fault of one disturbs no other."""

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.driven_table import LEVEL, start_table
from tests.support.errands import LONG, faulty_bot, hang, is_running, started
from tests.support.hosts import first_word, opened, play, set_up, until

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.game import Ephemeral, Seat
from mauerwerk.games import GAMES
from mauerwerk.lab.workers.jobs import AsyncWorkers
from mauerwerk.lab.workers.mapping import WorkerDiedError, WorkError
from mauerwerk.play.host import bots, thinking
from mauerwerk.play.host.bots import BotWorkers
from mauerwerk.play.host.host import Host
from mauerwerk.play.host.limits import HostLimits
from mauerwerk.play.host.thinking import Turn, choose_simply
from mauerwerk.play.tables import requests
from mauerwerk.play.tables.entries import Status
from mauerwerk.play.tables.errors import TooManyError
from mauerwerk.play.tables.sights import sight
from mauerwerk.play.tables.table import Table

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is late unless a test wants it to be."""
    monkeypatch.setattr(bots, "GRACE", LONG)


@pytest.fixture
def bot_workers() -> Iterator[BotWorkers]:
    """Two bots can think at once; no process is left afterwards."""
    before = multiprocessing.active_children()
    workers = BotWorkers(2)
    yield workers
    workers.close()
    assert multiprocessing.active_children() == before


@pytest.fixture
def played_simply(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bots that had to play in the place of another, as they do so."""
    names: list[str] = []
    play = choose_simply

    def noted(name: str, turn: Turn) -> str:
        names.append(name)
        return play(name, turn)

    monkeypatch.setattr(bots, "choose_simply", noted)
    return names


def is_legal(table: Table, word: str) -> bool:
    """Whether the first seat may play it."""
    return table.game.parse(word) in table.game.legal(table.state, Seat(0))


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
    monkeypatch.setattr(bots, "choose", partial(faulty_bot, str(tmp_path), fault))
    table, other = start_table().table, start_table().table
    thinking = asyncio.create_task(bot_workers.choose(other, Seat(0), "journeyman"))
    undisturbed = await started(tmp_path)
    if fault == "hangs":
        monkeypatch.setattr(bots, "GRACE", 0.0)
    words = [await bot_workers.choose(table, Seat(0), "apprentice") for _ in range(2)]

    assert all(is_legal(table, word) for word in words)
    assert played_simply == ["greedy", "greedy"]
    assert is_running(undisturbed)
    assert not thinking.done()
    (tmp_path / "go").touch()
    assert is_legal(other, await thinking)
    assert len(played_simply) == 2
    (logged,) = caplog.records
    assert (logged.message, vars(logged)["game"]) == ("a bot failed", "mauer")
    assert vars(logged)["level"] == "apprentice"
    assert cause in caplog.text


class Failing:
    """Workers that fail in ways of which each is the next."""

    def __init__(self, *faults: Exception) -> None:
        """With these, one after the other."""
        self.faults = iter(faults)

    async def run(self, *_: object, **__: object) -> str:
        """Fail."""
        raise next(self.faults)


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
    assert [(level, info[1]) for level, info in logged if info] == [
        ("journeyman", wet),
        ("journeyman", died),
        ("journeyman", key),
        ("journeyman", faults[5]),
        ("master", wet),
    ]


async def test_a_table_goes_on_even_if_the_greedy_bot_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If the greedy bot fails too, a random legal move is played and both are logged."""
    bot_workers = BotWorkers(1)
    monkeypatch.setattr(bot_workers, "_workers", Failing(TimeoutError()))
    play = choose_simply

    def only_by_chance(name: str, turn: Turn) -> str:
        if name == "greedy":
            raise ZeroDivisionError
        return play(name, turn)

    monkeypatch.setattr(bots, "choose_simply", only_by_chance)
    table = start_table().table

    assert is_legal(table, await bot_workers.choose(table, Seat(0), "apprentice"))
    assert [each.exc_info[0] for each in caplog.records if each.exc_info] == [
        TimeoutError,
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
    before = multiprocessing.active_children()
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
    monkeypatch.setattr(bots, "choose", partial(faulty_bot, str(tmp_path), ""))
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
    monkeypatch.setattr(bots, "warm", partial(hang, str(compiling)))
    monkeypatch.setattr(bots, "choose", partial(faulty_bot, str(tmp_path), ""))
    before = multiprocessing.active_children()
    bot_workers = BotWorkers(1)
    bot_workers.begin()
    await started(compiling)
    thinking = asyncio.create_task(bot_workers.choose(start_table().table, Seat(0), "journeyman"))
    await started(tmp_path)
    assert len(multiprocessing.active_children()) == len(before) + 2
    thinking.cancel()
    bot_workers.close()
    assert multiprocessing.active_children() == before
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

    async def run(self, work: "partial[str]", turn: Turn, *, within: float) -> str:
        """Any legal word."""
        del within
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
    monkeypatch.setattr(bots, "can_search", lambda: True)
    unusable: list[str] = []
    monkeypatch.setattr(bots, "note_unusable", unusable.append)
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


async def test_a_bot_of_other_people_that_fails_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It has lost, and the greedy bot plays on for it."""
    asked: list[str] = []

    async def fail(_: object, work: partial[str], turn: Turn, within: float) -> str:
        asked.append(f"{turn.sight.seat} {within:.1f}")
        level = work.args[0].level
        raise WorkError(f"BotFault: {level.word}: oh no\nTraceback …")

    thrifty = msgspec.structs.replace(LEVELS["apprentice"], name="thrifty", word="my_bots:Thrifty")
    monkeypatch.setattr("mauerwerk.bots.levels._OFFERED", {"thrifty": (thrifty, frozenset())})
    monkeypatch.setattr(AsyncWorkers, "run", fail)
    bot_workers = BotWorkers(1)
    laid = start_table("mauer", "bhh")

    with pytest.raises(bots.ForfeitError):
        await bot_workers.choose(laid.table, Seat(0), "thrifty")
    laid.do(requests.forfeit, Seat(0), LEVEL)
    words = [await bot_workers.choose(laid.table, Seat(0), "thrifty") for _ in range(2)]

    assert all(is_legal(laid.table, word) for word in words)
    assert asked == [f"0 {0.1 + bots.GRACE:.1f}"]
    assert "my_bots:Thrifty: oh no" in caplog.text


async def test_a_bot_does_not_lose_by_a_fault_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If its worker is killed or the machine is busy, the greedy bot makes that one move."""
    thrifty = msgspec.structs.replace(LEVELS["apprentice"], name="thrifty", word="my_bots:Thrifty")
    monkeypatch.setattr("mauerwerk.bots.levels._OFFERED", {"thrifty": (thrifty, frozenset())})
    bot_workers = BotWorkers(1)
    monkeypatch.setattr(bot_workers, "_workers", Failing(WorkerDiedError("killed"), TimeoutError()))
    table = start_table("mauer", "bhh").table

    words = [await bot_workers.choose(table, Seat(0), "thrifty") for _ in range(2)]

    assert all(is_legal(table, word) for word in words)


async def test_a_failed_bot_forfeits_at_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written down before anybody plays on for it."""

    async def choose(
        self: BotWorkers, table: Table, seat: Seat, level: str, *, attended: bool
    ) -> str:
        if not table.occupants[seat].forfeited:
            raise bots.ForfeitError
        return await first_word(self, table, seat, level, attended=attended)

    monkeypatch.setattr(BotWorkers, "choose", choose)
    async with opened(str(tmp_path / "data")) as host:
        table = await set_up(host, letters="bhh", options={"rounds": "1", "stall": "1"})
        await play(host, table, "1:- 2:-")
        await until(lambda: is_over(host, table))
        outcome = (await host.table(table)).outcome

    assert outcome is not None
    assert outcome.ranks == (3, 1, 1)


async def is_over(host: Host, table: str) -> bool:
    return (await host.table(table)).status is Status.OVER


async def test_a_server_without_kernels_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("mauerwerk.bots.find_spec", lambda _: None)

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
    monkeypatch.setattr(bots, "can_search", lambda: True)
    bot_workers.begin()
    for _ in GAMES:
        compiler.go.put_nowait(WorkerDiedError("the worker died"))
    while not compiler.closed:  # noqa: ASYNC110 - it takes a few turns of the loop
        await asyncio.sleep(0)
    table = start_table().table
    await bot_workers.choose(table, table.deciding[0], "master")

    assert seeing.ahead == [True]
    assert caplog.text.count("a search could not be compiled") == len(GAMES)


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

    async def run(_: object, work: partial[Any], turn: Turn, **__: object) -> str:
        asked.append(work.func)
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
    bot_workers = BotWorkers(1)
    monkeypatch.setattr(bot_workers, "_workers", Thinking(0.05))
    many = [
        asyncio.create_task(bot_workers.choose(opened_by("mallory"), Seat(0), "master"))
        for _ in range(30)
    ]
    await asyncio.sleep(0.12)
    other = asyncio.create_task(bot_workers.choose(opened_by("ada"), Seat(0), "journeyman"))
    await other
    done = sum(task.done() for task in many)
    await asyncio.gather(*many)
    bot_workers.close()

    assert done <= 5
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
    assert bot_workers.waiting(attended=False) == 1
    word = await bot_workers.choose(table, Seat(0), "master")
    await asyncio.gather(busy, alone)
    bot_workers.close()

    assert is_legal(table, word)
    assert (played_simply, bot_workers.hurried) == (["greedy"], 1)
