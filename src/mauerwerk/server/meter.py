"""The CPU time that a request takes in threads, noted for whoever the work is done for."""

from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from time import thread_time
from typing import Any, Final, TypeVar

_Made = TypeVar("_Made")

METER: Final[ContextVar[deque[float] | None]] = ContextVar("METER", default=None)
"""Where threads note the seconds that they worked for the request of this task."""


def metered(work: Callable[..., _Made]) -> Callable[..., _Made]:
    """The same function, for a thread; the CPU time it takes is noted, if somebody counts it."""
    noted = METER.get()
    if noted is None:
        return work

    def run(*given: Any) -> _Made:  # noqa: ANN401 - whatever the function takes
        began = thread_time()
        try:
            return work(*given)
        finally:
            noted.append(thread_time() - began)

    return run
