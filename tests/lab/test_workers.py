"""Batches of work on one machine: every answer comes once, whichever process dies meanwhile."""

import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from mauerwerk.lab.workers import (
    DEATHS,
    Done,
    End,
    Processes,
    Worker,
    WorkerDiedError,
    WorkError,
    Workers,
    map_unordered,
    processes,
)


@pytest.fixture(scope="module")
def pair() -> Generator[Workers, None, None]:
    """Two processes."""
    with processes(2) as workers:
        yield workers


@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.process)])
def test_every_task_is_answered_once(number: int) -> None:
    """By one process as by two."""
    with processes(number) as workers:
        assert workers.size == number
        assert sorted(map_unordered(abs, range(-20, 0), workers)) == list(range(1, 21))


@pytest.mark.process
def test_tasks_are_taken_as_they_are_needed(pair: Workers) -> None:
    """Tasks may be infinitely many; a caller that stops leaves the workers ready for others."""
    tasks = count()
    with closing(map_unordered(abs, tasks, pair)) as answers:
        assert next(answers) in {0, 1}
    assert next(tasks) < 5

    assert list(map_unordered(abs, [-7], pair)) == [7]


@pytest.mark.process
def test_a_fault_of_the_work_is_told_in_one_line(pair: Workers) -> None:
    """It is not tried again; a note says where it happened."""
    with pytest.raises(WorkError) as caught:
        list(map_unordered(math.sqrt, [4, -1], pair))

    assert str(caught.value) == "-1 failed: ValueError: math domain error"
    assert "Traceback" in caught.value.__notes__[0]


def reciprocal(number: int) -> float:
    return 1 / number


@pytest.mark.process
def test_a_fault_in_work_of_others_names_their_line(pair: Workers) -> None:
    """As in a bot or a study of one's own."""
    with pytest.raises(WorkError, match=r"division by zero \(test_workers.py, line \d+, in reci"):
        list(map_unordered(reciprocal, [0], pair))


@pytest.mark.process
def test_an_answer_that_cannot_travel_is_a_fault(pair: Workers) -> None:
    """As is one that cannot be pickled; the process lives on."""
    with pytest.raises(WorkError, match="'/dev/null' failed: TypeError: cannot pickle"):
        list(map_unordered(open, ["/dev/null"], pair))

    assert list(map_unordered(abs, [-1], pair)) == [1]


def test_alone_a_fault_is_raised_where_it_happens() -> None:
    """So that a debugger finds it."""
    with processes(1) as workers, pytest.raises(ValueError, match="math domain error"):
        list(map_unordered(math.sqrt, [-1], workers))


@pytest.mark.process
def test_a_process_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    """Its task is repeated; the second worker finds the mark that the first left."""
    mark = tmp_path / "mark"
    with processes(2) as workers:
        answers = sorted(map_unordered(partial(killed_once, str(mark)), range(6), workers))

    assert answers == list(range(6))
    assert mark.exists()


@pytest.mark.process
def test_who_kills_everybody_is_given_up(pair: Workers) -> None:
    """After a few, with one line that names it; the workers go on with others."""
    with pytest.raises(WorkError, match=f"^{DEATHS} workers died of 3$"):
        list(map_unordered(os._exit, [3], pair))

    assert sorted(map_unordered(abs, [-1, -2], pair)) == [1, 2]


@pytest.mark.process
def test_nobody_is_left_behind() -> None:
    """A worker that was busy when the work was abandoned ends too."""
    with (
        processes(2) as workers,
        closing(map_unordered(pid_and_wait, [0, 60, 60], workers)) as answers,
    ):
        someone = next(answers)
    with pytest.raises(ProcessLookupError):
        os.kill(someone, 0)


SIGNALS = """
import os, signal, time
from mauerwerk.lab.workers import Processes

def send():
    for each in (signal.SIGINT, signal.SIGTERM):
        os.killpg(0, each)

for each in (signal.SIGINT, signal.SIGTERM):
    signal.signal(each, lambda *_: None)
workers = Processes(1)
piece = workers.begin(abs, -3)
while not piece.done():
    send()
    time.sleep(0.01)
send()
print(piece.result().answer, workers.begin(abs, -4).result().answer)
"""


@pytest.mark.process
def test_signals_to_all_spare_a_process_also_while_it_starts() -> None:
    """A terminal or a service manager sends them; this one decides, and ends without a word."""
    words = [sys.executable, "-c", SIGNALS]
    ran = subprocess.run(  # noqa: S603 - our own words
        words, capture_output=True, text=True, check=True, start_new_session=True, timeout=120
    )

    assert (ran.stdout, ran.stderr) == ("3 4\n", "")


@pytest.mark.process
def test_a_second_ctrl_c_while_they_are_ended_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes that were ended before it stay so, and the others are ended afterwards."""
    close = Worker.close
    closed: list[Worker] = []

    def interrupted(worker: Worker) -> None:
        close(worker)
        closed.append(worker)
        if len(closed) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(Worker, "close", interrupted)
    with processes(2) as workers:
        for _ in range(2):
            workers.begin(pid_and_wait, 60)
        with pytest.raises(KeyboardInterrupt):
            workers.drop()

    assert len(closed) == 2


@pytest.mark.process
def test_another_thread_can_close_them() -> None:
    """Then the thread that waits for an answer gets an error, and no process is left."""
    before = {*multiprocessing.active_children()}
    with closing(Processes(2, nice=1)) as workers:
        answers = map_unordered(pid_and_wait, [0, 60, 60], workers)
        next(answers)
        other = threading.Timer(0.01, workers.close)
        other.start()
        with pytest.raises(WorkerDiedError, match="closed"):
            next(answers)
        with pytest.raises(WorkerDiedError, match="closed"):
            workers.begin(abs, -1)
        other.join()

    assert {*multiprocessing.active_children()} <= before


@pytest.mark.process
def test_processes_can_let_others_go_first() -> None:
    """By their nice level, from the first piece of work on."""
    with closing(Processes(1, nice=3)) as workers:
        assert list(map_unordered(os.nice, [0, 0], workers)) == [os.nice(0) + 3] * 2


class Unlucky:
    """Workers of whom one dies of every task, once."""

    size = places = 3

    def __init__(self) -> None:
        """With nothing begun."""
        self.begun: dict[int, tuple[Callable[[Any], Any], Any]] = {}
        self.numbers = count()
        self.survived: set[Any] = set()

    def begin(self, work: Callable[[Any], Any], task: Any, /) -> int:  # noqa: ANN401 - any task
        """Remember it."""
        number = next(self.numbers)
        self.begun[number] = work, task
        return number

    def ended(self) -> Sequence[tuple[int, End]]:
        """All that was begun, in reverse."""
        ends: list[tuple[int, End]] = []
        while self.begun:
            number, (work, task) = self.begun.popitem()
            ends.append((number, Done(work(task)) if task in self.survived else WorkerDiedError()))
            self.survived.add(task)
        return ends

    def drop(self) -> None:
        """Forget it."""
        self.begun.clear()


def test_deaths_are_counted_by_task() -> None:
    """Many may die in a long contest, as long as it is not always of the same game."""
    assert sorted(map_unordered(abs, range(50), Unlucky())) == list(range(50))


def killed_once(mark: str, task: int) -> int:
    """The task itself, unless nobody has been here before: then this process dies of it."""
    try:
        Path(mark).touch(exist_ok=False)
    except FileExistsError:
        return task
    os.kill(os.getpid(), signal.SIGKILL)
    return -1


def pid_and_wait(seconds: float) -> int:
    """The id of the process that waited."""
    signal.alarm(int(seconds) + 1)
    if seconds:
        signal.pause()
    return os.getpid()
