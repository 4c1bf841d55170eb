"""Thinking times as counts by length, so that a million decisions need little memory."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, log
from typing import Final

from mauerwerk.core.game import Value

STEP: Final = 0.05
"""The width of a step on the logarithmic scale of lengths: each is 5 % longer than the last."""
SHORTEST: Final = 1e-6
"""Where the scale begins, in seconds."""
GRACE: Final = 0.05
"""How many seconds after its time an answer is not late yet, to allow for the system."""


class Times(Value):
    """The times of decisions: how many of each length, the longest, and the late ones."""

    steps: tuple[tuple[int, int], ...] = ()
    """Pairs of a step on the scale and a number of decisions."""
    longest: float = 0.0
    """In seconds."""
    late: int = 0


class Thinking(Value):
    """A summary of times in seconds, accurate to 3 %."""

    decisions: int
    median: float
    percentile_99: float
    longest: float
    """To the microsecond."""
    late: int
    """Decisions that came more than `GRACE` after their time."""


def joined(some: Iterable[Times]) -> Times:
    """All of these together."""
    steps: Counter[int] = Counter()
    longest, late = 0.0, 0
    for times in some:
        steps.update(dict(times.steps))
        longest = max(longest, times.longest)
        late += times.late
    return Times(tuple(sorted(steps.items())), longest, late)


def thinking(times: Times) -> Thinking:
    """The median, the 99th percentile and the rest."""
    return Thinking(
        decisions=sum(count for _, count in times.steps),
        median=_quantile(times, 0.5),
        percentile_99=_quantile(times, 0.99),
        longest=times.longest,
        late=times.late,
    )


def _quantile(times: Times, share: float) -> float:
    """The shortest length that this share of decisions does not exceed; 0 without decisions."""
    wanted = share * sum(count for _, count in times.steps)
    for step, count in times.steps:
        wanted -= count
        if wanted <= 0:
            return min(SHORTEST * exp(step * STEP), times.longest)
    return times.longest


def measured(lengths: Sequence[float], seconds: float) -> Times:
    """These lengths, each of a decision with this many seconds to think.

    >>> thinking(measured([0.1, 0.1, 0.3], 0.2)).late
    1
    """
    steps = Counter(round(log(max(length / SHORTEST, 1)) / STEP) for length in lengths)
    return Times(
        steps=tuple(sorted(steps.items())),
        longest=round(max(lengths, default=0.0), 6),
        late=sum(length > seconds + GRACE for length in lengths),
    )
