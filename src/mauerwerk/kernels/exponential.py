"""The exponential function, the same to the last bit wherever a kernel runs.

The libraries of two systems may differ in the last bit, and then so would searches. Here are only
operations that IEEE 754 defines exactly. The result is at most 0.52 units in the last place away;
what is less than the smallest normal number is 0, and after the 709.77th power it is infinite.

x is k ln 2 / 128 + r, so that r is small: e to the power of r is the first terms of its series, and
the rest is a power of two and one of 128 roots, each with what its rounding left over.

P. T. P. Tang: Table-Driven Implementation of the Exponential Function in IEEE Floating-Point
Arithmetic (ACM Transactions on Mathematical Software, 1989).
"""

from math import isqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mauerwerk.kernels.contract import compiled

_ROOTS: Final = 128
_EXPONENT: Final = 7
"""The roots are the 128th, 2 to the power of this."""
_LARGEST: Final = 709.77
_SMALLEST: Final = -708.3964185322641
_HIGH: Final = float.fromhex("0x1.62e42fefa0000p-8")
_LOW: Final = float.fromhex("0x1.cf79abc9e3b39p-47")
"""ln 2 / 128, in two parts: whole multiples of the first are exact."""
_PER_STEP: Final = _ROOTS * 1.4426950408889634


def _roots() -> npt.NDArray[Any]:
    """2 to the power of each 128th, and by which share of itself that is too small.

    Made of integers alone, since a library's powers are what must not decide.
    """
    bits = 160
    root = 2 << bits
    for _ in range(_EXPONENT):
        root = isqrt(root << bits)
    rows: list[tuple[float, float]] = []
    power = 1 << bits
    for _ in range(_ROOTS):
        rounded = power / (1 << bits)
        known = int(rounded * (1 << 52)) << bits - 52
        rows.append((rounded, (power - known) / known))
        power = power * root >> bits
    return np.array(rows)


ROOTS: Final = _roots()
LOW_POWERS: Final = np.array([float(1 << power) for power in range(32)])
HIGH_POWERS: Final = np.array([2.0 ** (32 * power) for power in range(-32, 32)])
"""The powers of two up to the 31st, and every 32nd of all: any is a product of two of them."""


@compiled
def exp(x: float) -> float:
    """E to the power of x."""
    if x > _LARGEST:
        return float("inf")
    if not x >= _SMALLEST:
        return 0.0 if x < _SMALLEST else x
    steps = int(x * _PER_STEP + (0.5 if x >= 0 else -0.5))
    rest = x - steps * _HIGH - steps * _LOW
    square = rest * rest
    root, more = ROOTS[steps & _ROOTS - 1, 0], ROOTS[steps & _ROOTS - 1, 1]
    series = 0.5 + rest * (1.0 / 6) + square * (1.0 / 24 + rest * (1.0 / 120))
    result = root + root * (more + rest + square * series)
    power = steps >> _EXPONENT
    return float(result * LOW_POWERS[power & 31] * HIGH_POWERS[(power >> 5) + 32])
