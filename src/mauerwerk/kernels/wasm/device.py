"""Kernels from a module of WebAssembly, called in the same way as those that Numba compiles."""

import struct
import weakref
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.arrays import Memory
from mauerwerk.kernels.wasm.module import (
    NUMBER,
    SLOT,
    Function,
    Leaf,
    described,
    flat,
    functions_of,
    leaf_of,
    path_of,
)
from mauerwerk.kernels.wasm.runtime import IN_BROWSER, Instance, Loaded, is_installed

NO_NUMBER: Final = -2
"""What a compiled function answers if it went well and returns None."""


def name_of(function: Callable[..., Any], *, remember: bool, part: str | None) -> str:
    """The name of a function in a module, with the part of the kernel that it was compiled with."""
    words = [function.__module__.removeprefix("mauerwerk.kernels."), function.__name__]
    return ".".join((*words, *["memory"] * remember, *([part] if part else [])))


class ModuleFunctions:
    """The functions of one game from its module."""

    def __init__(self, game: str, *, remember: bool = False, part: str | None = None) -> None:
        """Load the module. Raises SetupError where there is none, or nothing to run it."""
        self.kernel: Final = kernel_of(game, remember=remember, part=part)
        self._module = _module_of(game)
        self._variant: Mapping[str, Any] = {"remember": remember, "part": part}

    def entry(self, function: Callable[..., Any], /) -> "Entry":
        """A function to be called from outside. Raises SetupError if the module lacks it."""
        name = name_of(function, **self._variant)
        if name not in self._module.functions:
            raise SetupError(f"the module of WebAssembly has no {name}")
        return Entry(self._module, self._module.functions[name])

    def memory(self) -> Memory:
        """The memory of a new instance of the module."""
        memory: Memory = self._module.new_instance()
        return memory


class Module:
    """The module of a game, and its instances."""

    def __init__(self, game: str) -> None:
        """Load it. Raises SetupError."""
        path = path_of(game)
        if path is None:
            raise SetupError(f"there is no module of WebAssembly for {game}")
        if not is_installed():
            raise SetupError("nothing that runs WebAssembly is installed: pip install wasmtime")
        self._path: Final = path
        self._code: Final = path.read_bytes()
        self.functions: Final = functions_of(described(self._code))
        self._instances: Final = weakref.WeakSet[Any]()
        self._idle: Final[list[Any]] = []

    def new_instance(self) -> Any:  # noqa: ANN401 - an `Instance`, or in a browser `Loaded`
        """One with memory of its own; in a browser there is one memory for all."""
        if IN_BROWSER and self._instances:
            return next(iter(self._instances))
        instance = Loaded(self._path) if IN_BROWSER else Instance(self._code)
        self._instances.add(instance)
        return instance

    @contextmanager
    def instance_for(self, addresses: Sequence[int]) -> Generator[Any, None, None]:
        """The instance whose memory has one of these addresses, or else one that nobody uses."""
        for instance in self._instances:
            if any(map(instance.holds, addresses)):
                yield instance
                return
        try:
            instance = self._idle.pop()
        except IndexError:
            instance = self.new_instance()
        yield instance
        self._idle.append(instance)


@cache
def _module_of(game: str) -> Module:
    return Module(game)


class Entry:
    """A function of a module that takes what the compiled function takes.

    Arrays that are elsewhere are copied into the memory of the instance, and back afterwards.
    """

    def __init__(self, module: Module, forms: Sequence[Function]) -> None:
        """The forms are for arguments of different types."""
        self._module = module
        self._forms = {form.leaves: form for form in forms}

    def __call__(self, *given: Any) -> Any:  # noqa: ANN401 - as the function
        """Call it. Raises TypeError if the module was not built for such arguments."""
        values = [*flat(given)]
        leaves = tuple(map(leaf_of, values))
        form = self._forms.get(leaves)
        if form is None:
            raise TypeError(f"the module was not built for arguments of these types: {leaves}")
        addresses = [
            value.ctypes.data if leaf.axes != NUMBER and value.size else 0
            for leaf, value in zip(leaves, values, strict=True)
        ]
        with self._module.instance_for(addresses) as instance, instance.lock:
            return self._run(instance, form, values, addresses)

    def _run(
        self,
        instance: Any,  # noqa: ANN401
        form: Function,
        values: Sequence[Any],
        addresses: Sequence[int],
    ) -> Any:  # noqa: ANN401
        function, arguments, begin, layout = self._prepared(instance, form)
        copies: list[tuple[Any, Any]] = []
        words: list[Any] = []
        for leaf, value, address in zip(form.leaves, values, addresses, strict=True):
            if leaf.axes == NUMBER:
                words.append(value)
                continue
            array, place = value, address - instance.base
            if not address:
                place = 0
            elif not instance.holds(address):
                array = instance.keep(np.ascontiguousarray(value))
                place = array.ctypes.data - instance.base
                copies.append((value, array))
            words += (0, 0, array.size, leaf.size, place, *array.shape, *array.strides)
        layout.pack_into(arguments, 0, *words)
        status = function(begin)
        if status not in {0, NO_NUMBER}:
            raise RuntimeError(f"{form.name} failed with {status}")
        for value, copy in copies:
            if value.flags.writeable:
                value[...] = copy
        result = arguments[layout.size : layout.size + SLOT]
        match form.result:
            case "":
                return None
            case "b":
                return bool(result[0])
            case "f":
                return float(result.view(np.float64)[0])
            case _:
                return int(result.view(np.int64)[0])

    def _prepared(self, instance: Any, form: Function) -> Any:  # noqa: ANN401
        """The function, room for its arguments and two answers, and how they are laid out."""
        known = instance.prepared
        if form.name not in known:
            layout = struct.Struct("<" + "".join(map(_letters, form.leaves)))
            room = instance.zeros((layout.size + 2 * SLOT,), np.uint8)
            begin = room.ctypes.data - instance.base
            known[form.name] = instance.function(form.name), room, begin, layout
        return known[form.name]


_LETTERS: Final[Mapping[str, str]] = {"i": "q", "u": "Q", "f": "d", "b": "?7x"}


def _letters(leaf: Leaf) -> str:
    """How an argument is written."""
    if leaf.axes != NUMBER:
        return "q" * (5 + 2 * leaf.axes)
    return _LETTERS[leaf.kind]
