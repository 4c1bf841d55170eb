"""The file of a module: where it is, and what it says about itself.

A module is a shared library in the format of Emscripten: whoever loads it brings the memory. Its
last section, in JSON, lists the functions with the types of their arguments, and says what the
module was built from. A function is called with the address of its arguments, each in 8 bytes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import numpy as np

SECTION: Final = "mauerwerk"
SLOT: Final = 8
"""The bytes of an argument."""
NUMBER: Final = -1
"""Instead of the number of axes: this is no array."""
_CUSTOM: Final = 0
_HEAD: Final = 8


class Leaf(NamedTuple):
    """An argument after tuples have been taken apart: an array, or a number."""

    kind: str
    """As NumPy says it: `i`, `u`, `f`, `b`, or `V` for the records of an array."""
    size: int
    """The bytes of an element."""
    axes: int


_INTEGER: Final = Leaf("i", SLOT, NUMBER)
_NUMBERS: Final[Mapping[type, Leaf]] = {
    bool: Leaf("b", 1, NUMBER),
    float: Leaf("f", SLOT, NUMBER),
    np.float64: Leaf("f", SLOT, NUMBER),
    np.uint64: Leaf("u", SLOT, NUMBER),
}


class Function(NamedTuple):
    """A function of a module."""

    name: str
    leaves: tuple[Leaf, ...]
    result: str
    """The kind of number that it returns; empty if it returns none."""


def flat(arguments: Any) -> Iterator[Any]:  # noqa: ANN401 - nested tuples
    """The arrays and numbers in nested tuples, in order."""
    for each in arguments:
        if isinstance(each, tuple):
            yield from flat(each)
        else:
            yield each


def leaf_of(value: object) -> Leaf:
    """The type of an argument: an array or a number."""
    if isinstance(value, np.ndarray):
        array = cast("Any", value)
        return Leaf(array.dtype.kind, array.itemsize, array.ndim)
    return _NUMBERS.get(type(value), _INTEGER)


def folder() -> Path:
    """Where the modules of this installation are."""
    return Path(str(files("mauerwerk.kernels.wasm") / "modules"))


def path_of(game: str) -> Path | None:
    """The module of a game, if there is one."""
    return next(iter(sorted(folder().glob(f"{game}-*.wasm"))), None)


# --- Sections --------------------------------------------------------------------------------


def with_section(module: bytes, content: Mapping[str, Any]) -> bytes:
    """A module that says this about itself."""
    name = SECTION.encode()
    body = _written(len(name)) + name + json.dumps(content, separators=(",", ":")).encode()
    return module + bytes([_CUSTOM]) + _written(len(body)) + body


def described(module: bytes) -> Mapping[str, Any]:
    """What a module says about itself. Raises KeyError if it says nothing."""
    content: Mapping[str, Any] = json.loads(_sections(module)[SECTION])
    return content


def functions_of(described: Mapping[str, Any]) -> Mapping[str, Sequence[Function]]:
    """The functions by name; several if the arguments can be of several types."""
    return {
        name: [
            Function(each["export"], tuple(Leaf(*leaf) for leaf in each["leaves"]), each["result"])
            for each in forms
        ]
        for name, forms in described["functions"].items()
    }


def data_size(module: bytes) -> int:
    """How many bytes of memory the constants of a module take."""
    info = _sections(module)["dylink.0"]
    _kind, place = _read(info, 0)
    _length, place = _read(info, place)
    return _read(info, place)[0]


def _sections(module: bytes) -> Mapping[str, bytes]:
    """The sections that have names."""
    found: dict[str, bytes] = {}
    place = _HEAD
    while place < len(module):
        kind = module[place]
        size, begin = _read(module, place + 1)
        place = begin + size
        if kind == _CUSTOM:
            length, at = _read(module, begin)
            found[module[at : at + length].decode()] = module[at + length : place]
    return found


def _written(number: int) -> bytes:
    """A number in LEB128."""
    digits = bytearray()
    while number >> 7:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*digits, number])


def _read(content: bytes, place: int) -> tuple[int, int]:
    """A number in LEB128, and where it ends."""
    number = shift = 0
    while True:
        digit = content[place]
        number |= (digit & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if not digit & 0x80:
            return number, place
