"""Arrays of a batch in other libraries, without copying: DLPack.

NumPy's arrays know DLPack, those of numba-cuda do not. `as_dlpack` makes any array of a batch one
that `torch.from_dlpack`, `jax.numpy.from_dlpack` and others take over, where it is. What the batch
writes later is seen there too, and PyTorch can write `actions` in place.

A GPU works through launches in the order of a stream. The batch uses the default stream, and so
does PyTorch. JAX has streams of its own: taking an array over then waits for the batch, so do that
after each step.
"""

import ctypes
import math
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from mauerwerk.kernels.contract import Array

CPU, GPU = 1, 2
"""DLPack's numbers for devices."""

IN_ORDER: Final = frozenset({None, -1, 0, 1})
"""Streams that need not wait for the default one: none, no matter which, and itself."""

CODES: Final[Mapping[str, int]] = {"i": 0, "u": 1, "f": 2, "b": 6}
"""DLPack's numbers for kinds of elements, by those of NumPy."""

NAME: Final = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Element(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("axes", ctypes.c_int32),
        ("element", _Element),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


_Release: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("release", _Release))


_LENT: Final[dict[int, tuple[Any, ...]]] = {}
"""What other libraries still use, by address, so that it is not freed."""


def _give_back(address: int) -> None:
    """A library no longer uses this."""
    _LENT.pop(address, None)


def _drop_capsule(capsule: int) -> None:
    """A capsule goes away; if nobody has taken it over, so does what it holds."""
    python: Any = ctypes.pythonapi
    if python.PyCapsule_IsValid(ctypes.c_void_p(capsule), NAME):
        pointer = python.PyCapsule_GetPointer
        pointer.restype = ctypes.c_void_p
        _give_back(pointer(ctypes.c_void_p(capsule), NAME))


_release: Final = _Release(_give_back)
_drop: Final = _Release(_drop_capsule)
"""Both as functions of C."""


class DlpackArray:
    """An array as other libraries take it over."""

    def __init__(self, array: Array, address: int, device: tuple[int, int]) -> None:
        """Raises BufferError if its elements are records, which other libraries do not know."""
        if array.dtype.kind not in CODES:
            raise BufferError("an array of records cannot be shared: view it as numbers first")
        self._array, self._address, self._device = array, address, device

    def __dlpack_device__(self) -> tuple[int, int]:
        """The device that holds the array."""
        return self._device

    def __dlpack__(self, *, stream: int | None = None, **_: object) -> Any:  # noqa: ANN401
        """A capsule with the array; the stream is the one in which it will be used."""
        if self._device[0] == GPU and stream not in IN_ORDER:
            cuda: Any = import_module("numba.cuda")
            cuda.synchronize()
        shape, kind = self._array.shape, self._array.dtype
        sizes = ctypes.c_int64 * len(shape)
        steps = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
        kept = sizes(*shape), sizes(*steps)
        element = _Element(CODES[kind.kind], 8 * kind.itemsize, 1)
        tensor = _Tensor(self._address, _Device(*self._device), len(shape), element, *kept, 0)
        managed = _Managed(tensor, None, _release)
        address = ctypes.addressof(managed)
        _LENT[address] = managed, kept, self._array
        make: Any = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        return make(ctypes.c_void_p(address), NAME, _drop)


def as_dlpack(array: Array) -> Any:  # noqa: ANN401 - what knows DLPack
    """An array of a batch for `from_dlpack` of any library."""
    if hasattr(array, "__dlpack__"):
        return array
    pointer = array.device_ctypes_pointer.value
    cuda: Any = import_module("numba.cuda")
    return DlpackArray(array, pointer or 0, (GPU, cuda.get_current_device().id))
