"""All threads of a server take their memory from one heap, and what is free is given back."""

import platform
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library"),
]

HEAPS = """
import ctypes, threading
from mauerwerk.server import heap
{share}
together = threading.Barrier(5)

def work():
    together.wait(5)
    kept = [bytes(5_000) for _ in range(100)]  # more than Python itself has room for
    together.wait(5)

threads = [threading.Thread(target=work) for _ in range(5)]
for each in threads:
    each.start()
for each in threads:
    each.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
libc.malloc_info(0, ctypes.c_void_p(libc.fdopen(1, b"w")))
libc.fflush(None)
"""
"""A program that prints its heaps."""

PEAK = """
from pathlib import Path
from mauerwerk.server import heap

def size():
    return int(Path("/proc/self/statm").read_text().split()[1])

made = [bytes(5_000) for _ in range(10_000)]
last = made.pop()
high = size()
made.clear()
{trim}
print(size() / high)
"""
"""A program that has needed 50 MB for a moment, and has made something at the end of the heap."""


def said(program: str) -> str:
    """What a program prints."""
    return subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=60
    ).stdout


@pytest.mark.parametrize(("share", "one"), [("", False), ("heap.share()", True)])
def test_threads_share_a_heap(*, share: str, one: bool) -> None:
    """Without it there are several."""
    assert (said(HEAPS.format(share=share)).count("<heap nr=") == 1) == one


@pytest.mark.parametrize(("trim", "small"), [("", False), ("heap.trim()", True)])
def test_what_is_free_is_given_back(*, trim: str, small: bool) -> None:
    """Without it the program stays as large as it was."""
    assert (float(said(PEAK.format(trim=trim))) < 0.6) == small
