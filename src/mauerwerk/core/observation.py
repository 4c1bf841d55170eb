"""Observations as numbers: what their parts are called, mean, and can hold at most.

What learners see of a game is described once, in an `ObservationSpec`. Where a part stands, the
bounds of its numbers and the spaces of adapters follow from that. A game describes it beside its
rules, as `Game.observation`, or its kernel does.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from mauerwerk.core.game import Setup

Size: TypeAlias = int | Callable[[Setup[Any]], int]
"""A number of places, or how it follows from the setup."""
Highest: TypeAlias = Callable[[Setup[Any]], Mapping[str, int | Sequence[int]]]
"""The largest number in some parts, or at each of their places, by the names of the parts."""


class Bounds(NamedTuple):
    """No number of an observation is ever smaller or larger, whatever is played."""

    lowest: tuple[int, ...]
    highest: tuple[int, ...]


class Part(NamedTuple):
    """A stretch of an observation."""

    name: str
    size: Size
    meaning: str
    highest: int = 1
    """The largest number there can be, unless the setup decides it."""
    fixed: bool = False
    """Whether it is the same throughout a game: always the highest. Otherwise the lowest is 0."""
    seats: int = 0
    """Room for how many seats: `size` and `highest` are those of each, clockwise from one's own.

    The numbers of seats that do not play are 0. Without room for any, there is one for all."""


class ObservationSpec:
    """The parts of an observation, in order and without gaps."""

    def __init__(self, *parts: Part, highest: Highest = lambda _: {}) -> None:
        """Those whose size depends on the setup come after all others.

        What `highest` says of a setup counts for the parts that it names.
        """
        self.parts: Final = parts
        self._highest: Final = highest
        self.meanings: Final[Mapping[str, str]] = {part.name: part.meaning for part in parts}

    def extended(self, *parts: Part, highest: Highest) -> "ObservationSpec":
        """The same with more parts at the end, and what the setup decides about them."""

        def all_highest(setup: Setup[Any]) -> Mapping[str, int | Sequence[int]]:
            return {**self._highest(setup), **highest(setup)}

        return ObservationSpec(*self.parts, *parts, highest=all_highest)

    def starts(self) -> Any:  # noqa: ANN401 - a named tuple with the names of the parts
        """Where each part begins, as far as that is the same in every setup; for compiled code."""
        starts: dict[str, int] = {}
        end = 0
        for part in self.parts:
            starts[part.name] = end
            if not isinstance(part.size, int):
                break
            end += part.size * (part.seats or 1)
        return namedtuple("Starts", starts)(**starts)  # noqa: PYI024 - its fields are data # pyright: ignore[reportUntypedNamedTuple]

    def sizes(self, setup: Setup[Any]) -> Mapping[str, int]:
        """How many numbers each part has."""
        return {
            part.name: (part.size(setup) if callable(part.size) else part.size) * (part.seats or 1)
            for part in self.parts
        }

    def layout(self, setup: Setup[Any]) -> Mapping[str, slice]:
        """Where each part stands."""
        layout: dict[str, slice] = {}
        end = 0
        for name, size in self.sizes(setup).items():
            layout[name] = slice(end, end + size)
            end += size
        return layout

    def width(self, setup: Setup[Any]) -> int:
        """How many numbers there are."""
        return sum(self.sizes(setup).values())

    def bounds(self, setup: Setup[Any]) -> Bounds:
        """The bounds of all numbers, place by place.

        What the rules make impossible at this table has 0 for both: a seat that does not play, a
        kind of piece that is not used. What never changes has the same number for both.
        """
        tops = self._highest(setup)
        lowest: list[int] = []
        highest: list[int] = []
        for part in self.parts:
            size = part.size(setup) if callable(part.size) else part.size
            top = tops.get(part.name, part.highest)
            row = [top] * size if isinstance(top, int) else list(top)
            playing = min(part.seats, setup.seats) if part.seats else 1
            empty = [0] * (size * ((part.seats or 1) - playing))
            numbers = [*row * playing, *empty]
            highest += numbers
            lowest += numbers if part.fixed else [0] * len(numbers)
        return Bounds(tuple(lowest), tuple(highest))

    def joined(self, setup: Setup[Any], numbers: Mapping[str, Sequence[int]]) -> list[int]:
        """The numbers of all parts, in order; those that are missing at the end of a part are 0."""
        row: list[int] = []
        end = 0
        for name, size in self.sizes(setup).items():
            end += size
            row += numbers[name]
            row += [0] * (end - len(row))
        assert len(row) == end
        return row


class Observation(NamedTuple):
    """What learners see of a game, made from the view of a seat, so that it can tell no more."""

    spec: ObservationSpec
    features: Callable[[Setup[Any], Any], Mapping[str, Sequence[int]]]
    """From the setup and a view: the numbers of each part."""

    def row(self, setup: Setup[Any], view: Any, /) -> list[int]:  # noqa: ANN401 - the game's own
        """All numbers in order."""
        return self.spec.joined(setup, self.features(setup, view))
