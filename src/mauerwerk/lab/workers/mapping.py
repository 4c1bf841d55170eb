"""`map_unordered`: tasks for the workers of this machine or of many.

`map_unordered` runs the games of a match as well as the parts of a study. It must not matter which
worker does a piece of work, nor in which order the pieces are finished: the work and its task alone
decide the answer.

>>> from mauerwerk.lab.workers.processes import processes
>>> with processes(1) as workers:
...     sorted(map_unordered(abs, [-3, 1, -2], workers))
[1, 2, 3]
"""

import traceback
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from itertools import islice
from textwrap import shorten
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from mauerwerk.bots.external import Failure, collect_faults, show_fault
from mauerwerk.core.game import Value

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
    """A task for a message."""
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
    error = WorkError(" ".join(f"{type(fault).__name__}: {fault}".split()))
    error.add_note("".join(traceback.format_exception(fault)))
    return error
