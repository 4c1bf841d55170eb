"""What `bits` does, in instructions of a GPU; needs the extra `cuda`."""

from importlib import import_module
from typing import Any

from numpy import int64

from mauerwerk.kernels.contract import Int, compiled

cuda: Any = import_module("numba.cuda")


@compiled
def size(word: Int) -> Int:
    """The number of set bits."""
    return int64(cuda.popc(int64(word)))


@compiled
def lowest(word: Int) -> Int:
    """The place of the first bit that is set, if one is."""
    return int64(cuda.ffs(int64(word))) - 1
