"""Analyses beside everything else: one game at a time, once each, kept, and gone with the house."""

import asyncio
import multiprocessing
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from tests.support.errands import hang, is_running, started

from mauerwerk.core import record
from mauerwerk.core.record import Record
from mauerwerk.games import GAMES
from mauerwerk.lab import analysis
from mauerwerk.lab.analysis import AnalysedPosition
from mauerwerk.lab.workers import Workers, map_unordered
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.features.replay import analyses as analyses_module
from mauerwerk.server.features.replay.analyses import Analyses, Job
from mauerwerk.server.tables.errors import TooManyError

pytestmark = pytest.mark.anyio

GAME: Final = record.read("mauer/1 seats=3 rounds=1 first=0\n0:T 1:4 2:- 0:>\n", GAMES)
ANOTHER: Final = replace(GAME, moves=GAME.moves[:3])
SOON: Final = 120.0
"""Seconds after which something is taken not to happen any more."""


def games(number: int) -> list[Record]:
    """This many games, none of them twice."""
    shapes = (
        (seats, rounds, stall) for seats in (3, 4) for rounds in range(1, 11) for stall in (1, 2, 3)
    )
    texts = [
        f"mauer/1 seats={seats} rounds={rounds} stall={stall}\n" for seats, rounds, stall in shapes
    ]
    kept = [record.read(text, GAMES) for text in texts]
    assert len(kept) >= number
    return kept[:number]


async def until(what: Callable[[], object], seconds: float = SOON) -> None:
    """Wait for it, and not forever."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


class Slow:
    """Thinks of nothing, and goes on when it is told to."""

    def __init__(self) -> None:
        """It waits before the first position."""
        self.go = threading.Semaphore(0)
        self.looked_at: list[Record] = []
        self.closed = 0

    def __call__(self, kept: Record) -> Generator[AnalysedPosition, None, None]:
        """Each position, when it may; even chances all along."""
        self.looked_at.append(kept)
        seats = kept.setup.seats
        try:
            for at in range(len(kept.moves) + 1):
                self.go.acquire()
                yield AnalysedPosition(at, (1 / seats,) * seats)
        finally:
            self.closed += 1


@pytest.fixture
def slow() -> Slow:
    """A search that takes its time."""
    return Slow()


@pytest.fixture
async def host(slow: Slow) -> AsyncIterator[Analyses]:
    """Analyses by that search."""
    async with Analyses(analyser=slow) as analyses:
        yield analyses
        slow.go.release(1_000)


async def done(analyses: Analyses, slow: Slow, kept: Record, whose: str = "ada") -> Job:
    """A game that was analysed."""
    job = analyses.ask(kept, whose=whose)
    slow.go.release(len(kept.moves) + 1)
    await until(lambda: not job.under_way)
    return job


async def test_one_can_watch_it_come(host: Analyses, slow: Slow) -> None:
    """An analysis gets ready, then reports position after position, then is complete."""
    assert host.known(GAME) is None
    job = host.ask(GAME, whose="ada")
    await until(lambda: job.stage == "getting ready")
    assert (job.progress, job.seconds_left, job.result) == (0.0, None, None)
    slow.go.release(2)
    await until(lambda: job.progress == 2 / 5)
    assert job.stage == "thinking"
    assert job.seconds_left is not None
    slow.go.release(3)
    await until(lambda: job.result)
    assert (job.stage, job.progress, job.seconds_left) == ("done", 1.0, 0.0)
    assert job.result is not None
    assert [position.at for position in job.result.positions] == list(range(5))


async def test_a_game_is_analysed_once(host: Analyses, slow: Slow) -> None:
    """Everybody who asks for it, during or after the analysis, gets the same one."""
    job = host.ask(GAME, whose="ada")
    assert host.ask(GAME, whose="ben") is job
    await done(host, slow, GAME)
    assert host.ask(GAME, whose="ada") is host.known(GAME) is job
    assert slow.looked_at == [GAME]


async def test_one_at_a_time_for_each_guest(host: Analyses, slow: Slow) -> None:
    """A guest has one analysis at a time; another guest may ask and waits in the queue."""
    first = host.ask(GAME, whose="ada")
    with pytest.raises(TooManyError, match="still under way"):
        host.ask(ANOTHER, whose="ada")
    second = host.ask(ANOTHER, whose="ben")
    await until(lambda: first.stage == "getting ready")
    assert second.stage == "waiting"
    slow.go.release(9)
    await until(lambda: second.stage == "done")
    assert first.stage == "done"
    assert host.ask(games(1)[0], whose="ada").under_way


async def test_the_line_is_not_endless(host: Analyses, slow: Slow) -> None:
    """Beyond the limit of the queue a request is refused and nothing is begun."""
    begun, *waiting, late = games(HostLimits().all_analyses + 2)
    host.ask(begun, whose="first")
    await until(lambda: slow.looked_at == [begun])
    for place, kept in enumerate(waiting):
        host.ask(kept, whose=f"guest {place}", client=f"client {place}")
    with pytest.raises(TooManyError, match="ask again"):
        host.ask(late, whose="late", client="late")
    assert host.known(late) is None
    assert host.waiting == HostLimits().all_analyses


async def test_many_guests_of_one_client_leave_room_for_others(host: Analyses, slow: Slow) -> None:
    """One client cannot fill the queue, and another's game is next."""
    begun, *many, one_more, other = games(HostLimits().analyses + 3)
    host.ask(begun, whose="first", client="a")
    await until(lambda: slow.looked_at == [begun])
    for place, kept in enumerate(many):
        host.ask(kept, whose=f"guest {place}", client="a")
    with pytest.raises(TooManyError, match="ask again"):
        host.ask(one_more, whose="another", client="a")
    host.ask(other, whose="ben", client="b")
    slow.go.release(1_000)
    await until(lambda: len(slow.looked_at) == HostLimits().analyses + 2)

    assert slow.looked_at == [begun, other, *many]


async def test_asking_how_far_it_is_costs_no_place_in_the_line(host: Analyses, slow: Slow) -> None:
    """A page that waits asks every few seconds."""
    begun, first, second = games(3)
    host.ask(begun, whose="ada", client="a")
    await until(lambda: slow.looked_at == [begun])
    host.ask(first, whose="ben", client="b")
    host.ask(second, whose="cleo", client="c")
    host.known(first)
    slow.go.release(1_000)
    await until(lambda: len(slow.looked_at) == 3)

    assert slow.looked_at == [begun, first, second]


async def test_nobody_keeps_all_others_waiting(host: Analyses, slow: Slow) -> None:
    """A record that is too long is not analysed."""
    endless = replace(GAME, moves=GAME.moves[:1] * (HostLimits().analysed_moves + 1))
    with pytest.raises(TooManyError, match="are not analysed"):
        host.ask(endless, whose="ada")
    assert slow.looked_at == []


async def test_a_fault_breaks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The error is logged and reported, and the next request tries again."""
    failing = True

    def think(kept: Record) -> Generator[AnalysedPosition, None, None]:
        if failing:
            raise RuntimeError("a worker died")
        for at in range(len(kept.moves) + 1):
            yield AnalysedPosition(at, (1.0, 0.0, 0.0))

    analyses = Analyses(analyser=think)
    job = analyses.ask(GAME, whose="ada")
    await until(lambda: job.stage == "failed")
    assert "a worker died" in caplog.text
    failing = False
    again = analyses.ask(GAME, whose="ada")
    await until(lambda: again.stage == "done")


async def test_analyses_are_kept_beyond_the_server(slow: Slow, tmp_path: Path) -> None:
    """The next server finds it in the folder, and ignores files that are no analyses."""
    folder = tmp_path / "analyses"
    before = Analyses(folder=folder, analyser=slow)
    result = (await done(before, slow, GAME)).result
    await until(lambda: list(folder.glob("*.json")))

    after = Analyses(folder=folder, analyser=slow)
    found = after.known(GAME)
    assert found is not None
    assert (found.stage, found.result) == ("done", result)
    assert after.known(ANOTHER) is None
    assert [path.suffix for path in folder.iterdir()] == [".json"]

    (kept,) = folder.iterdir()
    kept.write_text('{"type": "analysis"}')
    assert Analyses(folder=folder, analyser=slow).known(GAME) is None


async def test_only_so_many_are_kept(
    slow: Slow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The latest are kept, in memory and in the folder."""
    monkeypatch.setattr(analyses_module, "KEPT", 2)
    limits = HostLimits(kept_analyses=3)
    analyses = Analyses(folder=tmp_path, analyser=slow, limits=limits)
    for kept in games(5):
        await done(analyses, slow, kept)
        await asyncio.sleep(0.02)  # so that their times differ
    await until(lambda: len(list(tmp_path.glob("*.json"))) == 3)
    assert [analyses.known(kept) is not None for kept in games(5)] == [
        False,
        False,
        True,
        True,
        True,
    ]


async def test_it_ends_with_the_host(host: Analyses, slow: Slow) -> None:
    """A running analysis is given up at once, and no new one can be requested."""
    job = host.ask(GAME, whose="ada")
    waiting = host.ask(ANOTHER, whose="ben")
    slow.go.release(1)
    await until(lambda: job.progress)

    closing = asyncio.create_task(host.__aexit__())
    await asyncio.sleep(0.05)
    assert not closing.done()
    slow.go.release()
    await closing
    assert slow.closed == 1
    assert (job.stage, waiting.stage) == ("failed", "failed")
    with pytest.raises(TooManyError, match="closing"):
        host.ask(games(1)[0], whose="ada")


@pytest.mark.process
@pytest.mark.kernels
async def test_the_search_does_it_in_processes_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real game is analysed by a real search, and no process is left afterwards."""
    monkeypatch.setattr(analysis, "SECONDS", 0.5)
    before = {*multiprocessing.active_children()}
    analyses = Analyses(1)
    job = analyses.ask(GAME, whose="ada")
    await until(lambda: job.stage != "waiting")
    await until(lambda: {*multiprocessing.active_children()} != before or not job.under_way)
    await until(lambda: not job.under_way, 600)  # the search may have to be compiled
    assert job.result is not None
    assert job.result.by == "search"
    assert all(sum(each.chances) == pytest.approx(1) for each in job.result.positions)
    await analyses.__aexit__()
    assert {*multiprocessing.active_children()} <= before


@pytest.mark.process
async def test_a_search_that_hangs_ends_with_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its processes are killed, and the analysis has failed."""
    nice: list[int] = []

    def endless(
        _record: Record, *, hire: Callable[[int], AbstractContextManager[Workers]], **_: object
    ) -> Generator[AnalysedPosition, None, None]:
        with hire(1) as workers:
            nice.extend(map_unordered(os.nice, [0], workers))
            list(map_unordered(hang, [str(tmp_path)], workers))
        yield AnalysedPosition(0, (1.0, 0.0, 0.0))

    monkeypatch.setattr(analysis, "analyse", endless)
    before = {*multiprocessing.active_children()}
    analyses = Analyses(1)
    job = analyses.ask(GAME, whose="ada")
    pid = await started(tmp_path)
    await analyses.__aexit__()

    assert not is_running(pid)
    assert {*multiprocessing.active_children()} <= before
    assert job.stage == "failed"
    assert nice == [min(19, os.nice(0) + analyses_module.NICE)]  # no process is nicer than that
    assert caplog.text == ""


async def test_a_host_has_analyses(tmp_path: Path, slow: Slow) -> None:
    """The analyses of a host close with it."""
    host = Host(store_at(tmp_path))
    host.add_service(Analyses(analyser=slow))
    await host.open()
    assert host.service(Analyses).known(GAME) is None
    await host.close()
    with pytest.raises(TooManyError, match="closing"):
        host.service(Analyses).ask(GAME, whose="ada")
