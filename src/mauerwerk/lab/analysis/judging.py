"""How choices are compared, whoever has weighed them, and how much thought goes into it."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from mauerwerk.core.game import Value
from mauerwerk.core.sight import Sight
from mauerwerk.lab.analysis.following import Situation
from mauerwerk.lab.analysis.values import Judged

LEAST: Final = 0.01
"""What costs less of the chance to win is no mistake."""
MOST_NAMED: Final = 8
"""So many choices of a decision are named; then the rest matters little."""


class Effort(Value):
    """How much thinking goes into something: some time, or so many simulations."""

    seconds: float = 0.0
    simulations: int | None = None

    def part(self, share: float) -> "Effort":
        """So much of it."""
        if self.simulations is None:
            return Effort(self.seconds * share)
        return Effort(simulations=int(self.simulations * share))


class Efforts(Value):
    """How much goes into each position."""

    chances: Effort
    choices: Effort


class Weighed(NamedTuple):
    """The choices of a decision, the best first, and what the chosen one has cost."""

    choices: tuple[Judged, ...]
    cost: float


class Analyst(Protocol):
    """Somebody who looks at the positions of one record, in order."""

    def get_ready(self) -> None:
        """Do what takes long, once, before the first position."""
        ...

    def hear(self, sight: Sight[Any, Any, Any], /) -> None:
        """Follow what a seat knows where nothing is to be weighed."""
        ...

    def chances(self, situation: Situation, effort: Effort, /) -> tuple[float, ...]:
        """Every seat's chance to win, while the game goes on."""
        ...

    def choices(
        self, situation: Situation, sight: Sight[Any, Any, Any], effort: Effort, /
    ) -> Weighed:
        """What the choices of a seat promised, by what it knew."""
        ...


def weighed(
    judged: Sequence[Judged], chosen: str, doubt: Callable[[Judged, Judged], float]
) -> Weighed:
    """Put the best first. The chosen one has cost the difference, if that is beyond doubt.

    The doubt is how far apart two choices may be by chance alone.
    """
    choices = sorted(judged, key=lambda each: (-each.value, each.word != chosen))
    best = choices[0]
    own = next(each for each in choices if each.word == chosen)
    cost = best.value - own.value
    if cost < LEAST or cost < doubt(best, own):
        cost = 0.0
    named = choices[:MOST_NAMED]
    return Weighed(tuple(named if own in named else [*named[:-1], own]), cost)
