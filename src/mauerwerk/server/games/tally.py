"""What a game counts for its players, and how their own page tells them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mauerwerk.core.game import Step, Value
from mauerwerk.core.language.translation import Language


class TallyLine(Value):
    """A figure in words."""

    label: str
    value: str
    note: str = ""
    """What to compare it with."""


class Tally(NamedTuple):
    """What only this game counts, beside places and points."""

    counts: Callable[[Sequence[Step[Any, Any]], int], Sequence[Mapping[str, float]]] | None = None
    """From all moves that stand and the number of seats: numbers by name, for each seat."""

    lines: Callable[[Mapping[str, float], Language], Sequence[TallyLine]] | None = None
    """What the sums over a player's games say."""

    fewest: bool = False
    """Whether the fewest points win."""
