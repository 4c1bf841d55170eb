"""What every kernel is handed and hands back: the setup as a record, and how games ended."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.sight import Sight
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.contract import Array

MOST_SEATS: Final = 6

RESULT: Final = np.dtype(
    [
        ("points", "i2", (MOST_SEATS,)),
        ("decisions", "u4"),
        ("turns", "u4"),
        ("ranks", "u1", (MOST_SEATS,)),
        ("reason", "u1"),
    ],
    align=True,
)
"""How a game ended; `reason` is a place in the kernel's `REASONS`."""


def prepared(game: AnyGame, setup: Setup[Any]) -> Array:
    """The setup as kernels read it. Raises SetupError where no kernel can play such a game."""
    return kernel_of(game.NAME).prepare(setup)


def width_of(game: AnyGame, setup: Setup[Any], *, remember: bool = False) -> int:
    """How many integers an observation has."""
    kernel: Any = kernel_of(game.NAME, remember=remember)
    return int(max(part.stop for part in kernel.layout(setup).values()))


def observed(
    game: AnyGame, setup: Setup[Any], sight: Sight[Any, Any, Any], *, remember: bool = False
) -> npt.NDArray[np.int16]:
    """What a seat sees as an observation, or also what a perfect memory knows."""
    kernel: Any = kernel_of(game.NAME, remember=remember)
    known = kernel.remembered(setup, sight) if remember else kernel.features(setup, sight.view)
    return np.array(known, np.int16)


def key_of(seed: int) -> np.uint64:
    """The seed as the generator takes it: its last 64 bits."""
    return np.uint64(seed & (2**64 - 1))
