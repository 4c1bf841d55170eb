"""From source to something that runs: compiles a kernel for the CPU or for a GPU.

Numba takes what a compiled function calls to be fixed, and its own cache looks only at the file
that a function stands in. So everything of a kernel is kept in a folder named after the content of
all sources that can matter; when one of them changes, the folder is another.
"""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, Literal, Protocol, TypeAlias

from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.kernel import is_compiled, is_launched, is_slot

Device: TypeAlias = Literal["cpu", "cuda"]

DEVICES: Final[tuple[Device, ...]] = ("cpu", "cuda")

SOURCES: Final = {".py", ".json", ".toml"}
"""What can be compiled into a kernel: code and data."""

OLD: Final = 30 * 24 * 3600.0
"""Compiled code that nobody used for so many seconds is thrown away."""


class Workshop:
    """The functions of one game for one device; each is compiled when it is first called."""

    def __init__(self, game: str, device: Device) -> None:
        """Nothing is compiled yet."""
        self.game = game
        self.device: Device = device
        self.kernel = kernel_of(game)
        self._jit = _for_cpu(game) if device == "cpu" else _for_cuda(game)
        self._names: dict[str, dict[str, Any]] = {}
        self._entries: dict[tuple[str, str], Any] = {}

    def functions(self, module: ModuleType) -> dict[str, Any]:
        """The names of this module, with compiled functions instead of their source.

        A slot becomes this game's function of that name.
        """
        if module.__name__ in self._names:
            return self._names[module.__name__]
        names = self._names[module.__name__] = dict(vars(module))
        if self.device == "cuda":
            names["STATE_TYPE"] = _numba().from_dtype(self.kernel.STATE)
        for name, thing in vars(module).items():
            if is_slot(thing):
                names[name] = self.functions(self.kernel)[name]
            elif is_launched(thing):
                names[name] = self._jit(FunctionType(thing.__code__, names, name), device=False)
            elif is_compiled(thing):
                home = sys.modules[thing.__module__]
                if home is module:
                    names[name] = self._jit(FunctionType(thing.__code__, names, name), device=True)
                else:
                    names[name] = self.functions(home)[thing.__name__]
        return names

    def entry(self, module: str, name: str) -> Any:  # noqa: ANN401 - Numba's
        """A function to be called from outside; says so if it is not compiled yet."""
        if (module, name) not in self._entries:
            self._entries[module, name] = self.functions(import_module(module))[name]
            kept = f"{module.rpartition('.')[2]}.{name}-*.nbi"
            if not any(folder_of(self.game).rglob(kept)):
                say(f"compiling {name} of {self.game} for the {self.device}, once")
        return self._entries[module, name]


def say(words: str) -> None:
    """Tell whoever waits; compiling can take longer than a second."""
    sys.stderr.write(f"mauerwerk: {words} …\n")
    sys.stderr.flush()


@cache
def workshop(game: str, device: Device) -> Workshop:
    """The one workshop of this game for this device."""
    return Workshop(game, device)


def _numba() -> Any:  # noqa: ANN401 - without types of its own, and slow to import
    return import_module("numba")


class _Jit(Protocol):
    def __call__(self, function: FunctionType, *, device: bool) -> Any:  # noqa: ANN401 - Numba's
        """Wrap a function; on a GPU, one to be called there (device) or to be launched."""
        ...


def _for_cpu(game: str) -> _Jit:
    numba = _numba()
    options = {"nogil": True, "cache": True, "error_model": "numpy", "boundscheck": False}

    def jit(function: FunctionType, *, device: bool) -> Any:  # noqa: ANN401, ARG001 - as above
        with _kept_in(folder_of(game), numba.config):
            return numba.njit(**options)(function)

    return jit


def _for_cuda(game: str) -> _Jit:
    cuda: Any = import_module("numba.cuda")
    settings = import_module("numba.cuda.core.config")

    def jit(function: FunctionType, *, device: bool) -> Any:  # noqa: ANN401 - as above
        with _kept_in(folder_of(game), settings):
            return cuda.jit(device=device, cache=not device)(function)

    return jit


@contextmanager
def _kept_in(folder: Path, settings: Any) -> Generator[None]:  # noqa: ANN401 - a module of Numba's
    """Where a function is kept is decided as it is wrapped, so the setting is ours for so long."""
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


# --- Where compiled code is kept -------------------------------------------------------------


@cache
def folder_of(game: str) -> Path:
    """Where the compiled code of this game is kept; there is another for every other source."""
    place = _place()
    ours = place / f"{game}-{_fingerprint(game)}"
    # Numba writes into a folder inside, so this one's own time would stay that of its making.
    with suppress(OSError):  # it is not there yet, or belongs to somebody else
        os.utime(ours)
    for old in place.glob("*-*"):
        if old.is_dir() and old.stat().st_mtime < time.time() - OLD:
            shutil.rmtree(old, ignore_errors=True)
    return ours


def _place() -> Path:
    """Where Numba is told to keep things, beside the source, or among the user's caches."""
    if told := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(told) / "mauerwerk"
    beside = Path(__file__).parent / "__pycache__"
    if os.access(beside, os.W_OK):
        return beside
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mauerwerk"


def _fingerprint(game: str) -> str:
    """A word for the content of all that a kernel of this game is made from."""
    here = Path(__file__).parent
    others = {name for name in KERNELS if name != game}
    ours = (path for path in here.glob("*.py") if path.stem.partition("_")[0] not in others)
    sources = [*ours, *(here.parent / "games" / game).rglob("*")]
    digest = hashlib.sha256()
    for path in sorted(path for path in sources if path.suffix in SOURCES):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
