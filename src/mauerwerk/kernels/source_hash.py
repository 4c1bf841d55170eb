"""The content of a compiled function: everything that decides which machine code it becomes.

That is its bytecode, the bytecode of every function it calls, the constants that all of them read,
and the versions of the tools. Comments, docstrings, line numbers, paths and file times are no part
of it. So two checkouts with the same rules have the same keys, and an edit changes the keys of
exactly those functions that it can change.

A global value of a kind that is not listed in `described` raises TypeError: to leave it out of a
key would mean that a change of it goes unnoticed.
"""

import builtins
import dis
import hashlib
import os
import platform
import sys
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from types import BuiltinFunctionType, CodeType, EllipsisType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias, TypeGuard

import numpy as np

from mauerwerk.kernels.contract import is_compiled, is_launched

FORMAT: Final = 3
"""Counts up when the same key would otherwise stand for other code, or for another kind of file."""

TOOLS: Final = ("llvmlite", "numba", "numba-cuda", "numpy")
"""The packages that take part in compiling."""

LIBRARIES: Final = frozenset({"builtins", "cmath", "math", "numba", "numpy"})
"""The compiler knows these by name; `TOOLS` and the version of Python say which code they are."""

WITHOUT_EFFECT: Final = frozenset(
    {"NUMBA_CACHE_DIR", "NUMBA_DEBUG_CACHE", "NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER"}
)
"""The settings of Numba that leave machine code as it is; all others are part of every key."""

Described: TypeAlias = Any
"""Nested tuples of strings and numbers, whose `repr` is the same in every process."""

Globals: TypeAlias = Callable[[str, str], object]
"""The value of a name in the module with this name; for a slot, the function of the game."""

_HAS_DOCSTRING: Final = 1 << 26
"""A flag of code since Python 3.13."""

_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, EllipsisType)


class SourceHash:
    """The content of functions, all with the same values of global names; each is read once."""

    def __init__(self, value_of: Globals, options: object = ()) -> None:
        """The options are those that the compiler is called with."""
        self._value_of = value_of
        self._options = options
        self._own: dict[FunctionType, tuple[str, Sequence[FunctionType]]] = {}

    def key(self, function: FunctionType) -> str:
        """A hash of the content of a function and of all functions that it reaches.

        It is taken over the set of them, so that functions may call each other in circles.
        """
        waiting, seen = [function], {function}
        while waiting:
            called = [each for each in self._read(waiting.pop())[1] if each not in seen]
            seen.update(called)
            waiting.extend(called)
        parts = sorted(self._read(each)[0] for each in seen)
        return _hash_of((FORMAT, tools(), self._options, self._read(function)[0], parts))

    def _read(self, function: FunctionType) -> tuple[str, Sequence[FunctionType]]:
        """The hash of what is a function's own, and the functions that it names."""
        if function not in self._own:
            _refuse_closure(function)
            where = f"{function.__module__}.{function.__name__}"
            values: dict[str, object] = {}
            own: list[Described] = [where, _described_code(function.__code__)]
            for name, member in sorted(globals_read(function.__code__)):
                both = f"{name}.{member}" if member else name
                try:
                    value = self._value_of(function.__module__, name)
                    if member and isinstance(value, ModuleType) and not is_library(value):
                        value = self._value_of(value.__name__, member)
                    values[both] = value
                    own.append((both, described(value)))
                except TypeError as error:
                    raise TypeError(f"{where} uses the global {both}: {error}") from None
            called = [each for each in values.values() if is_source(each)]
            self._own[function] = _hash_of(own), called
        return self._own[function]


def is_source(thing: object) -> TypeGuard[FunctionType]:
    """Whether this is a function that is compiled, for any target."""
    return is_compiled(thing) or is_launched(thing)


def _refuse_closure(function: FunctionType) -> None:
    if function.__closure__ is not None:
        raise TypeError(f"{function.__qualname__} has a closure, which keys do not cover")


def _hash_of(parts: Described) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def described(thing: object) -> Described:
    """A constant, type, function or module, as it is part of a key. Raises TypeError for others."""
    match thing:
        case Enum():
            return ("member", _name_of(type(thing)), thing.name, described(thing.value))
        case _ if _is_scalar(thing):
            return ("scalar", _described_dtype(thing.dtype), thing.tobytes().hex())
        case np.ndarray():
            if thing.dtype.hasobject:
                raise TypeError("an array of Python objects has no content of its own")
            layout = thing.flags.c_contiguous, thing.flags.f_contiguous, thing.flags.writeable
            content = hashlib.sha256(thing.tobytes()).hexdigest()
            return ("array", _described_dtype(thing.dtype), thing.shape, layout, content)
        case np.dtype():
            return ("dtype", _described_dtype(thing))
        case CodeType():
            return _described_code(thing)
        case FunctionType() if is_source(thing):
            _refuse_closure(thing)
            return ("function", thing.__module__, thing.__name__)
        case ModuleType() if is_library(thing):
            return ("module", thing.__name__)
        case _ if _is_tuple(thing):
            fields = getattr(thing, "_fields", ())
            return (
                "tuple",
                _name_of(type(thing)),
                fields,
                tuple(described(each) for each in thing),
            )
        case _ if _is_set(thing):
            return ("set", tuple(sorted((described(each) for each in thing), key=repr)))
        case type():
            return _described_type(thing)
        case _ if type(thing) in _PLAIN:
            return (type(thing).__name__, repr(thing))
        case BuiltinFunctionType() | np.ufunc():
            return ("library", _name_of(thing))
        case _ if _is_of_a_library(thing) and callable(thing):
            return ("library", _name_of(thing))
        case _:
            raise TypeError(
                f"it is of the kind {type(thing).__qualname__}, which keys do not cover"
            )


def described_signature(kind: Any) -> Described:  # noqa: ANN401 - a type of Numba, or several
    """Types of arguments. Numba's own words for a named tuple leave out the names of its fields."""
    if _is_tuple(kind):
        return tuple(described_signature(each) for each in kind)
    inner = described_signature(tuple(getattr(kind, "types", ())))
    return (str(kind), getattr(kind, "fields", None) and repr(kind.fields), inner)


@cache
def tools() -> Described:
    """The versions of everything that takes part in compiling, and Numba's settings."""
    versions = tuple((name, _version_of(name)) for name in TOOLS)
    settings = tuple(
        (name, value)
        for name, value in sorted(os.environ.items())
        if name.startswith("NUMBA_") and name not in WITHOUT_EFFECT
    )
    return (sys.implementation.name, platform.python_version(), versions, settings)


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@cache
def _described_code(code: CodeType) -> Described:
    """Instructions with what they refer to, and not with its place in a table.

    The docstring is in the table of constants, so places change when one is added.
    """
    instructions: list[Described] = []
    for each in dis.get_instructions(code):
        if each.opcode in dis.hasconst:
            instructions.append((each.opname, described(each.argval)))
        elif each.opcode in dis.hasname:
            instructions.append((each.opname, each.arg, each.argval))
        else:
            instructions.append((each.opname, each.arg))
    arguments = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    names = (code.co_varnames, code.co_freevars, code.co_cellvars)
    exceptions = code.co_exceptiontable.hex()
    flags = code.co_flags & ~_HAS_DOCSTRING
    return ("code", code.co_name, arguments, flags, names, exceptions, tuple(instructions))


@cache
def globals_read(code: CodeType) -> frozenset[tuple[str, str]]:
    """The global names that code reads, nested code included.

    Each comes with the attribute of it that is read, such as a name in a module, or with no name.
    """
    instructions = [*dis.get_instructions(code)]
    names = frozenset(
        (each.argval, after.argval if after.opname in {"LOAD_ATTR", "LOAD_METHOD"} else "")
        for each, after in pairwise(instructions)
        if each.opname in {"LOAD_GLOBAL", "LOAD_NAME"}
    )
    nested = (each for each in code.co_consts if isinstance(each, CodeType))
    return names.union(*map(globals_read, nested))


def _described_dtype(dtype: np.dtype[Any]) -> Described:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return (_described_dtype(base), shape)
    if dtype.fields is None:
        return dtype.str
    fields = tuple(
        (name, _described_dtype(kind), offset) for name, (kind, offset, *_) in dtype.fields.items()
    )
    return (fields, dtype.itemsize, dtype.alignment, dtype.isalignedstruct)


def _described_type(kind: Any) -> Described:  # noqa: ANN401 - a type
    if issubclass(kind, Enum):
        members = tuple((name, described(each.value)) for name, each in kind.__members__.items())
        return ("enum", _name_of(kind), members)
    if tuple in kind.__mro__ and hasattr(kind, "_fields"):
        return ("named tuple", _name_of(kind), getattr(kind, "_fields", ()))
    if _is_of_a_library(kind):
        return ("type", _name_of(kind))
    raise TypeError(
        f"the type {kind.__qualname__} is neither a library's, an enum nor a named tuple"
    )


def is_library(module: ModuleType) -> bool:
    """Whether the compiler knows the names in this module itself."""
    return module.__name__.partition(".")[0] in LIBRARIES


def _is_scalar(thing: object) -> TypeGuard["np.generic[Any]"]:
    return isinstance(thing, np.generic)


def _is_tuple(thing: object) -> TypeGuard[tuple[Any, ...]]:
    return isinstance(thing, tuple)


def _is_set(thing: object) -> TypeGuard[frozenset[Any]]:
    return isinstance(thing, frozenset)


def _is_of_a_library(thing: object) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] in LIBRARIES


def _name_of(thing: Any) -> str:  # noqa: ANN401 - a type or a function
    return f"{getattr(thing, '__module__', None)}.{getattr(thing, '__qualname__', thing.__name__)}"


def value_in(module: ModuleType, name: str) -> object:
    """The value of a global name in a module. Raises TypeError where there is none."""
    for names in (vars(module), vars(builtins)):
        if name in names:
            return names[name]
    raise TypeError("there is no such name")
