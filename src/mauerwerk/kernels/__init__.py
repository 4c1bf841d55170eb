"""Kernels: the rules a second time, on fixed records of integers, compiled for CPU and GPU.

The search also runs by modules of WebAssembly that come with the package; all else needs the extra
`kernels`, a compiler. Importing this package, or a kernel, imports no compiler; the first call of a
compiled function does, and keeps what it compiled on disk.
"""

import functools
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from types import ModuleType
from typing import Any, Final

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup
from mauerwerk.core.registry import Registry
from mauerwerk.games import GAMES


def fault_of(name: str, module: str) -> str:
    """What is wrong with a kernel of another package; empty when nothing is.

    Without NumPy no kernel can run, and none is looked at.
    """
    if find_spec("numpy") is None:
        return ""
    try:
        kernel = completed(name, import_module(module))
    except Exception as error:  # noqa: BLE001 - whatever a package does when it is imported
        return " ".join(f"{type(error).__name__}: {error}".split())
    from mauerwerk.kernels.contract import lacks  # noqa: PLC0415 - needs NumPy

    missing = lacks(kernel)
    return f"this is no kernel, it lacks {', '.join(missing)}" if missing else ""


KERNELS: Final = Registry[str](
    "mauerwerk.kernels",
    {
        "mauer": "mauerwerk.kernels.mauer",
        "burgbaumeister": "mauerwerk.kernels.burgbaumeister",
        "mauerbauer": "mauerwerk.kernels.mauerbauer",
    },
    fault_of,
    load=attrgetter("module"),
)
"""The module of every kernel, by the name of its game."""


class NoKernelError(SetupError):
    """There is no kernel for a game, so that only the rules can play it."""

    def __init__(self, name: str) -> None:
        """Name the game, and those that have one."""
        super().__init__(f"there is no kernel for {name}, only for {', '.join(KERNELS)}")
        self.name = name

    def __reduce__(self) -> tuple[type["NoKernelError"], tuple[str]]:
        """Make it possible to raise this in another process."""
        return type(self), (self.name,)


@functools.cache
def can_run(name: str | None = None) -> bool:
    """Whether what is installed can run the kernel of this game, or of any.

    Numba compiles all of them. Otherwise those run that are there as modules of WebAssembly.
    To look for all this takes long, and pages often ask.
    """
    if find_spec("numpy") is None:
        return False
    if find_spec("numba"):
        return True
    runtime: Any = import_module("mauerwerk.kernels.wasm.runtime")
    module: Any = import_module("mauerwerk.kernels.wasm.module")
    names = KERNELS if name is None else [name]
    return runtime.is_installed() and any(map(module.path_of, names))


def has_kernel(name: str) -> bool:
    """Whether there is a kernel for the game with this name."""
    return name in KERNELS


def lacks_part(name: str, part: str) -> list[str]:
    """What a kernel lacks of a part that is optional, `advice` or `counts`.

    Our own lack nothing, and are not imported to find that out.
    """
    if KERNELS[name].startswith(__name__):
        return []
    from mauerwerk.kernels.contract import lacks  # noqa: PLC0415 - needs NumPy

    return lacks(kernel_of(name), part)


def kernel_of(name: str, *, remember: bool = False, part: str | None = None) -> ModuleType:
    """The kernel of the game with this name, as `contract.Kernel` describes it.

    One that remembers also has what `contract.Remembering` describes, instead of the parts of those
    names. With a part, `advice`, `counts` or `greedy`, it has its slots too; several with a plus.
    Raises NoKernelError where there is no kernel, SetupError where it has no memory.
    """
    if name not in KERNELS:
        raise NoKernelError(name)
    kernel = _joined(name, KERNELS[name], remember=remember)
    return join(kernel, *(getattr(kernel, each) for each in part.split("+"))) if part else kernel


@functools.cache
def _joined(name: str, module: str, *, remember: bool) -> ModuleType:
    kernel = completed(name, import_module(module))
    if not remember:
        return kernel
    if not hasattr(kernel, "memory"):
        raise SetupError(f"the kernel of {name} has no observations that remember")
    return join(kernel, kernel.memory)


def completed(name: str, kernel: ModuleType) -> ModuleType:
    """A kernel with its parts, and with defaults for what every kernel can do without."""
    joined = join(kernel, *getattr(kernel, "PARTS", ()))
    game = GAMES.get(name)
    defaults: dict[str, Any] = {"HELD": ()}
    if game is not None:
        defaults["random_setup"] = functools.partial(_random_setup, game)
        if game.observation is not None:
            defaults["OBSERVATION"] = game.observation.spec
            defaults["features"] = game.observation.row
    for each, default in defaults.items():
        if not hasattr(joined, each):
            setattr(joined, each, default)
    return joined


def _random_setup(game: AnyGame, draw: Chance) -> Setup[Any]:
    return Setup(game.SEATS[draw(len(game.SEATS))], game.OPTIONS())


def join(kernel: ModuleType, *parts: ModuleType) -> ModuleType:
    """A module with the names of a kernel and of its parts; those of later ones count."""
    joined = ModuleType(kernel.__name__)
    for part in (kernel, *parts):
        vars(joined).update({**vars(part), "__name__": kernel.__name__})
    return joined


def actions_of(game: AnyGame, setup: Setup[Any]) -> tuple[Any, ...]:
    """Every action there is, by its number."""
    return (*game.choices(setup), *game.lots(setup))


def pack_setup(game: AnyGame, setup: Setup[Any]) -> Any:  # noqa: ANN401 - a NumPy array of one record
    """The setup as kernels read it. Raises SetupError where no kernel can play such a game."""
    return kernel_of(game.NAME).pack_setup(setup)
