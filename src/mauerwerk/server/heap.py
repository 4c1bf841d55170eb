"""Where the threads of a server take their memory from: all from one heap.

The GNU C library gives each of a few threads a heap of its own. What one has freed, another cannot
use then: with a dozen threads, of which mostly one runs, a tenth of a server's memory lies idle,
and more of it by the hour.
"""

import ctypes
import os
from typing import Final

ARENAS: Final = -8
"""What `mallopt` calls the number of heaps (`M_ARENA_MAX`)."""


def share() -> None:
    """Give all threads that begin from now on the heap of the first. Elsewhere nothing happens."""
    if "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", ()):
        ctypes.CDLL(None).mallopt(ARENAS, 1)
