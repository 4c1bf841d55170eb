"""Figures: what a study shows, and how each is computed from a tally.

A section is a table: a row for each thing it is about, a column for each question. The titles are
in the language that the sections were made in; figures and their order are the same in all.
"""

from typing import TypeAlias, assert_never

from mauerwerk.core.game import Value
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study import estimates
from mauerwerk.lab.study.columns import WIN
from mauerwerk.lab.study.tally import Tally


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


def estimate(figure: Figure, tally: Tally) -> Estimate | None:
    """The figure for a tally; None if the tally does not determine it."""
    match figure:
        case Mean(column=column, scale=scale):
            return estimates.mean(tally, column, scale)
        case Part(column=column, whole=whole):
            return estimates.share(tally, column, whole)
        case Quotient(above=above, below=below, scale=scale):
            return estimates.quotient(tally, (above, below), scale)
        case Rate(above=above, below=below, whole=whole):
            return estimates.rate(tally, (above, below), whole)
        case Within(column=column, most=most):
            return estimates.within(tally, column, most)
        case Quantile(column=column, part=part):
            return estimates.quantile(tally, column, part)
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
