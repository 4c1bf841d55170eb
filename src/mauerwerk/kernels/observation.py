"""Observations in kernels, and the forms in which they are written.

`core.observation` describes what their parts are called, mean, and can hold at most.

Observations and masks have several forms. `int16` is the plain one. `int8` takes half the room;
what does not fit into it is written as 127. `bits` gives each number just as many bits as the
largest that can be there needs, in words of 32 bits, and each action of a mask one; nothing is
lost, and a row takes a tenth of the room or less.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy import int64

from mauerwerk.core.game import AnyGame, Setup, Sight
from mauerwerk.core.observation import ObservationSpec
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.contract import Array, Int, compiled


class Lookup(NamedTuple):
    """Actions that differ only in what lies at their places, such as turning a card over.

    A network need not learn the same for each place: it says what each kind of thing is worth, and
    the observation says which kind lies where. A kernel whose game has such actions names them in
    `LOOKUP`.
    """

    action: int
    """The first of these actions, one for each place."""
    feature: int
    """The first number of the observation that says, place by place, of each kind whether it lies
    there."""
    places: int
    kinds: int

    @property
    def size(self) -> int:
        """How many numbers of the observation say what lies where."""
        return self.places * self.kinds

    @property
    def features(self) -> slice:
        """The numbers of the observation that say what lies where."""
        return slice(self.feature, self.feature + self.size)


def spec_of(game: AnyGame, *, remember: bool = False) -> ObservationSpec:
    """How a kernel's observations are described."""
    spec: ObservationSpec = kernel_of(game.NAME, remember=remember).OBSERVATION
    return spec


def lookup_of(game: AnyGame, *, remember: bool = False) -> Lookup | None:
    """Which actions a network can look up in these observations, if there are any."""
    lookup: Lookup | None = getattr(kernel_of(game.NAME, remember=remember), "LOOKUP", None)
    return lookup


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
    tops = spec_of(game, remember=remember).bounds(setup).highest
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
