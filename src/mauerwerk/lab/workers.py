"""Work in other processes: `map_unordered` for batches, `AsyncWorkers` for servers.

`map_unordered` runs the games of a match as well as the parts of a study, on the processes of this
machine or on a Ray cluster (`lab.cluster`). It must not matter which worker does a piece of work,
nor in which order the pieces are finished: the work and its task alone decide the answer.

>>> with processes(1) as workers:
...     sorted(map_unordered(abs, [-3, 1, -2], workers))
[1, 2, 3]

A server, whose event loop must not wait, has `AsyncWorkers`: for a bot's turn, or a board on trial.
Each job has a process of its own while it runs, so a job that hangs or dies disturbs no other.

    workers = AsyncWorkers(2)
    answer = await workers.run(work, task, within=5.0)
    workers.close()

Both use `Worker`. Each process has one piece of work at a time, so it is known which piece a
process died of, and no other piece is lost with it. A thread waits for each. A process can be
killed at any moment.

>>> worker = Worker()
>>> worker.ask(abs, -3)
Done(answer=3, failures=())
>>> worker.close()
"""

import asyncio
import atexit
import multiprocessing
import os
import signal
import threading
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from functools import partial
from importlib import import_module
from itertools import islice
from textwrap import shorten
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from mauerwerk.bots.external import Failure, collect_faults, show_fault
from mauerwerk.core.errors import PACKAGE, SetupError, where
from mauerwerk.core.game import Value

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Answer = TypeVar("Answer")
DEATHS: Final = 3
"""After this many workers have died of a task, the task is taken to be the cause."""


class WorkError(Exception):
    """A piece of work cannot be done; a note says where it failed. It is not tried again."""


class WorkerDiedError(WorkError):
    """The worker died: it was killed, ran out of memory, or its machine went away."""


class Done(Value):
    """A piece of work that was done."""

    answer: Any
    failures: tuple[Failure, ...] = ()
    """The games that bots lost meanwhile because they failed."""


End: TypeAlias = Done | WorkError
"""How a piece of work can end."""


class Workers(Protocol):
    """A group of workers. It is given a few pieces at a time, and asked which have ended."""

    @property
    def size(self) -> int:
        """How many pieces are done at once. In a cluster it changes with the machines."""
        ...

    @property
    def places(self) -> int:
        """How many pieces it takes at a time, including those that wait."""
        ...

    def begin(self, work: Callable[[Any], Any], task: Any, /) -> Hashable:  # noqa: ANN401 - any task
        """Have a piece of work done; what it is called in `ended`."""
        ...

    def ended(self) -> Sequence[tuple[Hashable, End]]:
        """Wait until at least one piece has ended, and say which, and how. Then forget them."""
        ...

    def drop(self) -> None:
        """Give up everything that was begun and has not ended."""
        ...


def map_unordered(
    work: Callable[[Task], Answer], tasks: Iterable[Task], workers: Workers
) -> Generator[Answer, None, None]:
    """Do this work for each of these tasks, and yield each answer as it comes, in any order.

    Work, tasks and answers travel between processes: `work` is a function at the top of a module,
    or a `functools.partial` of one, and all of it can be pickled. Tasks are taken as they are
    needed, so that the first are finished about first; there may be infinitely many. To stop early,
    close the iterator; unfinished work is then given up.

    When a worker dies, another one repeats its task, so every answer comes exactly once. Raises
    WorkError if the work itself fails, or if `DEATHS` workers died of one task.
    """
    left = iter(tasks)
    again: deque[tuple[Task, int]] = deque()
    running: dict[Hashable, tuple[Task, int]] = {}
    ready: list[Answer] = []

    def begin(task: Task, deaths: int) -> None:
        running[workers.begin(work, task)] = (task, deaths)

    try:
        while True:
            while again and len(running) < workers.places:
                begin(*again.popleft())
            # Workers get their next tasks first, because the caller may take long over an answer.
            for task in islice(left, max(workers.places - len(running), 0)):
                begin(task, 0)
            yield from ready
            ready.clear()
            if not running:
                return
            for piece, end in workers.ended():
                task, deaths = running.pop(piece)
                match end:
                    case Done(answer, failures):
                        for failure in failures:
                            show_fault(*failure)
                        ready.append(answer)
                    case WorkerDiedError():
                        if deaths + 1 == DEATHS:
                            raise WorkError(f"{DEATHS} workers died of {_described(task)}")
                        again.append((task, deaths + 1))
                    case WorkError():
                        end.args = (f"{_described(task)} failed: {end}",)
                        raise end
    finally:
        workers.drop()


def _described(task: object) -> str:
    return shorten(repr(task), 160, placeholder=" …")


def attempt(work: Callable[[Any], Any], task: Any) -> End:  # noqa: ANN401 - any task
    """Do a piece of work in the worker, and say how it ended."""
    try:
        with collect_faults() as failures:
            answer = work(task)
        return Done(answer, tuple(failures))
    except Exception as fault:  # noqa: BLE001 - any error of the work is reported to its caller
        return failed(fault)


def failed(fault: Exception) -> WorkError:
    """This error in a form that can be sent to another process."""
    expected = isinstance(fault, SetupError)
    said = f"{fault}" if expected else f"{type(fault).__name__}: {fault}{where(fault, PACKAGE)}"
    error = WorkError(" ".join(said.split()))
    error.add_note("".join(traceback.format_exception(fault)))
    return error


# --- One process -----------------------------------------------------------------------------

REMEMBERED: Final = 1_024
"""Of how many kinds of work it is known which process did it last."""


class Worker:
    """A process with a pipe. It does one piece of work at a time, and ends with its parent."""

    def __init__(self, nice: int = 0) -> None:
        """Start the process; the higher `nice`, the more it lets other processes go first."""
        # It is spawned, not forked, because compiled code may have started threads here.
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, nice), daemon=True)
        with _signals_blocked():
            self._process.start()
        # Before this process ends, multiprocessing would wait for a SIGTERM to take effect.
        atexit.register(self._process.kill)
        theirs.close()  # so that the pipe ends when the process does

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.is_alive()

    def ask(self, work: Callable[[Any], Any], task: Any) -> End:  # noqa: ANN401 - any task
        """Have a piece of work done that can be pickled, wait for it, and say how it ended."""
        try:
            self._pipe.send((work, task))
            end: End = self._pipe.recv()
        except (EOFError, OSError):
            return WorkerDiedError("the worker died")
        except Exception as fault:  # noqa: BLE001 - what cannot be pickled, or unpickled here
            return failed(fault)
        return end

    def kill(self) -> None:
        """End the process, whatever it does. A thread that waits in `ask` hears that it died."""
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """End the process, and close the pipe, which no other thread may be using."""
        self.kill()
        atexit.unregister(self._process.kill)
        self._pipe.close()


@contextmanager
def _signals_blocked() -> Generator[None, None, None]:
    """Keep signals from a process that is just starting; here they take effect afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Not on every system; its start would end the block.
    import_module("multiprocessing.resource_tracker").ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- In the process --------------------------------------------------------------------------


def _serve(pipe: "Connection[Any, Any]", nice: int) -> None:
    """Do the work that comes through the pipe until the pipe is closed."""
    _end_with_parent()
    if hasattr(os, "nice"):  # not on every system
        os.nice(nice)
    while True:
        try:
            work, task = pipe.recv()
        except (EOFError, OSError):
            return
        except Exception as fault:  # noqa: BLE001 - work or a task that cannot be unpickled here
            end: End = failed(fault)
        else:
            end = attempt(work, task)
        try:
            pipe.send(end)
        except OSError:
            return
        except Exception as fault:  # noqa: BLE001 - an answer that cannot be pickled
            pipe.send(failed(fault))


def _go_on(_number: int, _frame: object) -> None:
    """Do nothing about a signal."""


def _end_with_parent() -> None:
    """End this process when its parent has ended, in whatever way, and leave signals to the parent.

    Ctrl-C reaches every process of a terminal, and SIGTERM may reach every process of a service;
    the parent alone decides what they mean.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Programs that are started here would inherit it if it were ignored or blocked.
    signal.signal(signal.SIGTERM, _go_on)
    if hasattr(signal, "pthread_sigmask"):  # not on every system
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait_and_end() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_and_end, daemon=True).start()


# --- Several processes -----------------------------------------------------------------------


@contextmanager
def processes(number: int) -> Generator[Workers, None, None]:
    """This many processes, started when there is work; a single worker is this process itself."""
    if number == 1:
        yield Alone()
        return
    with closing(Processes(number)) as workers:
        yield workers


class Alone:
    """This process as the only worker. An error of the work is raised where it happens."""

    size: int = 1
    places: int = 1

    def __init__(self) -> None:
        self._begun: list[Callable[[], Any]] = []

    def begin(self, work: Callable[[Any], Any], task: Any, /) -> Hashable:  # noqa: ANN401 - any task
        """Remember it until `ended` is called."""
        self._begun.append(partial(work, task))
        return self._begun[-1]

    def ended(self) -> Sequence[tuple[Hashable, End]]:
        """Do what was begun first."""
        piece = self._begun.pop(0)
        return [(piece, Done(piece()))]

    def drop(self) -> None:
        """Forget what was begun."""
        self._begun.clear()


class Processes:
    """Several processes as workers. Another thread than the one that uses them may close them."""

    def __init__(self, number: int, nice: int = 0) -> None:
        """Start none yet; the higher `nice`, the more they let other processes go first."""
        self.size = self.places = number
        self._nice = nice
        self._idle: list[Worker] = []
        self._busy: dict[Future[End], Worker] = {}
        self._near: OrderedDict[Hashable, Worker] = OrderedDict()
        """Which process last had work of a kind, of which it may have kept something."""

        self._closed = False
        self._lock = Lock()
        self._news = Event()
        """Set whenever a piece has ended."""

        self._threads = ThreadPoolExecutor(number)

    def begin(
        self,
        work: Callable[[Any], Any],
        task: Any,  # noqa: ANN401 - any task
        near: Hashable | None = None,
        /,
    ) -> "Future[End]":
        """Give it to a process that is idle, the last one that did such work if possible."""
        with self._lock:
            self._check()
            known = self._near.pop(near, None)
            if known in self._idle:
                self._idle.remove(known)
                self._idle.append(known)
            while self._idle and not self._idle[-1].alive:
                self._idle.pop().close()
            worker = self._idle.pop() if self._idle else Worker(self._nice)
            if near is not None:
                self._near[near] = worker
                if len(self._near) > REMEMBERED:
                    self._near.popitem(last=False)
            piece = self._threads.submit(worker.ask, work, task)
            self._busy[piece] = worker
        piece.add_done_callback(lambda _: self._news.set())
        return piece

    def ended(self) -> Sequence[tuple["Future[End]", End]]:
        """Wait for answers, and for processes that die."""
        while not (pieces := [piece for piece in list(self._busy) if piece.done()]):
            self._check()
            self._news.wait()
            self._news.clear()
        self._check()
        for piece in pieces:
            self.settle(piece)
        return [(piece, piece.result()) for piece in pieces]

    def settle(self, piece: "Future[End]") -> None:
        """Keep the process of a piece that has ended for the next one; kill it if it has not."""
        with self._lock:
            worker = self._busy.pop(piece, None)
            if worker is None:
                return
            if (
                piece.done()
                and not isinstance(piece.result(), WorkerDiedError)
                and not self._closed
            ):
                self._idle.append(worker)
                return
        worker.kill()
        wait([piece])  # the thread leaves the pipe, which has ended
        worker.close()

    def drop(self) -> None:
        """End the processes that are at work."""
        for piece in list(self._busy):  # one by one: a second Ctrl-C leaves the rest to `close`
            self.settle(piece)

    def close(self) -> None:
        """End all processes. What waits for them gets WorkerDiedError."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        self.drop()
        for worker in idle:
            worker.close()
        self._threads.shutdown(wait=False)

    def _check(self) -> None:
        if self._closed:
            raise WorkerDiedError("the workers have been closed")


class AsyncWorkers:
    """A few processes for the jobs of one event loop. They are started when they are needed."""

    def __init__(self, size: int, nice: int = 0) -> None:
        self._processes = Processes(size, nice)
        self._queue = asyncio.Semaphore(size)
        """Jobs that wait for a process, the first to come first."""

    async def run(
        self,
        work: Callable[[Task], Answer],
        task: Task,
        *,
        within: float | None = None,
        near: Hashable | None = None,
    ) -> Answer:
        """The answer to a task, which may take this many seconds once it has a process.

        Work, task and answer can be pickled, as in `map_unordered`. Raises WorkError if the work
        fails, WorkerDiedError if its process dies, and TimeoutError if the time is up. The process
        of a job that is late or cancelled is killed. If the process that last did a job with the
        same `near` is idle, it does this one, too.
        """
        async with self._queue:
            piece = self._processes.begin(work, task, near)
            try:
                done, _ = await asyncio.wait([asyncio.wrap_future(piece)], timeout=within)
                if not done:
                    raise TimeoutError
                end = piece.result()
                if isinstance(end, WorkError):
                    raise end
                answer: Answer = end.answer
                return answer
            finally:
                self._processes.settle(piece)

    def close(self) -> None:
        """End all processes. Jobs that run or wait end with WorkerDiedError."""
        self._processes.close()
