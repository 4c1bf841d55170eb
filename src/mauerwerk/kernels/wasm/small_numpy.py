"""As much of NumPy as packing a position takes, for browsers: there NumPy is another 3 to 4 MB.

    small_numpy.install()

puts this module in NumPy's place if NumPy is missing. Then kernels can be imported, and positions
packed for a search that runs elsewhere (`search.packed`); tests compare the bytes with NumPy's. It
does not compute: networks alone, batches and searches in Python need NumPy itself.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnnecessaryIsInstance=false, reportGeneralTypeIssues=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false, reportPrivateUsage=false
# It takes the place of a library whose arguments may be almost anything.

import struct
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from math import prod
from types import ModuleType
from typing import Any, Final

_CODES: Final = {
    "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d", "b1": "?",
}  # fmt: skip
"""How `struct` calls each type of number."""


class generic:  # noqa: N801 - NumPy's names, here and below
    """A number with a type."""

    code = ""


def _number(name: str, base: type, code: str) -> type:
    return type(name, (generic, base), {"code": code})


int8, int16, int32, int64 = (_number(f"int{8 * n}", int, f"i{n}") for n in (1, 2, 4, 8))
uint8, uint16, uint32, uint64 = (_number(f"uint{8 * n}", int, f"u{n}") for n in (1, 2, 4, 8))
float16, float32, float64 = (_number(f"float{8 * n}", float, f"f{n}") for n in (2, 4, 8))
bool_ = _number("bool_", int, "b1")
integer = floating = list
"""For annotations alone."""


class dtype:  # noqa: N801
    """The type of elements: a number, or a record with fields at their places."""

    hasobject = False

    def __class_getitem__(cls, _kind: object) -> type["dtype"]:
        return cls

    def __init__(self, kind: Any, *, align: bool = False) -> None:  # noqa: ANN401
        """From a word, a type, or a list of fields: a name, a type and perhaps a shape."""
        self.fields: dict[str, tuple[dtype, int]] | None = None
        self.subdtype: tuple[dtype, tuple[int, ...]] | None = None
        self.isalignedstruct = align
        match kind:
            case dtype():
                self.__dict__.update(kind.__dict__)
            case list():
                self._lay_out(kind, align=align)
            case _:
                word = {bool: "b1", int: "i8", float: "f8"}.get(kind) or getattr(kind, "code", kind)
                self.word: str = word.lstrip("<|")
                self.kind, self.itemsize = self.word[0], int(self.word[1:])
                self.alignment = self.itemsize
                self.names: tuple[str, ...] | None = None

    def _lay_out(self, fields: Sequence[tuple[Any, ...]], *, align: bool) -> None:
        self.kind, self.fields, self.alignment = "V", {}, 1
        end = 0
        for name, word, *shape in fields:
            each = dtype(word)
            if align:
                end = -(-end // each.alignment) * each.alignment
                self.alignment = max(self.alignment, each.alignment)
            here = each if not shape else _of_shape(each, shape[0])
            self.fields[name] = here, end
            end += here.itemsize
        self.itemsize = -(-end // self.alignment) * self.alignment
        self.names = tuple(self.fields)
        self.word = f"V{self.itemsize}"

    @property
    def str(self) -> str:
        """Its word."""
        return f"<{self.word}"

    @property
    def descr(self) -> list[tuple[Any, ...]]:
        """The fields of a record, as they were given."""
        assert self.fields is not None
        return [
            (name, each.str)
            if each.subdtype is None
            else (name, each.subdtype[0].str, each.subdtype[1])
            for name, (each, _) in self.fields.items()
        ]


def _of_shape(kind: dtype, shape: tuple[int, ...]) -> dtype:
    """Several numbers as one field."""
    made = dtype(kind)
    made.subdtype = kind, shape
    made.itemsize = kind.itemsize * prod(shape)
    return made


class ndarray:  # noqa: N801
    """Elements in a buffer; an array of no axes is a record that can be written."""

    def __init__(
        self, shape: tuple[int, ...], kind: dtype, room: Any = None, at: int = 0,  # noqa: ANN401
        strides: tuple[int, ...] | None = None,
    ) -> None:  # fmt: skip
        """In a buffer of its own, or in another's."""
        self.shape, self.dtype = shape, kind
        self._room = bytearray(kind.itemsize * prod(shape)) if room is None else room
        self._at = at
        self.strides = _strides(shape, kind.itemsize) if strides is None else strides
        self.ndim, self.size, self.itemsize = len(shape), prod(shape), kind.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def _part(self, key: Any) -> "ndarray":  # noqa: ANN401 - an index
        """What an index or a field stands for."""
        if isinstance(key, str):
            assert self.dtype.fields is not None
            kind, offset = self.dtype.fields[key]
            base, shape = kind.subdtype or (kind, ())
            steps = (*self.strides, *_strides(shape, base.itemsize))
            return ndarray((*self.shape, *shape), base, self._room, self._at + offset, steps)
        keys = key if isinstance(key, tuple) else (key,)
        if Ellipsis in keys:
            keys = ()
        at = self._at
        lengths: list[int] = []
        strides: list[int] = []
        for axis, each in enumerate(keys):
            if isinstance(each, slice):
                begin, end, step = each.indices(self.shape[axis])
                at += begin * self.strides[axis]
                lengths.append(len(range(begin, end, step)))
                strides.append(step * self.strides[axis])
            else:
                place = range(self.shape[axis])[int(each)]
                at += place * self.strides[axis]
        lengths += self.shape[len(keys) :]
        strides += self.strides[len(keys) :]
        return ndarray(tuple(lengths), self.dtype, self._room, at, tuple(strides))

    def __getitem__(self, key: Any) -> Any:  # noqa: ANN401
        """A part of it, or a number."""
        part = self._part(key)
        return part if part.shape or part.dtype.fields else part.item()

    def item(self) -> Any:  # noqa: ANN401
        """The number that an array of no axes is."""
        return struct.unpack_from(f"<{_CODES[self.dtype.word]}", self._room, self._at)[0]

    def __setitem__(self, key: Any, value: Any) -> None:  # noqa: ANN401
        """Write numbers, or the same number everywhere."""
        self._part(key)._write(value)  # noqa: SLF001 - its own kind

    def _write(self, value: Any) -> None:  # noqa: ANN401
        if self.shape:
            many = _depth(value) >= len(self.shape)
            if many and len(value) not in {1, len(self)}:
                raise ValueError(f"{len(value)} values for {len(self)} places")
            for place in range(len(self)):
                self._part(place)._write(value[place % len(value)] if many else value)  # noqa: SLF001
        elif self.dtype.fields:
            for name, each in zip(self.dtype.fields, value, strict=True):
                self[name] = each
        else:
            whole = float(value) if self.dtype.kind == "f" else int(value)
            struct.pack_into(f"<{_CODES[self.dtype.word]}", self._room, self._at, whole)

    def tolist(self) -> Any:  # noqa: ANN401
        """Nested lists of numbers."""
        return [each.tolist() if isinstance(each, ndarray) else each for each in self]

    def tobytes(self) -> bytes:
        """Its content, without gaps between elements."""
        if self.strides == _strides(self.shape, self.itemsize):
            return bytes(self._room[self._at : self._at + self.itemsize * self.size])
        return b"".join(self._part(place).tobytes() for place in range(len(self)))

    def view(self, kind: Any) -> "ndarray":  # noqa: ANN401
        """The same bytes as numbers of another type, of the same size."""
        return ndarray(self.shape, dtype(kind), self._room, self._at, self.strides)

    def reshape(self, *shape: Any) -> "ndarray":  # noqa: ANN401
        """The same elements in another shape."""
        wanted = shape[0] if isinstance(shape[0], tuple) else shape
        return ndarray(wanted, self.dtype, self._room, self._at)


def _depth(values: Any) -> int:  # noqa: ANN401
    """How many axes values have."""
    if isinstance(values, ndarray):
        return values.ndim
    return 1 + _depth(values[0] if values else 0) if isinstance(values, list | tuple) else 0


def _strides(shape: Sequence[int], size: int) -> tuple[int, ...]:
    return tuple(size * prod(shape[axis + 1 :]) for axis in range(len(shape)))


def zeros(shape: Any, kind: Any = float) -> ndarray:  # noqa: ANN401
    """An array of zeros."""
    return ndarray(shape if isinstance(shape, tuple) else (shape,), dtype(kind))


def array(values: Any, kind: Any = None) -> ndarray:  # noqa: ANN401
    """An array of these values, which are nested lists; those of records are tuples."""
    shape: list[int] = []
    inner = values
    nested = list | ndarray if kind and dtype(kind).fields else list | tuple | ndarray
    while isinstance(inner, nested):
        shape.append(len(inner))
        inner = inner[0] if len(inner) else 0
    whole = isinstance(inner, int)
    made = zeros(tuple(shape), kind or (int64 if whole else float64))
    made._write(values)  # noqa: SLF001 - its own kind
    return made


def arange(end: int) -> ndarray:
    """The numbers below this one."""
    return array([*range(end)])


class _Unfit(ModuleType):
    """Whatever else is asked of NumPy."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(f"this needs NumPy itself, for {name}", name="numpy")


def install() -> None:
    """Take NumPy's place, if it is missing."""
    if "numpy" in sys.modules or find_spec("numpy"):
        return
    numpy, typing = _Unfit("numpy"), ModuleType("numpy.typing")
    vars(numpy).update({name: each for name, each in globals().items() if not name.startswith("_")})
    typing.NDArray = typing.ArrayLike = list  # type: ignore[attr-defined]
    numpy.typing = typing  # type: ignore[attr-defined]
    numpy.__spec__ = ModuleSpec("numpy", None)  # or else nobody may ask whether it is installed
    sys.modules.update({"numpy": numpy, "numpy.typing": typing})
