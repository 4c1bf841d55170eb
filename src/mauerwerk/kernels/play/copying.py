"""How the threads of a block on a GPU clear and copy words together; needs the extra `cuda`.

A row that a seat sees is written once and copied once, so that copying must cost little. What
each thread copies lies at constant distances, which are part of its instructions. Indices are
unsigned, since Numba counts negative ones from the end: to find out which they are would take more
instructions than the copying itself. A block consists of whole warps.
"""

from importlib import import_module
from typing import Any, Final

from numpy import int64, uint64

from mauerwerk.kernels.contract import Array, Int, compiled

cuda: Any = import_module("numba.cuda")

WARP: Final = 32


@compiled
def clear(words: Array, begin: Int, number: Int) -> None:
    """Write 0 into this many words, from `begin` on."""
    first = first_of_four()
    here = words[begin:]
    while first + 3 * WARP < number:
        here[uint64(first)] = 0
        here[uint64(first + WARP)] = 0
        here[uint64(first + 2 * WARP)] = 0
        here[uint64(first + 3 * WARP)] = 0
        first += 4 * cuda.blockDim.x
    while first < number:
        here[uint64(first)] = 0
        first += WARP


@compiled
def copy(words: Array, begin: Int, to: Array, at: Int, number: Int) -> None:
    """Copy this many words."""
    first = first_of_four()
    here, there = words[begin:], to[at:]
    while first + 3 * WARP < number:
        there[uint64(first)] = here[uint64(first)]
        there[uint64(first + WARP)] = here[uint64(first + WARP)]
        there[uint64(first + 2 * WARP)] = here[uint64(first + 2 * WARP)]
        there[uint64(first + 3 * WARP)] = here[uint64(first + 3 * WARP)]
        first += 4 * cuda.blockDim.x
    while first < number:
        there[uint64(first)] = here[uint64(first)]
        first += WARP


@compiled
def first_of_four() -> Int:
    """The first of the words that a thread copies; three more follow, each a warp further on."""
    thread = int64(cuda.threadIdx.x)
    return (thread >> 5 << 7) + (thread & WARP - 1)


@compiled
def copy_rows(words: Array, begin: Int, to: Array, at: Int, rows: Int, number: Int) -> None:
    """Copy rows of this many words; in shared memory one word is left out after each row.

    Each warp copies the rows that its own lanes have written, four at once as far as it can. So
    every warp has the same number of rows.
    """
    thread, share = int64(cuda.threadIdx.x), int64(rows // (cuda.blockDim.x >> 5))
    gap, place = number + 1, thread & WARP - 1
    while place < number:
        row = (thread >> 5) * share
        source, target, left = begin + row * gap + place, at + row * number + place, share
        while left >= 4:  # noqa: PLR2004 - as below
            to[uint64(target)] = words[uint64(source)]
            to[uint64(target + number)] = words[uint64(source + gap)]
            to[uint64(target + 2 * number)] = words[uint64(source + 2 * gap)]
            to[uint64(target + 3 * number)] = words[uint64(source + 3 * gap)]
            source, target, left = source + 4 * gap, target + 4 * number, left - 4
        while left > 0:
            to[uint64(target)] = words[uint64(source)]
            source, target, left = source + gap, target + number, left - 1
        place += WARP
