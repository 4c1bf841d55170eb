"""Compiles a kernel for the CPU or for a GPU, or finds it compiled to WebAssembly.

Numba takes what a compiled function calls to be fixed, and its own cache looks only at the file
that a function is in. So `source_hash` computes a key from all that is compiled into a function,
and `cache` keeps compiled code under that key.
"""

import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any, Final, Literal, Protocol, TypeAlias

import numpy as np

from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.arrays import PLAIN, Memory
from mauerwerk.kernels.cache import CodeCache, folder_for_cuda, tell
from mauerwerk.kernels.contract import is_launched, is_slot
from mauerwerk.kernels.inner import pipeline
from mauerwerk.kernels.source_hash import SourceHash, globals_read, is_library, is_source, value_in

Device: TypeAlias = Literal["cpu", "cuda", "wasm"]

DEVICES: Final[tuple[Device, ...]] = ("cpu", "cuda", "wasm")

BITS: Final = "mauerwerk.kernels.bits"
"""The module whose functions a GPU has instructions for, in functions with names that end on"""
ON: Final = "_on_gpu"

OPTIONS: Final[Mapping[str, bool]] = {"nogil": True, "boundscheck": False}
ERRORS: Final = "numpy"
"""A division by zero raises nothing: compiled code does not raise."""


def _staged(kernel: ModuleType) -> Any:  # noqa: ANN401 - a dtype
    """The type of states, an odd number of words long: neighbours begin in different banks.

    What is added comes first: Numba would take a type that only adds something at the end for the
    type itself.
    """
    state = kernel.STATE
    if state.itemsize // 8 % 2:
        return state
    return np.dtype(
        {
            "names": ["spare", *state.fields],
            "formats": [np.uint64, *(kind for kind, *_ in state.fields.values())],
            "offsets": [0, *(8 + offset for _, offset, *_ in state.fields.values())],
            "itemsize": 8 + state.itemsize,
        },
        align=True,
    )


ON_GPU: Final[Mapping[str, Callable[[ModuleType], Any]]] = {
    "STATE_TYPE": lambda kernel: kernel.STATE,
    "STAGED_TYPE": _staged,
    "SETUP_TYPE": lambda kernel: kernel.SETUP,
    "STATE_WORDS": lambda kernel: kernel.STATE.itemsize // 8,
    "SETUP_WORDS": lambda kernel: kernel.SETUP.itemsize // 4,
    "cuda": lambda _: import_module("numba.cuda"),
}
"""What a GPU needs: the constants of the contract that each kernel brings, and its library."""


class Functions(Protocol):
    """The compiled functions of one game."""

    kernel: ModuleType

    def entry(self, function: Callable[..., Any], /) -> Callable[..., Any]:
        """A function to be called from outside."""
        ...

    def memory(self) -> Memory:
        """Memory of one's own that these functions reach without copying."""
        ...


class Compiler:
    """The functions of one game for one device; each is compiled when it is first called.

    On the CPU a function has two compiled forms: one that Python calls, an entry, and one that
    compiled code calls. The second is only made up to where LLVM takes over: see `inner`.
    """

    def __init__(
        self, game: str, device: Device, *, remember: bool = False, part: str | None = None
    ) -> None:
        """With a part of the kernel as `kernel_of` takes it."""
        self.game = game
        self.device: Device = device
        self.remember, self.part = remember, part
        self.kernel = kernel_of(game, remember=remember, part=part)
        self._modules: dict[str, ModuleType] = {}
        self._entries: dict[FunctionType, Any] = {}
        self._source_hash = SourceHash(self._value, (device, sorted(OPTIONS.items()), ERRORS))

    def entry(self, function: Callable[..., Any]) -> Any:  # noqa: ANN401 - Numba's
        """A function to be called from outside; when it has to be compiled, it says so."""
        thing: Any = self._bound(sys.modules[function.__module__], function.__name__)
        return self._entry(thing)

    def memory(self) -> Memory:
        """All memory of this process; a GPU has another way."""
        return PLAIN

    def key(self, function: FunctionType) -> str:
        """The key of a function's content, with this game's functions for the slots."""
        return self._source_hash.key(function)

    def _bound(self, module: ModuleType, name: str) -> object:
        """What a name in a module stands for; a slot stands for this game's function, if any."""
        thing = value_in(module, name)
        if isinstance(thing, FunctionType) and is_slot(thing):
            return vars(self.kernel).get(thing.__name__, thing)
        if self.device == "cuda" and isinstance(thing, FunctionType) and thing.__module__ == BITS:
            return vars(sys.modules[BITS])[f"{thing.__name__.removesuffix(ON)}{ON}"]
        return thing

    def _value(self, module: str, name: str) -> object:
        """The same for a module by its name, with the constants that a GPU needs."""
        if self.device == "cuda" and name in ON_GPU:
            return ON_GPU[name](self.kernel)
        return self._bound(sys.modules[module], name)

    def _compiled(self, module: ModuleType) -> ModuleType:
        """A copy of a module as compiled functions see it, with the compiled form of each source.

        So are the modules whose names its own functions read, such as `records.KINDS`. A constant
        of a module is a plain number, and one that is imported by name a literal: a GPU gets a
        function of its own for each literal argument, so arguments such as `NATURE` come by name.
        """
        if module.__name__ in self._modules:
            return self._modules[module.__name__]
        copy = self._modules[module.__name__] = ModuleType(module.__name__)
        names = vars(copy)
        names.update(vars(module))
        if self.device == "cuda":
            for name, made in ON_GPU.items():
                value = made(self.kernel)
                is_type = isinstance(value, np.dtype)
                names[name] = _numba().from_dtype(value) if is_type else value
        found = {name: self._bound(module, name) for name in vars(module)}
        sources = {name: thing for name, thing in found.items() if is_source(thing)}
        # A module's own functions come first: slots can lead from others back to this one.
        own = {
            name: thing
            for name, thing in sources.items()
            if thing.__module__ == module.__name__ and thing.__name__ == name
        }
        for name, thing in own.items():
            names[name] = self._inner(thing, names)
        for name, thing in sources.items():
            if name not in own:
                home = self._compiled(sys.modules[thing.__module__])
                names[name] = vars(home)[thing.__name__]
        for name in {name for thing in own.values() for name, _ in globals_read(thing.__code__)}:
            value = names.get(name)
            if isinstance(value, ModuleType) and not is_library(value):
                names[name] = self._compiled(value)
        return copy

    def _inner(self, function: FunctionType, names: dict[str, Any]) -> Any:  # noqa: ANN401
        """The form that compiled code calls, or on a GPU the one that is launched."""
        source = FunctionType(function.__code__, names, function.__name__)
        if self.device == "cpu":
            kept = self._cache("inner", function, _silently)
            return _for_cpu(source, kept, wrapped=False, pipeline_class=self._pipeline())
        if not is_launched(function):
            return import_module("numba.cuda").jit(device=True)(source)
        return _for_cuda(source, _short_name(function), self.key(function))

    def _entry(self, function: FunctionType) -> Any:  # noqa: ANN401 - Numba's
        if function not in self._entries:
            names = vars(self._compiled(sys.modules[function.__module__]))
            words = f"compiling {function.__name__} of {self.game} for the {self.device}, once …"
            if self.device == "cpu":
                source = FunctionType(function.__code__, names, function.__name__)
                kept = self._cache("entry", function, partial(tell, words))
                self._entries[function] = _for_cpu(source, kept, wrapped=True)
            else:
                place = folder_for_cuda(_short_name(function), self.key(function))
                if place is None or not any(place.rglob("*.nbi")):
                    tell(words)
                self._entries[function] = names[function.__name__]
        return self._entries[function]

    def _pipeline(self) -> Any:  # noqa: ANN401 - Numba's
        """How functions are compiled that only compiled code calls."""
        return pipeline()

    def _cache(self, form: str, function: FunctionType, before: Callable[[], None]) -> CodeCache:
        name = f"{form}-{_short_name(function)}"
        return CodeCache(name, partial(self.key, function), before)


@cache
def usual_device() -> Device:
    """The CPU if there is a compiler for it; otherwise modules that were compiled ahead of time."""
    return "cpu" if find_spec("numba") else "wasm"


@cache
def compiler_for(
    game: str, device: Device, *, remember: bool = False, part: str | None = None
) -> Compiler:
    """The one compiler for the CPU or a GPU."""
    return Compiler(game, device, remember=remember, part=part)


@cache
def functions_for(
    game: str, device: Device, *, remember: bool = False, part: str | None = None
) -> Functions:
    """The functions for the CPU or from a module. Raises SetupError if there is no module."""
    if device != "wasm":
        return compiler_for(game, device, remember=remember, part=part)
    wasm: Any = import_module("mauerwerk.kernels.wasm.device")
    functions: Functions = wasm.ModuleFunctions(game, remember=remember, part=part)
    return functions


def _short_name(function: FunctionType) -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def _silently() -> None:
    """Only entries say that they are compiled."""


def _numba() -> Any:  # noqa: ANN401 - without types of its own, and slow to import
    return import_module("numba")


def _for_cpu(function: FunctionType, kept: CodeCache, *, wrapped: bool, **more: Any) -> Any:  # noqa: ANN401
    # Only what Python calls has to count who uses an array: kernels keep none. Counting at every
    # call, with atomic operations, would take up to four fifths of the time of a search.
    bare = {"no_cpython_wrapper": not wrapped, "no_cfunc_wrapper": True, "_nrt": wrapped}
    dispatcher = _numba().njit(error_model=ERRORS, **OPTIONS, **bare, **more)(function)
    dispatcher._cache = kept  # noqa: SLF001 - where `enable_caching` puts Numba's own
    dispatcher.get_call_template = partial(_template, dispatcher.get_call_template)
    return dispatcher


def _template(made: Callable[..., Any], arguments: Iterable[Any], named: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """The form of a function for a call. Numba would compile one for every constant it is given."""
    unliteral = _numba().types.unliteral
    return made(
        [*map(unliteral, arguments)], {name: unliteral(each) for name, each in named.items()}
    )


def _for_cuda(function: FunctionType, name: str, key: str) -> Any:  # noqa: ANN401 - as above
    """Numba-cuda looks for a place by the path of the source, inside a folder of this key."""
    cuda: Any = import_module("numba.cuda")
    place = folder_for_cuda(name, key)
    if place is None:
        return cuda.jit(function)
    with _kept_in(str(place), import_module("numba.cuda.core.config")):
        return cuda.jit(cache=True)(function)


@contextmanager
def _kept_in(place: str, settings: Any) -> Generator[None]:  # noqa: ANN401 - a module of Numba's
    """The setting counts when a function is wrapped, so it is ours during that time."""
    before, settings.CACHE_DIR = settings.CACHE_DIR, place
    try:
        yield
    finally:
        settings.CACHE_DIR = before
