"""Simulations in slices, between which a search looks at the clock and asks if it is decided.

Several trees grow side by side, each in a thread of its own. Against the clock no thread waits for
another: where cores are scarce, one of them may get little done. With a number of simulations they
meet after every slice, so that what is found depends on the number of simulations and of trees, and
not on which thread was faster. The first thread alone asks if the search is decided.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from threading import Event
from time import perf_counter
from typing import Final, Protocol, TypeAlias


class Slice(Protocol):
    """Runs some simulations."""

    def __call__(self, tree: int, /, first: int, number: int) -> None:
        """In this tree this many, numbered from the first."""
        ...


Test: TypeAlias = Callable[[float], bool]
"""Whether this many more simulations of each tree cannot change the answer."""

SLICE: Final = 0.004
"""How many seconds compiled code runs between two looks at the clock."""
STRIDE: Final = 256
"""The number of simulations in one slice where time does not matter."""


def never(left: float) -> bool:  # noqa: ARG001 - a `Test`
    """Not decided."""
    return False


def always(left: float) -> bool:  # noqa: ARG001 - a `Test`
    """Decided."""
    return True


def run_until(simulate: Slice, decided: Test, until: float, trees: int) -> None:
    """Run in slices by the clock; the rate so far determines the size of the next."""
    stopped = Event()

    def run(tree: int) -> None:
        first, number = 1, 16
        began = perf_counter()
        while not stopped.is_set():
            simulate(tree, first, number)
            first += number
            now = perf_counter()
            rate = (now - began) / (first - 1)
            number = min(4 * number, int(min(SLICE, until - now) / rate))
            if number < 1:
                return
            if not tree and decided((until - now) / rate):
                stopped.set()

    _side_by_side(run, trees)


def run_through(simulate: Slice, decided: Test, simulations: int, trees: int) -> None:
    """Run this many simulations in each tree, or fewer if the answer is decided."""
    for first in range(1, simulations + 1, STRIDE):
        left = simulations + 1 - first
        if decided(left):
            return
        some = partial(simulate, first=first, number=min(STRIDE, left))
        _side_by_side(some, trees)


def _side_by_side(work: Callable[[int], None], trees: int) -> None:
    """Do this for all trees at the same time; this thread has the first."""
    others = [_pool(trees - 1).submit(work, tree) for tree in range(1, trees)]
    work(0)
    for other in others:
        other.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work; all searches of this process with as many trees share them."""
    return ThreadPoolExecutor(threads)
