"""Confidence intervals of means and shares, by the same method for everything in the lab.

An interval holds the true value in 95 of 100 repetitions. Its unit is what is independent of the
rest: a game, or in a contest a whole rotation of the seats, since the games of a rotation are
played by the same bots with the same luck. `simulate`, `match`, `ladder`, `study`, the trial of a
board and the benchmarks use the functions below: from single units, or, where these were not kept,
from their number, their sum and the sum of their squares.
"""

from collections.abc import Sequence
from math import inf, pi, sqrt, tan
from statistics import NormalDist, fmean, variance
from typing import Final

from mauerwerk.core.game import Value

CONFIDENCE: Final = 0.95
"""The probability that an interval holds the true value."""
NORMAL: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""How many standard deviations an interval reaches where the deviation is known."""


class Estimate(Value):
    """A mean and its interval; no interval where the data do not determine one."""

    mean: float
    low: float | None = None
    high: float | None = None


def around(mean: float, reach: float) -> Estimate:
    """An estimate whose interval reaches this far to both sides; what does not vary has none."""
    return Estimate(mean, mean - reach, mean + reach) if reach else Estimate(mean)


def mean_of(units: Sequence[float]) -> Estimate:
    """The mean of independent units, with Student's interval.

    One unit, or units that are all the same, have no interval: they do not show any variation.

    >>> three = mean_of([2.0, 4.0, 3.0, 3.0])
    >>> round(three.low, 2), three.mean, round(three.high, 2)
    (1.7, 3.0, 4.3)
    """
    return around(fmean(units), student(len(units) - 1) * sqrt(_error(units)))


def share_of(units: Sequence[float], games: int) -> Estimate:
    """The mean of shares from 0 to 1, with Wilson's interval.

    The interval is that of independent games, won or lost, whose mean would vary as much as that of
    these units. Their number is taken to be no smaller than that of the units, and no larger than
    that of the games, since a few units can vary little by chance. Where all was won or all lost,
    it is the number of units.

    >>> always = share_of([1.0] * 50, games=100)
    >>> round(always.low, 2), always.mean, always.high
    (0.93, 1.0, 1.0)
    """
    mean = fmean(units)
    error = _error(units)
    effective: float = len(units)
    if 0 < mean < 1:
        effective = min(max(mean * (1 - mean) / error if error else inf, effective), games)
    return wilson(mean, effective, len(units))


def mean_from_sums(units: int, total: float, squares: float) -> Estimate:
    """The mean of independent units, with Student's interval, from their sum and squares.

    >>> mean_from_sums(4, 12, 38) == mean_of([2.0, 4.0, 3.0, 3.0])
    True
    """
    error = error_from_sums(units, total, squares)
    return around(total / units, student(units - 1) * error)


def share_from_sums(units: int, total: float, squares: float, whole: int = 1) -> Estimate:
    """The mean of parts of a whole as a share, with Wilson's interval, from sum and squares.

    Every unit is a game here. The interval is that of as many games, won or lost, as would vary as
    much; of no fewer than there are, since nothing varies more than games that are won or lost.
    """
    mean = total / units / whole
    error = error_from_sums(units, total, squares) / whole
    effective: float = units
    if error and 0 < mean < 1:
        effective = max(mean * (1 - mean) / (error * error), units)
    return wilson(mean, effective, units)


def error_from_sums(units: int, total: float, squares: float) -> float:
    """The standard error of a mean; 0 for one unit, which does not vary."""
    if units == 1:
        return 0.0
    return sqrt(max(squares - total * total / units, 0.0) / (units - 1) / units)


def wilson(share: float, effective: float, units: int) -> Estimate:
    """Wilson's interval around a share of this many games, estimated from this many units."""
    reach = student(units - 1)
    shrunk = 1 + reach * reach / effective
    middle = (share + (shrunk - 1) / 2) / shrunk
    half = reach * sqrt((share * (1 - share) + (shrunk - 1) / 4) / effective) / shrunk
    return Estimate(share, min(max(middle - half, 0.0), share), max(min(middle + half, 1.0), share))


def _error(units: Sequence[float]) -> float:
    return variance(units) / len(units) if len(units) > 1 else 0.0


def student(freedom: int) -> float:
    """How many standard errors Student's interval reaches, by degrees of freedom.

    One and two have closed formulas. The others are expanded around the normal distribution, with
    an error below two thousandths. With none the normal distribution is used.

    >>> [round(student(freedom), 2) for freedom in (1, 2, 3, 9, 99)]
    [12.71, 4.3, 3.18, 2.26, 1.98]
    """
    outside = 1 - CONFIDENCE
    z = NormalDist().inv_cdf(1 - outside / 2)
    match freedom:
        case 0:
            return z
        case 1:
            return 1 / tan(pi * outside / 2)
        case 2:
            return sqrt(2 / (outside * (2 - outside)) - 2)
        case _:
            terms = (
                (z**3 + z) / 4,
                (5 * z**5 + 16 * z**3 + 3 * z) / 96,
                (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
                (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
            )
            return z + sum(term / pow(float(freedom), power) for power, term in enumerate(terms, 1))
