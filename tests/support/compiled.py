"""The compiled functions of a game, to be called one by one."""

from types import ModuleType
from typing import Any

from mauerwerk.kernels.compiler import Compiler
from mauerwerk.kernels.contract import is_compiled, is_slot


def functions(compiler: Compiler, *modules: ModuleType) -> dict[str, Any]:
    """Those of these modules by name; a slot is the function of the compiler's game."""
    return {
        name: compiler.entry(thing)
        for module in modules
        for name, thing in vars(module).items()
        if is_compiled(thing) or is_slot(thing)
    }
