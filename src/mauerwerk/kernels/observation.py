"""Observations as numbers: what their parts are called, mean, and can hold at most.

Each kernel describes its observations once, in an `ObservationSpec`. Where a part stands, the
bounds of its numbers and the spaces of adapters follow from that.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.sight import Sight
from mauerwerk.kernels import kernel_of

Size: TypeAlias = int | Callable[[Setup[Any]], int]
"""A number of places, or how it follows from the setup."""
Highest: TypeAlias = int | Sequence[int] | Callable[[Setup[Any]], int | Sequence[int]]
"""The largest number in a part, or at each of its places, or how they follow from the setup."""


class Bounds(NamedTuple):
    """No number of an observation is ever smaller or larger, whatever is played."""

    lowest: npt.NDArray[np.int16]
    highest: npt.NDArray[np.int16]


class Part(NamedTuple):
    """A stretch of an observation."""

    name: str
    size: Size
    meaning: str
    highest: Highest = 1
    fixed: bool = False
    """Whether it is the same throughout a game: always the highest. Otherwise the lowest is 0."""
    seats: int = 0
    """Room for how many seats: `size` and `highest` are those of each, clockwise from one's own.

    The numbers of seats that do not play are 0. Without room for any, there is one for all."""


class ObservationSpec:
    """The parts of an observation, in order and without gaps."""

    def __init__(self, *parts: Part) -> None:
        """Those whose size depends on the setup come after all others."""
        self.parts: Final = parts
        self.meanings: Final[Mapping[str, str]] = {part.name: part.meaning for part in parts}

    def extended(self, *parts: Part) -> "ObservationSpec":
        """The same with more parts at the end."""
        return ObservationSpec(*self.parts, *parts)

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
        width, layout = self.width(setup), self.layout(setup)
        lowest, highest = np.zeros(width, np.int16), np.zeros(width, np.int16)
        for part in self.parts:
            place = layout[part.name]
            rows = highest[place].reshape(part.seats or 1, -1)
            rows[: setup.seats] = part.highest(setup) if callable(part.highest) else part.highest
            if part.fixed:
                lowest[place] = highest[place]
        return Bounds(lowest, highest)

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


def spec_of(game: AnyGame, *, remember: bool = False) -> ObservationSpec:
    """How a kernel's observations are described."""
    spec: ObservationSpec = kernel_of(game.NAME, remember=remember).OBSERVATION
    return spec


def observation_of(
    game: AnyGame, setup: Setup[Any], sight: Sight[Any, Any, Any], *, remember: bool = False
) -> npt.NDArray[np.int16]:
    """What a seat sees as an observation, or also what a perfect memory knows."""
    kernel: Any = kernel_of(game.NAME, remember=remember)
    known = kernel.remembered(setup, sight) if remember else kernel.features(setup, sight.view)
    return np.array(known, np.int16)
