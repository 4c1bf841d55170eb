"""Workers on this machine: a process each, as bots that think need one of their own.

Each has a pipe and one piece of work at a time, so it is known which piece a process died of, and
nobody else's is lost with it.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple

from mauerwerk.lab.workers.mapping import Died, Done, End, Workers, attempt, failed

ENDING: Final = 5.0
"""How many seconds a process is given to end before it is made to."""


@contextmanager
def processes(number: int) -> Generator[Workers, None, None]:
    """This many processes of this machine; a single worker is this process itself.

    Processes are started when there is work for them, and end with the context.
    """
    if number == 1:
        yield Alone()
        return
    workers = Processes(number)
    try:
        yield workers
    finally:
        workers.close()


class Alone:
    """This process as the only worker. What goes wrong is raised where it happens."""

    size: int = 1
    places: int = 1

    def __init__(self) -> None:
        """With nothing to do yet."""
        self._begun: list[tuple[int, Callable[[Any], Any], Any]] = []
        self._numbers = count()

    def begin(self, work: Callable[[Any], Any], task: Any, /) -> int:  # noqa: ANN401 - any task
        """Remember it until somebody waits for it."""
        number = next(self._numbers)
        self._begun.append((number, work, task))
        return number

    def ended(self) -> Sequence[tuple[int, End]]:
        """Do what was begun first."""
        number, work, task = self._begun.pop(0)
        return [(number, Done(work(task)))]

    def drop(self) -> None:
        """Forget what was begun."""
        self._begun.clear()


class _Worker(NamedTuple):
    """A process, and how to speak with it."""

    process: BaseProcess
    pipe: "Connection[Any, Any]"


class Processes:
    """Several processes as workers."""

    def __init__(self, number: int) -> None:
        """Nobody is called yet."""
        self.size = self.places = number
        self._idle: list[_Worker] = []
        self._busy: dict[Connection[Any, Any], tuple[_Worker, int]] = {}
        self._numbers = count()

    def begin(self, work: Callable[[Any], Any], task: Any, /) -> int:  # noqa: ANN401 - any task
        """Give it to somebody who is idle, or to a new process."""
        number = next(self._numbers)
        worker = self._idle.pop() if self._idle else _hired()
        self._busy[worker.pipe] = worker, number
        with suppress(OSError):  # of a process that has died meanwhile `ended` hears
            worker.pipe.send((work, task))
        return number

    def ended(self) -> Sequence[tuple[int, End]]:
        """Wait for answers, and for pipes whose process is no more."""
        heard = set(wait(self._busy))
        ends: list[tuple[int, End]] = []
        for pipe in [pipe for pipe in self._busy if pipe in heard]:
            worker, number = self._busy[pipe]
            try:
                end: End = pipe.recv()
            except (EOFError, OSError):
                _dismiss(worker)
                end = Died()
            else:
                self._idle.append(worker)
            del self._busy[pipe]
            ends.append((number, end))
        return ends

    def drop(self) -> None:
        """End those who are still at it."""
        while self._busy:  # one by one: whoever presses Ctrl-C meanwhile comes here again
            _, (worker, _) = self._busy.popitem()
            _dismiss(worker)

    def close(self) -> None:
        """End everybody."""
        self.drop()
        while self._idle:
            _dismiss(self._idle.pop())


def _hired() -> _Worker:
    """A process that waits for work. Spawned, not forked: a compiled search brings threads."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(there,), daemon=True)
    with _held_back_signals():
        process.start()
    there.close()  # so that the pipe ends when the process does
    return _Worker(process, here)


def _dismiss(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.terminate()
    worker.process.join(ENDING)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()
    worker.process.close()


def _serve(pipe: "Connection[Any, Any]") -> None:
    """Do what comes through the pipe until it is closed."""
    end_with_parent()
    while True:
        try:
            work, task = pipe.recv()
        except (EOFError, OSError):
            return
        except Exception as fault:  # noqa: BLE001 - here there is no such work, or no such task
            end: End = failed(fault)
        else:
            end = attempt(work, task)
        try:
            pipe.send(end)
        except OSError:
            return
        except Exception as fault:  # noqa: BLE001 - an answer that cannot travel
            pipe.send(failed(fault))


def end_with_parent() -> None:
    """Let this process end when its parent has, however that ended, and leave Ctrl-C to it.

    Ctrl-C reaches every process of a terminal; the parent alone decides what it means.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait_and_end() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_and_end, daemon=True).start()


@contextmanager
def _held_back_signals() -> Generator[None, None, None]:
    """A process that is started here hears no Ctrl-C while it wakes up; this one does so later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
