"""Work done by others: the processes of this machine, or those of many.

`map_unordered` is the one way to do so, for games of a match as for batches of a study. Who does a
piece of work, and in which order they are finished, must not matter: what it comes to is decided by
the work and its task alone.

>>> from mauerwerk.lab.workers.processes import processes
>>> with processes(1) as workers:
...     sorted(map_unordered(abs, [-3, 1, -2], workers))
[1, 2, 3]
"""

import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import islice
from textwrap import shorten
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from mauerwerk.core.game import Value

Task = TypeVar("Task")
Answer = TypeVar("Answer")

DEATHS: Final = 3
"""So often those who work on a task may die; then the task is taken to be the cause."""


class WorkError(Exception):
    """A piece of work cannot be done: it fails, or kills whoever does it."""


class Done(Value):
    """A piece of work that was done."""

    answer: Any


class Failed(Value):
    """A fault of the work itself; another try would end as this one did."""

    fault: str
    """In one line."""
    trace: str = ""
    """Where it happened."""


class Died(Value):
    """Whoever did it is no more: killed, out of memory, or on a machine that went away."""


End: TypeAlias = Done | Failed | Died
"""How a piece of work can end."""


class Workers(Protocol):
    """Whoever does the work. It is given a few pieces at a time, and asked which have ended."""

    @property
    def size(self) -> int:
        """How many pieces are done at once. Machines that come and go change it."""
        ...

    @property
    def places(self) -> int:
        """How many pieces it takes at a time, those that wait included."""
        ...

    def begin(self, work: Callable[[Any], Any], task: Any, /) -> int:  # noqa: ANN401 - any task
        """Have a piece of work done; the number is what it will be known by."""
        ...

    def ended(self) -> Sequence[tuple[int, End]]:
        """Wait until a piece or more have ended, and say which, and how. They are forgotten."""
        ...

    def drop(self) -> None:
        """Give up all that was begun and has not ended."""
        ...


def map_unordered(
    work: Callable[[Task], Answer], tasks: Iterable[Task], workers: Workers
) -> Generator[Answer, None, None]:
    """Do this work for each of these tasks, and yield each answer as it comes, in whatever order.

    Work, tasks and answers travel between processes: `work` is a function at the top of a module,
    or a `functools.partial` of one, and all of it can be pickled. Tasks are taken as they are
    needed, so that the first are finished about first, and there may be endlessly many. Whoever has
    enough closes the iterator; what is not finished then is given up.

    Where a worker dies its task is done again by another, so every answer comes exactly once.
    Raises WorkError where the work itself fails, or where `DEATHS` workers died of one task.
    """
    left = iter(tasks)
    again: deque[tuple[Task, int]] = deque()
    running: dict[int, tuple[Task, int]] = {}
    ready: list[Answer] = []

    def begin(task: Task, deaths: int) -> None:
        running[workers.begin(work, task)] = (task, deaths)

    try:
        while True:
            while again and len(running) < workers.places:
                begin(*again.popleft())
            # The workers are kept busy first: whoever takes the answers may take their time.
            for task in islice(left, max(workers.places - len(running), 0)):
                begin(task, 0)
            yield from ready
            ready.clear()
            if not running:
                return
            for number, end in workers.ended():
                task, deaths = running.pop(number)
                match end:
                    case Done(answer):
                        ready.append(answer)
                    case Died():
                        if deaths + 1 == DEATHS:
                            raise WorkError(f"{DEATHS} workers died of {_described(task)}")
                        again.append((task, deaths + 1))
                    case Failed(fault, trace):
                        error = WorkError(f"{_described(task)} failed: {fault}")
                        error.add_note(trace)
                        raise error
    finally:
        workers.drop()


def _described(task: object) -> str:
    """A task for a message."""
    return shorten(repr(task), 160, placeholder=" …")


def attempt(work: Callable[[Any], Any], task: Any) -> Done | Failed:  # noqa: ANN401 - any task
    """Do a piece of work where somebody else waits for it, and say how it ended."""
    try:
        return Done(work(task))
    except Exception as fault:  # noqa: BLE001 - whatever went wrong is told to who waits
        return failed(fault)


def failed(fault: Exception) -> Failed:
    """This fault, as it can be told elsewhere."""
    line = " ".join(f"{type(fault).__name__}: {fault}".split())
    return Failed(line, "".join(traceback.format_exception(fault)))
