"""What an analyst of positions does, how much effort it spends, and how choices are compared."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from mauerwerk.core.game import Value
from mauerwerk.core.sight import Sight
from mauerwerk.lab.analysis.following import Situation
from mauerwerk.lab.analysis.values import Judged

LEAST: Final = 0.01
"""A choice that costs less of the chance to win is no mistake."""
MOST_NAMED: Final = 8
"""The largest number of choices that are listed for a decision."""


class Effort(Value):
    """How much computing goes into something: a time, or a number of simulations."""

    seconds: float = 0.0
    simulations: int | None = None

    def part(self, share: float) -> "Effort":
        """This share of it."""
        if self.simulations is None:
            return Effort(self.seconds * share)
        return Effort(simulations=int(self.simulations * share))


class Efforts(Value):
    """The effort for a position: for its chances, and for its choices."""

    chances: Effort
    choices: Effort


class Weighed(NamedTuple):
    """The choices of a decision, the best first, and the cost of the chosen one."""

    choices: tuple[Judged, ...]
    cost: float


class Analyst(Protocol):
    """Analyses the positions of one record, in order."""

    def get_ready(self) -> None:
        """Do slow preparations once, before the first position."""
        ...

    def hear(self, sight: Sight[Any, Any, Any], /) -> None:
        """Follow what a seat knows at a position that is not analysed here."""
        ...

    def chances(self, situation: Situation, effort: Effort, /) -> tuple[float, ...]:
        """Every seat's chance to win in a game that is not over."""
        ...

    def choices(
        self, situation: Situation, sight: Sight[Any, Any, Any], effort: Effort, /
    ) -> Weighed:
        """The value of each choice of a seat, by what it knew."""
        ...


def weighed(
    judged: Sequence[Judged], chosen: str, doubt: Callable[[Judged, Judged], float]
) -> Weighed:
    """Sort the choices, the best first, and compute the cost of the chosen one.

    The cost is the difference to the best, if it is larger than `doubt`: how far apart the two may
    be by chance alone.
    """
    choices = sorted(judged, key=lambda each: (-each.value, each.word != chosen))
    best = choices[0]
    own = next(each for each in choices if each.word == chosen)
    cost = best.value - own.value
    if cost < LEAST or cost < doubt(best, own):
        cost = 0.0
    named = choices[:MOST_NAMED]
    return Weighed(tuple(named if own in named else [*named[:-1], own]), cost)
