"""Kernels: the rules a second time, on fixed records of integers, compiled for CPU and GPU.

They need the extra `kernels`. Importing this package, or a kernel, imports no compiler; the first
call of a compiled function does, and keeps what it compiled on disk.
"""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Final

KERNELS: Final[Mapping[str, str]] = {
    "mauer": "mauerwerk.kernels.mauer",
    "burgbaumeister": "mauerwerk.kernels.burgbaumeister",
    "mauerbauer": "mauerwerk.kernels.mauerbauer",
}
"""The module of every kernel, by the name of its game."""


def kernel_of(name: str) -> ModuleType:
    """The kernel of the game with this name, a module as `contract` describes it."""
    return import_module(KERNELS[name])
