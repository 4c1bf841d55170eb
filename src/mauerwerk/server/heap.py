"""Where the threads of a server take their memory from: all from one heap, which is kept small.

The GNU C library gives each of a few threads a heap of its own. What one has freed, another cannot
use then: with a dozen threads, of which mostly one runs, a tenth of a server's memory lies idle,
and more of it by the hour. It also gives back only what is free at the end of a heap: each moment
that needs much would leave the server larger. Elsewhere nothing of this happens.
"""

import asyncio
import ctypes
import os
from typing import Any, Final

ARENAS: Final = -8
"""What `mallopt` calls the number of heaps (`M_ARENA_MAX`)."""

EVERY: Final = 60.0
"""Seconds between two times at which what is free is given back; that takes half a millisecond."""

_GNU: Final[Any] = (
    ctypes.CDLL(None) if "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", ()) else None
)


def share() -> None:
    """Give all threads that begin from now on the heap of the first."""
    if _GNU is not None:
        _GNU.mallopt(ARENAS, 1)


def trim() -> None:
    """Give back to the system what is free."""
    if _GNU is not None:
        _GNU.malloc_trim(0)


async def keep_small() -> None:
    """Do so again and again, until cancelled."""
    while True:
        await asyncio.sleep(EVERY)
        trim()
