"""Figures: what a study shows, and how each is computed from a tally.

A section is a table: a row for each thing it is about, a column for each question. The titles are
in the language that the sections were made in; figures and their order are the same in all. Games
are independent of each other, so a game is the unit of every interval.
"""

from collections.abc import Collection, Mapping
from math import hypot, log, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import asdict

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language
from mauerwerk.lab import intervals
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study.tally import Tally, pair_name

NEVER: Final = -log((1 - intervals.CONFIDENCE) / 2)
"""An event that never happened in n games happens in less than NEVER / n of all games."""
ROUNDING: Final = 1e-9
FEW: Final = 30
"""What was the same in fewer games than this may well vary in others."""


class Mean(Value):
    """A column's mean per game, times a factor, with Student's interval."""

    column: str
    scale: float = 1.0

    def estimate(self, tally: Tally) -> Estimate:
        """The figure for a tally.

        An event that never happened has an interval too: it ends where the event would have been
        seen with a probability of 97.5 %. Otherwise games that are all the same have no interval.
        """
        total, squares = sums(tally, self.column)
        if not squares:
            return Estimate(0.0, 0.0, self.scale * NEVER / tally.games)
        return _times(self.scale, intervals.mean_from_sums(tally.games, total, squares))


class Part(Value):
    """A column's mean per game as a part of a whole, with Wilson's interval."""

    column: str
    whole: int = 1

    def estimate(self, tally: Tally) -> Estimate:
        """The figure for a tally."""
        return intervals.share_from_sums(tally.games, *sums(tally, self.column), self.whole)


class Quotient(Value):
    """The sum of one column divided by that of another, times a factor.

    The interval is that of a quotient of means whose two sides vary together, game by game.
    """

    above: str
    below: str
    scale: float = 1.0

    def estimate(self, tally: Tally) -> Estimate | None:
        """The figure for a tally; None if the divisor is 0, or the same comes of a few games.

        If it is the same in many, it has no interval.
        """
        above, below = sums(tally, self.above), sums(tally, self.below)
        if not below.total:
            return None
        games, ratio = tally.games, above.total / below.total
        rest = residue(self, tally, ratio)
        if not rest and sum(tally.counts[self.below].values()) < min(FEW, games):
            return None
        if games < 2 or not rest:  # noqa: PLR2004 - one game does not vary
            return Estimate(self.scale * ratio)
        error = sqrt(rest / (games - 1) * games) / below.total
        return _times(self.scale, intervals.around(ratio, intervals.student(games - 1) * error))


class Rate(Value):
    """A quotient that is at most the whole, as a share of it, with Wilson's interval.

    If it does not vary, the interval is for as many games as the divisor.
    """

    above: str
    below: str
    whole: int = 1

    def estimate(self, tally: Tally) -> Estimate | None:
        """The figure for a tally; None if the divisor is 0."""
        effective: float = sums(tally, self.below).total
        if not effective:
            return None
        part = min(sums(tally, self.above).total / effective / self.whole, 1.0)
        ratio = Quotient(self.above, self.below, 1 / self.whole).estimate(tally)
        if ratio is not None and ratio.high is not None and 0 < part < 1:
            error = (ratio.high - ratio.mean) / intervals.student(tally.games - 1)
            effective = part * (1 - part) / (error * error)
        return intervals.wilson(part, effective, tally.games)


class Within(Value):
    """The share of games in which a column is at most this."""

    column: str
    most: int

    def games(self, tally: Tally) -> int:
        """How many games these are."""
        counts = tally.counts.get(self.column, {})
        return tally.games - sum(games for value, games in counts.items() if value > self.most)

    def estimate(self, tally: Tally) -> Estimate:
        """The figure for a tally."""
        more = tally.games - self.games(tally)
        return intervals.wilson(1 - more / tally.games, tally.games, tally.games)


class Quantile(Value):
    """The smallest value that this part of the games does not exceed.

    The interval is from one place in the order of all games to another.
    """

    column: str
    part: float

    def estimate(self, tally: Tally) -> Estimate:
        """The figure for a tally."""
        counts, part = with_zeros(tally, self.column), self.part
        reach = intervals.student(tally.games - 1) * sqrt(part * (1 - part) / tally.games)
        low, middle, high = (
            _value_at(counts, place * tally.games) for place in (part - reach, part, part + reach)
        )
        return Estimate(middle, low, high)


Figure: TypeAlias = Mean | Part | Quotient | Rate | Within | Quantile


def key_of(figure: Figure) -> tuple[Any, ...]:
    """An identity of a figure that does not depend on its factor: the same in a changed game."""
    fields = asdict(figure).items()
    return (type(figure), *(value for name, value in fields if name not in ("scale", "whole")))


class Row(Value):
    """A label and its figures."""

    label: str
    figures: tuple[Figure, ...]


class Section(Value):
    """A table of figures that belong together."""

    name: str
    """The same in all languages."""
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
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


Chapter: TypeAlias = Section | Distribution


def clauses_section(
    clauses: Mapping[str, str], language: Language, scoring: Collection[str] = ()
) -> Section:
    """How often each clause applies, and for some of them the points that come of it."""
    return Section(
        name="clauses",
        title=language("How often each clause applies"),
        note=language(
            "What never happened has an interval too: more often than that it hardly can."
        ),
        heads=(language("a game"), *([language("points a game")] if scoring else [])),
        rows=tuple(
            Row(
                f"{clause} {language(happened)}",
                (
                    Mean(f"clause/{clause}"),
                    *([Mean(f"source/{clause}")] if clause in scoring else []),
                ),
            )
            for clause, happened in clauses.items()
        ),
    )


# --- Estimates from a tally ------------------------------------------------------------------


class Sums(NamedTuple):
    """A column's sum and the sum of its squares."""

    total: int
    squares: int


def sums(tally: Tally, column: str) -> Sums:
    """The sums of a column over all games."""
    counts = tally.counts.get(column, {})
    total = sum(value * games for value, games in counts.items())
    return Sums(total, sum(value * value * games for value, games in counts.items()))


def residue(figure: Quotient | Rate, tally: Tally, ratio: float) -> float:
    """The sum of squares of what a quotient leaves unexplained in each game, 0 if it is tiny."""
    above, below = sums(tally, figure.above), sums(tally, figure.below)
    product = tally.products.get(pair_name((figure.above, figure.below)), 0)
    rest = above.squares - 2 * ratio * product + ratio * ratio * below.squares
    return rest if rest > ROUNDING * above.squares else 0.0


def _times(scale: float, estimate: Estimate) -> Estimate:
    """An estimate times a factor; nothing that is counted is negative."""
    if estimate.low is None or estimate.high is None:
        return Estimate(scale * estimate.mean)
    low = max(estimate.low, 0.0)
    return Estimate(scale * estimate.mean, scale * low, scale * estimate.high)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """How much larger the other is; the interval is that of two independent studies.

    Where two rules have the same games, `pairing.change` says more; of quantiles it says nothing.

    >>> round(difference(Estimate(1, 0.7, 1.3), Estimate(3, 2.6, 3.4)).low, 2)
    1.5
    """
    more = other.mean - one.mean
    low, high = _reaches(one)
    low_too, high_too = _reaches(other)
    return Estimate(more, more - hypot(low_too, high), more + hypot(high_too, low))


def differs(estimate: Estimate) -> bool:
    """Whether 0 lies outside the interval."""
    low, high = estimate.low, estimate.high
    return low is not None and high is not None and (low > 0 or high < 0)


def _reaches(estimate: Estimate) -> tuple[float, float]:
    """How far the interval reaches down and up; 0 without one."""
    if estimate.low is None or estimate.high is None:
        return 0.0, 0.0
    return estimate.mean - estimate.low, estimate.high - estimate.mean


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
    bins = [0] * ((high - low) // width + 1)
    for value, games in counts.items():
        bins[(value - low) // width] += games
    firsts = range(low, high + 1, width)
    return [Bin(first, first + width - 1, games) for first, games in zip(firsts, bins, strict=True)]


def with_zeros(tally: Tally, column: str) -> dict[int, int]:
    """How many games had which value, 0 included."""
    counts = dict(tally.counts.get(column, {}))
    if zeros := tally.games - sum(counts.values()):
        counts[0] = zeros
    return counts


def _value_at(counts: Mapping[int, int], place: float) -> int:
    passed = 0
    for value in sorted(counts):
        passed += counts[value]
        if passed >= place:
            return value
    return max(counts)
