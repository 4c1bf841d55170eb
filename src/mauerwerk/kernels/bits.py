"""Words of 64 bits as sets: their size, and their first member.

A GPU has instructions for these; for it the compiler takes the functions that end on `_on_gpu`.
"""

from typing import Any, Final

from numpy import int64

from mauerwerk.kernels.contract import Int, compile_all

compile_all(__name__)

cuda: Final[Any] = None
"""The module `numba.cuda`, which the compiler puts here for a GPU."""


def size(word: Int) -> Int:
    """The number of set bits: sums of pairs, of fours, of bytes, then of all bytes."""
    word = word - (word >> 1 & 0x5555555555555555)
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333)
    word = word + (word >> 4) & 0x0F0F0F0F0F0F0F0F
    return word * 0x0101010101010101 >> 56 & 0x7F


def lowest(word: Int) -> Int:
    """The place of the first bit that is set, if one is."""
    return size((word & -word) - 1)


def size_on_gpu(word: Int) -> Int:
    """The number of set bits."""
    return int64(cuda.popc(int64(word)))


def lowest_on_gpu(word: Int) -> Int:
    """The place of the first bit that is set, if one is."""
    return int64(cuda.ffs(int64(word))) - 1
