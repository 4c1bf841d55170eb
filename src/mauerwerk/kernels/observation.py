"""Observations as numbers: what their parts are called, mean, and can hold at most.

Each kernel describes its observations once, in an `ObservationSpec`. Where a part stands, the
bounds of its numbers and the spaces of adapters follow from that.

Observations and masks have several forms. `int16` is the plain one. `int8` takes half the room;
what does not fit into it is written as 127. `bits` gives each number just as many bits as the
largest that can be there needs, in words of 32 bits, and each action of a mask one; nothing is
lost, and a row takes a tenth of the room or less.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy import int64

from mauerwerk.core.game import AnyGame, Setup, Sight
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.contract import Array, Int, compiled

Size: TypeAlias = int | Callable[[Setup[Any]], int]
"""A number of places, or how it follows from the setup."""
Highest: TypeAlias = Callable[[Setup[Any]], Mapping[str, int | Sequence[int]]]
"""The largest number in some parts, or at each of their places, by the names of the parts."""


class Bounds(NamedTuple):
    """No number of an observation is ever smaller or larger, whatever is played."""

    lowest: npt.NDArray[np.int16]
    highest: npt.NDArray[np.int16]


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
        width, layout = self.width(setup), self.layout(setup)
        tops = self._highest(setup)
        lowest, highest = np.zeros(width, np.int16), np.zeros(width, np.int16)
        for part in self.parts:
            place = layout[part.name]
            rows = highest[place].reshape(part.seats or 1, -1)
            rows[: setup.seats] = tops.get(part.name, part.highest)
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


# --- Forms -----------------------------------------------------------------------------------

Form: TypeAlias = Literal["int16", "int8", "bits"]

FORMS: Final[Mapping[Form, Any]] = {"int16": np.int16, "int8": np.int8, "bits": np.int32}
"""Each form, and the type of its elements."""

WORD: Final = 32
"""The number of bits in an element of the form `bits`."""


class Codes(NamedTuple):
    """Which element, from which bit on, and with how many ones at most, each number is in."""

    firsts: Array
    """For each element the first number in it, and after the last one the number of all."""
    words: Array
    shifts: Array
    tops: Array


@compiled
def narrow(feature: Int) -> Int:
    """A number of an observation in 8 bits."""
    return min(feature, 127)


@compiled
def encode(codes: Codes, features: Array, row: Array) -> None:
    """Write numbers into a row of bits; too large a number becomes the largest.

    Most numbers are 0, so that they are looked at by fours.
    """
    row[:] = 0
    fours = features.view(int64)
    for four in range(fours.shape[0]):
        if fours[four]:
            for place in range(4 * four, 4 * four + 4):
                if features[place]:
                    bits = min(features[place], codes.tops[place]) << codes.shifts[place]
                    row[codes.words[place]] |= bits


@compiled
def encode_mask(marks: Array, row: Array) -> None:
    """Write a mask into a row of bits: each word has 32 actions."""
    row[:] = 0
    for place in range(marks.shape[0]):
        if marks[place]:
            row[place // WORD] |= 1 << place % WORD


def codes_of(game: AnyGame, setup: Setup[Any], form: Form, *, remember: bool = False) -> Codes:
    """How the numbers of an observation are written in this form."""
    tops: list[int] = spec_of(game, remember=remember).bounds(setup).highest.tolist()
    widths = [max(1, top.bit_length()) for top in tops]
    if form != "bits":
        return _coded([7 if form == "int8" else 15] * len(widths), room=1)
    return _coded(widths, room=WORD)


def mask_codes(game: AnyGame, setup: Setup[Any]) -> Codes:
    """How a mask is written in the form `bits`."""
    return _coded([1] * len(game.choices(setup)), room=WORD)


def _coded(widths: list[int], room: int) -> Codes:
    """Numbers of so many bits, one behind the other; none is in two elements."""
    firsts = [0]
    words: list[int] = []
    shifts: list[int] = []
    used = 0
    for place, width in enumerate(widths):
        if place and used + width > room:
            firsts.append(place)
            used = 0
        words.append(len(firsts) - 1)
        shifts.append(used)
        used += width
    tops = [(1 << width) - 1 for width in widths]
    return Codes(
        *(np.array(each, np.int32) for each in ([*firsts, len(widths)], words, shifts, tops))
    )


def decode(array: Any, codes: Codes) -> Any:  # noqa: ANN401 - of any library
    """The numbers of observations, or the actions of masks, from any of the forms.

    The array is one of NumPy, PyTorch or JAX with rows on its last axis, and so is the result, on
    the same device. Numbers come as they are in memory: of `int16` and `int8` nothing changes.
    """
    if not codes.shifts.any():
        return array
    words, shifts, tops = _tables(array, codes)
    return array[..., words] >> shifts & tops


def _tables(array: Any, codes: Codes) -> tuple[Any, Any, Any]:  # noqa: ANN401 - of any library
    """Where and how to read, in the library of this array and on its device."""
    library = type(array).__module__.partition(".")[0]
    tables = (codes.words, codes.shifts, codes.tops)
    if library == "torch":
        torch: Any = import_module("torch")
        return tuple(torch.as_tensor(each, device=array.device) for each in tables)
    if library in ("jax", "jaxlib"):
        jax: Any = import_module("jax.numpy")
        return tuple(jax.asarray(each) for each in tables)
    return tables
