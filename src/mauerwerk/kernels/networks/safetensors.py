"""Files of arrays in the format safetensors: numbers and words, and nothing that is executed.

https://github.com/huggingface/safetensors describes the format: the length of a header, the header
in JSON, and the numbers. Ours are small, so a file is read as a whole and checked before use.
"""

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value

LARGEST: Final = 2_000_000
"""The most bytes of a file."""

KINDS: Final[Mapping[str, Any]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}
"""The kinds of numbers that a network has, by their words in the format."""

_LENGTH: Final = 8
_CARD: Final = "__metadata__"


class Tensors(NamedTuple):
    """What a file holds."""

    arrays: Mapping[str, npt.NDArray[np.float32]]
    """By name, whatever kind of number the file has."""
    card: Mapping[str, str]
    """What the file says about itself."""


class _Entry(Value):
    """One array in the header."""

    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def read(path: Path) -> Tensors:
    """Read a file. Raises SetupError, with one line, if it is not what the format says."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as fault:
        raise SetupError(f"{path} cannot be read: {fault.strerror}") from fault
    try:
        return parse(content)
    except (ValueError, msgspec.MsgspecError) as fault:
        raise SetupError(f"{path} is not the file of a network: {fault}") from fault


def parse(content: bytes) -> Tensors:
    """What these bytes hold. Raises ValueError or MsgspecError if they are anything else."""
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST:,} bytes")
    begin = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    if len(content) < _LENGTH or begin > len(content):
        raise ValueError("it ends inside its header")
    header = msgspec.json.decode(content[_LENGTH:begin], type=dict[str, msgspec.Raw])
    card = msgspec.json.decode(header.pop(_CARD, b"{}"), type=dict[str, str])
    entries = {name: msgspec.json.decode(raw, type=_Entry) for name, raw in header.items()}
    numbers = content[begin:]
    end = 0
    for name, entry in sorted(entries.items(), key=lambda each: each[1].data_offsets):
        first, last = entry.data_offsets
        if entry.dtype not in KINDS or min(entry.shape, default=0) < 0:
            raise ValueError(f"{name} has no kind or shape that a network has")
        if first != end or last - first != prod(entry.shape) * KINDS[entry.dtype].itemsize:
            raise ValueError(f"{name} is not where the header says")
        end = last
    if end != len(numbers):
        raise ValueError("its header does not describe all of it")
    arrays = {name: _array(name, entry, numbers) for name, entry in entries.items()}
    return Tensors(arrays, card)


def _array(name: str, entry: _Entry, numbers: bytes) -> npt.NDArray[np.float32]:
    first, last = entry.data_offsets
    found = np.frombuffer(numbers[first:last], KINDS[entry.dtype]).reshape(entry.shape)
    if not np.isfinite(found).all():
        raise ValueError(f"{name} has numbers that are none")
    return found.astype(np.float32)


def write(path: Path, arrays: Mapping[str, npt.NDArray[Any]], card: Mapping[str, str]) -> None:
    """Write a file that `read` reads: arrays of 16 bits as they are, all others with 32 bits.

    Raises ValueError if it would be too large, or if a number is infinite or none.
    """
    header: dict[str, object] = {_CARD: dict(card)}
    parts: list[bytes] = []
    end = 0
    for name, array in arrays.items():
        word = "F16" if array.dtype == np.float16 else "F32"
        parts.append(np.ascontiguousarray(array, KINDS[word]).tobytes())
        place = (end, end + len(parts[-1]))
        header[name] = {"dtype": word, "shape": array.shape, "data_offsets": place}
        end = place[1]
    words = msgspec.json.encode(header)
    words += b" " * (-len(words) % _LENGTH)
    content = b"".join((len(words).to_bytes(_LENGTH, "little"), words, *parts))
    parse(content)
    path.write_bytes(content)
