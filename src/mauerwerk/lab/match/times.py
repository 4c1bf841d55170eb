"""How long bots think: counted by length, so that a million decisions need little room."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, log
from time import perf_counter
from typing import Any, Final

from mauerwerk.bots.bot import Player
from mauerwerk.core.game import Value
from mauerwerk.core.sight import Sight

STEP: Final = 0.05
"""A length is kept as its step on a scale on which each is a twentieth longer than the last."""

SHORTEST: Final = 1e-6
"""Where the scale begins, in seconds."""

GRACE: Final = 0.05
"""So many seconds after its time a bot's answer is not late yet: clocks and switches need some."""


class Times(Value):
    """How long decisions took: how many of each length, the longest, and those that came late."""

    steps: tuple[tuple[int, int], ...] = ()
    """Step on the scale, and how many decisions."""
    longest: float = 0.0
    """In seconds."""
    late: int = 0


class Thinking(Value):
    """What there is to say about times; in seconds, to within three in a hundred."""

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
    """The shortest length that this share of decisions does not exceed; 0 if there were none."""
    wanted = share * sum(count for _, count in times.steps)
    for step, count in times.steps:
        wanted -= count
        if wanted <= 0:
            return min(SHORTEST * exp(step * STEP), times.longest)
    return times.longest


class Stopwatch:
    """A bot that plays as another does, and times it."""

    def __init__(self, player: Player) -> None:
        """Whom to time, and how long it may think."""
        self._bot, self._seconds = player
        self._lengths: list[float] = []

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """What the other would."""
        begun = perf_counter()
        action = self._bot.act(sight, seconds)
        self._lengths.append(perf_counter() - begun)
        return action

    @property
    def times(self) -> Times:
        """What has been measured so far."""
        return measured(self._lengths, self._seconds)


def measured(lengths: Sequence[float], seconds: float) -> Times:
    """These lengths, each of a decision that was to take no more than so many seconds.

    >>> thinking(measured([0.1, 0.1, 0.3], 0.2)).late
    1
    """
    steps = Counter(round(log(max(length / SHORTEST, 1)) / STEP) for length in lengths)
    return Times(
        steps=tuple(sorted(steps.items())),
        longest=round(max(lengths, default=0.0), 6),
        late=sum(length > seconds + GRACE for length in lengths),
    )
