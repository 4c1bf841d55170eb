"""A sweep: one option takes several values in turn, and every figure becomes a curve."""

from collections.abc import Sequence
from math import hypot
from statistics import NormalDist
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.lab.intervals import CONFIDENCE, NORMAL, Estimate
from mauerwerk.lab.study.comparison import Answers, all_answers
from mauerwerk.lab.study.plan import StudyResults

MOST_VALUES: Final = 60
"""The most values of one sweep."""
MOST_CHANGES: Final = 8
"""How many more figures are drawn: those that change most."""
_FIRST: Final = ("order", "length", "margins", "closeness")
"""Sections whose first figure every sweep shows, in this order."""


class Curve(Value):
    """One figure for each value of the option."""

    section: str
    title: str
    label: str
    head: str
    share: bool
    values: tuple[Estimate | None, ...]
    even: float | None = None
    """What it would be if all seats were equal."""


def curves(results: Sequence[StudyResults], language: Language = ENGLISH) -> tuple[Curve, ...]:
    """The figures that every sweep shows, and then those that change most."""
    every = _all_curves(results, language)
    firsts = [
        next(each for each in every if each.section == name)
        for name in _FIRST
        if any(each.section == name for each in every)
    ]
    others = sorted((each for each in every if each not in firsts), key=_change, reverse=True)
    return (*firsts, *[each for each in others if _change(each) > 1][:MOST_CHANGES])


def _all_curves(results: Sequence[StudyResults], language: Language) -> list[Curve]:
    """Those that all values have; a quantile moves in whole steps."""
    return [
        Curve(
            chapter.section.name,
            chapter.section.title,
            row.label,
            answer.head,
            answer.share,
            answer.values,
            chapter.section.even if place == 0 else None,
        )
        for chapter in all_answers(results, language)
        if isinstance(chapter, Answers)
        for row in chapter.lines
        if row.everywhere
        for place, answer in enumerate(row.answers)
        if answer.named
    ]


def _change(curve: Curve) -> float:
    """How much the curve rises or falls between any two values; above 1 it is hardly by chance.

    It is counted in widths of their intervals, which are the wider the more pairs there are to
    choose from: those of Bonferroni.
    """
    known = [
        (each.low, each.mean, each.high)
        for each in curve.values
        if each is not None and each.low is not None and each.high is not None
    ]
    pairs = len(known) * (len(known) - 1) // 2
    if not pairs:
        return 0.0
    low, top, _ = max(known)
    _, foot, high = min(known, key=lambda each: each[2])
    width = hypot(top - low, high - foot)
    wider = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / pairs) / NORMAL
    return (top - foot) / (width * wider) if width else 0.0
