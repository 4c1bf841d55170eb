"""Memory for the arrays of kernels, where compiled functions reach them without copying."""

import math
from typing import Any, Final, Protocol

import numpy as np

from mauerwerk.kernels.contract import Array

LINE: Final = 64
"""The size of a cache line in bytes."""


class Memory(Protocol):
    """A place for arrays."""

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array of zeros that begins on a line of cache."""
        ...

    def keep(self, array: Array, /) -> Array:
        """This array if it is there already, otherwise a copy."""
        ...


class PlainMemory:
    """That of this process."""

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array that begins on a line of cache: JAX takes over no other without copying."""
        wanted = np.dtype(kind).itemsize * math.prod(shape)
        room = np.zeros(wanted + LINE, np.uint8)
        begin = -room.ctypes.data % LINE
        return room[begin : begin + wanted].view(kind).reshape(shape)

    def keep(self, array: Array, /) -> Array:
        """The array itself."""
        return array


PLAIN: Final = PlainMemory()
