"""What runs modules: Wasmtime, or under Pyodide the browser itself.

Under Pyodide a module is loaded into the memory that Python itself uses, so that arrays need no
copying. Wasmtime gives each instance memory of its own; there arrays are made that both sides use.
"""

import atexit
import ctypes
import hashlib
import platform
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np

from mauerwerk.kernels.arrays import LINE, PLAIN
from mauerwerk.kernels.cache import SUFFIX, folder, note_use, write_at_once
from mauerwerk.kernels.contract import Array
from mauerwerk.kernels.wasm.module import data_size

IN_BROWSER: Final = sys.platform == "emscripten"

PAGE: Final = 1 << 16
MOST: Final = 1 << 32
"""The bytes of a page, and the most of a memory."""
STACK: Final = 1 << 16
"""Kernels allocate nothing; their stack holds what does not fit into registers."""


def is_installed() -> bool:
    """Whether something can run modules here."""
    return IN_BROWSER or find_spec("wasmtime") is not None


class Instance:
    """A module with memory of its own; only one thread at a time may call it."""

    def __init__(self, code: bytes) -> None:
        """Lay out the memory: constants, the stack, and then arrays."""
        self.lock: Final = threading.RLock()
        self.prepared: Final[dict[str, Any]] = {}
        engine, module = _compiled(code)
        wasmtime: Any = import_module("wasmtime")
        self._store = store = wasmtime.Store(engine)
        constants = _whole(data_size(code), LINE)
        top = LINE + constants + STACK
        limits = wasmtime.Limits(_whole(top, PAGE) // PAGE, MOST // PAGE)
        self._memory = wasmtime.Memory(store, wasmtime.MemoryType(limits))
        fixed = wasmtime.GlobalType(wasmtime.ValType.i32(), mutable=False)
        moving = wasmtime.GlobalType(wasmtime.ValType.i32(), mutable=True)
        brought = {
            "memory": self._memory,
            "__memory_base": wasmtime.Global(store, fixed, wasmtime.Val.i32(LINE)),
            "__table_base": wasmtime.Global(store, fixed, wasmtime.Val.i32(0)),
            "__stack_pointer": wasmtime.Global(store, moving, wasmtime.Val.i32(top)),
        }
        found = wasmtime.Instance(store, module, [brought[each.name] for each in module.imports])
        self._exports = found.exports(store)
        self.base: Final = ctypes.addressof(self._memory.data_ptr(store).contents)
        self._end = top
        self._free: dict[int, list[int]] = {}

    def function(self, name: str) -> Callable[[int], int]:
        """A function of the module; it is called with the address of its arguments."""
        function, store = self._exports[name], self._store
        return lambda arguments: function(store, arguments)

    def holds(self, address: int) -> bool:
        """Whether this address of the process is in the memory."""
        return self.base <= address < self.base + self._end

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array in this memory; when nothing refers to it any more, its place is free again."""
        kind = np.dtype(kind)
        size = _whole(max(kind.itemsize * prod(shape), 1), LINE)
        with self.lock:
            place, fresh = self._taken(size)
        room: Any = (ctypes.c_ubyte * size).from_address(self.base + place)
        if not fresh:
            ctypes.memset(room, 0, size)
        room.instance = self
        weakref.finalize(room, self._free[size].append, place).atexit = False
        return np.frombuffer(room, kind, prod(shape)).reshape(shape)

    def keep(self, array: Array, /) -> Array:
        """A copy in this memory."""
        copy = self.zeros(array.shape, array.dtype)
        copy[...] = array
        return copy

    def _taken(self, size: int) -> tuple[int, bool]:
        """A place of this size, and whether it is fresh and therefore zero."""
        free = self._free.setdefault(size, [])
        if free:
            return free.pop(), False
        place, self._end = self._end, self._end + size
        missing = self._end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, _whole(missing, PAGE) // PAGE)
        return place, True


class Loaded:
    """A module in the memory of Python itself, where all arrays are."""

    base: Final = 0

    def __init__(self, path: Path) -> None:
        """Load it as any extension of Python is loaded."""
        self.lock: Final = threading.RLock()
        self.prepared: Final[dict[str, Any]] = {}
        self._library = ctypes.CDLL(str(path))
        self.zeros: Final = PLAIN.zeros
        self.keep: Final = PLAIN.keep

    def function(self, name: str) -> Callable[[int], int]:
        """A function of the module; it is called with the address of its arguments."""
        return getattr(self._library, name)  # type: ignore[no-any-return]

    def holds(self, address: int) -> bool:  # noqa: ARG002 - as `Instance`
        """All of them."""
        return True


def _whole(size: int, unit: int) -> int:
    """The next multiple of a unit."""
    return -(-size // unit) * unit


@cache
def _compiled(code: bytes) -> tuple[Any, Any]:
    """A module as machine code, from disk if it was compiled before.

    The memory must not move, since arrays refer to it.
    """
    wasmtime: Any = import_module("wasmtime")
    settings = wasmtime.Config()
    settings.memory_may_move = False
    settings.memory_reservation = MOST
    engine = wasmtime.Engine(settings)
    kept = folder()
    key = hashlib.sha256(f"{version('wasmtime')} {platform.platform()}".encode() + code).hexdigest()
    path = kept and kept / f"wasm-{key[:32]}{SUFFIX}"
    module = path and _from_disk(wasmtime, engine, path)
    if not module:
        module = wasmtime.Module(engine, code)
        if path:
            with suppress(OSError):
                write_at_once(path, module.serialize())
    atexit.register(module.close)
    return engine, module


def _from_disk(wasmtime: Any, engine: Any, path: Path) -> Any:  # noqa: ANN401
    """What another process compiled; None if there is nothing, or nothing for this machine."""
    try:
        found = wasmtime.Module.deserialize(engine, path.read_bytes())
    except (OSError, wasmtime.WasmtimeError):
        return None
    note_use(path)
    return found
