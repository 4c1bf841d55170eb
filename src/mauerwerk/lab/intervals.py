"""How sure a mean is: intervals that hold the true one in 95 of 100 contests.

The unit is what is independent of the rest, in a contest a whole rotation of the seats; the games
in it are not, as they are played by the same bots with the same luck.
"""

from collections.abc import Sequence
from math import inf, pi, sqrt, tan
from statistics import NormalDist, fmean, variance
from typing import Final

from mauerwerk.core.game import Value

CONFIDENCE: Final = 0.95
"""How often an interval holds the truth."""


class Estimate(Value):
    """A mean and the interval around it; no interval where nothing is known of it."""

    mean: float
    low: float | None = None
    high: float | None = None


def mean_of(units: Sequence[float]) -> Estimate:
    """The mean of independent units, with Student's interval.

    One unit, or some that do not differ, do not tell how much the next one might: no interval.

    >>> three = mean_of([2.0, 4.0, 3.0, 3.0])
    >>> round(three.low, 2), three.mean, round(three.high, 2)
    (1.7, 3.0, 4.3)
    """
    mean = fmean(units)
    if len(set(units)) == 1:
        return Estimate(mean)
    reach = student(len(units) - 1) * sqrt(_error(units))
    return Estimate(mean, mean - reach, mean + reach)


def share_of(units: Sequence[float], games: int) -> Estimate:
    """The mean of shares from 0 to 1, with Wilson's interval for as many games as they are worth.

    That is how many games, won or lost and independent of each other, would vary as these units do.
    It is no fewer than there are units. It is taken to be no more than the games they are made of,
    since few units can vary little by chance; and where all was won or lost, and nothing varies, to
    be the number of units.

    >>> always = share_of([1.0] * 50, games=100)
    >>> round(always.low, 2), always.mean, always.high
    (0.93, 1.0, 1.0)
    """
    mean = fmean(units)
    error = _error(units)
    worth: float = len(units)
    if 0 < mean < 1:
        worth = min(max(mean * (1 - mean) / error if error else inf, worth), games)
    reach = student(len(units) - 1)
    shrunk = 1 + reach * reach / worth
    middle = (mean + (shrunk - 1) / 2) / shrunk
    half = reach * sqrt((mean * (1 - mean) + (shrunk - 1) / 4) / worth) / shrunk
    return Estimate(mean, min(max(middle - half, 0.0), mean), max(min(middle + half, 1.0), mean))


def _error(units: Sequence[float]) -> float:
    """The variance of the mean of these units."""
    return variance(units) / len(units) if len(units) > 1 else 0.0


def student(freedom: int) -> float:
    """How many standard errors Student's interval reaches, by degrees of freedom.

    One and two have a formula of their own; the others are expanded around the normal distribution,
    which is good to two thousandths. With none the normal distribution has to do.

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
