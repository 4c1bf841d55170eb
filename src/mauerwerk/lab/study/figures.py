"""Figures: what a study shows, and how each is computed from a tally.

A section is a table: a row for each thing it is about, a column for each question. The titles are
in the language that the sections were made in; figures and their order are the same in all.
"""

from collections.abc import Mapping
from math import hypot, log, sqrt
from typing import Final, NamedTuple, TypeAlias, assert_never

from mauerwerk.core.game import Value
from mauerwerk.lab import intervals
from mauerwerk.lab.study.tally import WIN, Pair, Tally, pair_name


class Mean(Value):
    """A column's mean per game, times a factor."""

    column: str
    scale: float = 1.0


class Part(Value):
    """A column's mean per game as a part of a whole."""

    column: str
    whole: int = 1


class Quotient(Value):
    """The sum of one column divided by that of another."""

    above: str
    below: str
    scale: float = 1.0


class Rate(Value):
    """The sum of one column divided by that of another, as a part of a whole."""

    above: str
    below: str
    whole: int = 1


class Within(Value):
    """The share of games in which a column is at most this."""

    column: str
    most: int


class Quantile(Value):
    """The value that this part of the games does not exceed."""

    column: str
    part: float


Figure: TypeAlias = Mean | Part | Quotient | Rate | Within | Quantile


class Row(Value):
    """A label and its figures."""

    label: str
    figures: tuple[Figure, ...]


class Section(Value):
    """A table of figures that belong together."""

    name: str
    """The same in all languages."""
    title: str
    note: str
    """What readers should know; may be empty."""
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    drawn: tuple[int, ...] = (0,)
    """Which of the heads are drawn as bars."""
    even: float | None = None
    """The value that the figures drawn would have if all rows were equal."""


class Distribution(Value):
    """How often a column has which value."""

    name: str
    title: str
    note: str
    column: str
    axis: str
    """What the values are."""


Chapter: TypeAlias = Section | Distribution


def wins_with(above: str, below: str) -> Rate:
    """How often seats that have something win."""
    return Rate(above, below, WIN)


def wins(column: str) -> Part:
    """A share of wins."""
    return Part(column, WIN)


def estimate(figure: Figure, tally: Tally) -> intervals.Estimate | None:
    """The figure for a tally; None if the tally does not determine it."""
    match figure:
        case Mean(column=column, scale=scale):
            return mean(tally, column, scale)
        case Part(column=column, whole=whole):
            return share(tally, column, whole)
        case Quotient(above=above, below=below, scale=scale):
            return quotient(tally, (above, below), scale)
        case Rate(above=above, below=below, whole=whole):
            return rate(tally, (above, below), whole)
        case Within(column=column, most=most):
            return within(tally, column, most)
        case Quantile(column=column, part=part):
            return quantile(tally, column, part)
        case _:
            assert_never(figure)


def is_share(figure: Figure) -> bool:
    """Whether it is written in percent."""
    match figure:
        case Part() | Rate() | Within():
            return True
        case Mean() | Quotient() | Quantile():
            return False
        case _:
            assert_never(figure)


def key_of(figure: Figure) -> tuple[str | float, ...]:
    """An identity of a figure that does not depend on its factor: the same in a changed game."""
    match figure:
        case Mean(column=column):
            return ("mean", column)
        case Part(column=column):
            return ("part", column)
        case Quotient(above=above, below=below) | Rate(above=above, below=below):
            return ("quotient", above, below)
        case Within(column=column, most=most):
            return ("within", column, most)
        case Quantile(column=column, part=part):
            return ("quantile", column, part)
        case _:
            assert_never(figure)


# --- Estimates from a tally; games are independent of each other, so a game is the unit ------

NEVER: Final = -log((1 - intervals.CONFIDENCE) / 2)
"""An event that never happened in n games happens in less than NEVER / n of all games."""


class Sums(NamedTuple):
    """A column's sum and the sum of its squares."""

    total: int
    squares: int


def sums(tally: Tally, column: str) -> Sums:
    """The sums of a column over all games."""
    counts = tally.counts.get(column, {})
    total = sum(value * games for value, games in counts.items())
    return Sums(total, sum(value * value * games for value, games in counts.items()))


def mean(tally: Tally, column: str, scale: float = 1.0) -> intervals.Estimate:
    """A column's mean per game, times this factor, with Student's interval.

    An event that never happened has an interval too: it ends where the event would have been seen
    with a probability of 97.5 %. Otherwise games that are all the same have no interval.
    """
    games = tally.games
    total, squares = sums(tally, column)
    if not squares:
        return intervals.Estimate(0.0, 0.0, scale * NEVER / games)
    average = total / games
    error = intervals.error_from_sums(games, total, squares)
    if not error:
        return intervals.Estimate(scale * average)
    reach = intervals.student(games - 1) * error
    low = max(average - reach, 0.0)  # nothing that is counted is negative
    return intervals.Estimate(scale * average, scale * low, scale * (average + reach))


def share(tally: Tally, column: str, whole: int = 1) -> intervals.Estimate:
    """A column's mean per game as a part of the whole, with Wilson's interval."""
    total, squares = sums(tally, column)
    return intervals.share_from_sums(tally.games, total, squares, whole)


def quotient(tally: Tally, pair: Pair, scale: float = 1.0) -> intervals.Estimate | None:
    """One column's sum divided by another's; None if that is 0.

    The interval is that of a quotient of means whose two sides vary together, game by game.
    """
    above, below = (sums(tally, column) for column in pair)
    if not below.total:
        return None
    ratio = above.total / below.total
    product = tally.products.get(pair_name(pair), 0)
    rest = above.squares - 2 * ratio * product + ratio * ratio * below.squares
    games = tally.games
    if games < 2 or rest <= 0:  # noqa: PLR2004 - one game does not vary
        return intervals.Estimate(scale * ratio)
    error = sqrt(rest / (games - 1) * games) / below.total
    reach = intervals.student(games - 1) * error
    return intervals.Estimate(
        scale * ratio, scale * max(ratio - reach, 0.0), scale * (ratio + reach)
    )


def rate(tally: Tally, pair: Pair, whole: int = 1) -> intervals.Estimate | None:
    """A quotient that is at most the whole, as a share of it, with Wilson's interval.

    If it does not vary, the interval is for as many games as the divisor.
    """
    ratio = quotient(tally, pair, 1 / whole)
    if ratio is None:
        return None
    part = min(ratio.mean, 1.0)
    effective: float = sums(tally, pair[1]).total
    if ratio.high is not None and 0 < part < 1:
        error = (ratio.high - ratio.mean) / intervals.student(tally.games - 1)
        effective = part * (1 - part) / (error * error)
    return intervals.wilson(part, effective, tally.games)


def difference(one: intervals.Estimate, other: intervals.Estimate) -> intervals.Estimate:
    """How much larger the other is; the interval is that of two independent studies.

    Where two rules have the same games, `pairing.change` says more; of quantiles it says nothing.

    >>> round(difference(intervals.Estimate(1, 0.7, 1.3), intervals.Estimate(3, 2.6, 3.4)).low, 2)
    1.5
    """
    more = other.mean - one.mean
    low, high = _reaches(one)
    low_too, high_too = _reaches(other)
    return intervals.Estimate(more, more - hypot(low_too, high), more + hypot(high_too, low))


def differs(estimate: intervals.Estimate) -> bool:
    """Whether 0 lies outside the interval."""
    low, high = estimate.low, estimate.high
    return low is not None and high is not None and (low > 0 or high < 0)


def within(tally: Tally, column: str, most: int) -> intervals.Estimate:
    """The share of games in which a column is no more than this."""
    more = sum(games for value, games in tally.counts.get(column, {}).items() if value > most)
    return intervals.wilson(1 - more / tally.games, tally.games, tally.games)


def quantile(tally: Tally, column: str, part: float) -> intervals.Estimate:
    """The smallest value that this part of the games does not exceed.

    The interval is from one place in the order of all games to another.
    """
    counts = with_zeros(tally, column)
    reach = intervals.student(tally.games - 1) * sqrt(part * (1 - part) / tally.games)
    low, middle, high = (
        _value_at(counts, place * tally.games) for place in (part - reach, part, part + reach)
    )
    return intervals.Estimate(middle, low, high)


class Bin(NamedTuple):
    """Games whose column is between these, both included."""

    first: int
    last: int
    games: int


def bins_of(tally: Tally, column: str, most: int, ends: tuple[int, int] | None = None) -> list[Bin]:
    """All games by their values, in at most this many bins of equal width.

    They reach from the least value to the greatest, or from one of these ends to the other.

    >>> bins_of(Tally(3, {"gap": {2: 1, 5: 1}}, {}), "gap", 3)
    [Bin(first=0, last=1, games=1), Bin(first=2, last=3, games=1), Bin(first=4, last=5, games=1)]
    """
    counts = with_zeros(tally, column)
    low, high = ends or (min(counts), max(counts))
    width = -(-(high - low + 1) // most)
    bins = dict.fromkeys(range((high - low) // width + 1), 0)
    for value, games in counts.items():
        bins[(value - low) // width] += games
    return [
        Bin(low + place * width, low + (place + 1) * width - 1, games)
        for place, games in sorted(bins.items())
    ]


def with_zeros(tally: Tally, column: str) -> dict[int, int]:
    """How many games had which value, 0 included."""
    counts = dict(tally.counts.get(column, {}))
    if zeros := tally.games - sum(counts.values()):
        counts[0] = zeros
    return counts


def _value_at(counts: Mapping[int, int], place: float) -> int:
    """The value of the game at this place in the order of values."""
    passed = 0
    for value in sorted(counts):
        passed += counts[value]
        if passed >= place:
            return value
    return max(counts)


def _reaches(estimate: intervals.Estimate) -> tuple[float, float]:
    """How far the interval reaches down and up; 0 without one."""
    if estimate.low is None or estimate.high is None:
        return 0.0, 0.0
    return estimate.mean - estimate.low, estimate.high - estimate.mean
