"""All threads of a server take their memory from one heap, so that none keeps what others need."""

import platform
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library"),
]

HEAPS = """
import ctypes, os, threading
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


@pytest.mark.parametrize(("share", "one"), [("", False), ("heap.share()", True)])
def test_threads_share_a_heap(*, share: str, one: bool) -> None:
    """Without it there are several."""
    said = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", HEAPS.format(share=share)],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout

    assert (said.count("<heap nr=") == 1) == one
