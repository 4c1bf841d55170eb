"""The smallest and the largest number at each place of an observation."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import kernel_of


class Bounds(NamedTuple):
    """No number of an observation is ever smaller or larger, whatever is played."""

    lowest: npt.NDArray[np.int16]
    highest: npt.NDArray[np.int16]


def bounds_of(game: AnyGame, setup: Setup[Any], *, remember: bool = False) -> Bounds:
    """The bounds of such a game, place by place.

    What the rules make impossible at this table has 0 for both: a seat that does not play, a kind
    of piece that is not used. What never changes has the same number for both.
    """
    kernel: Any = kernel_of(game.NAME, remember=remember)
    layout: dict[str, slice] = kernel.layout(setup)
    width = max(place.stop for place in layout.values())
    lowest, highest = np.zeros(width, np.int16), np.zeros(width, np.int16)
    tops = kernel.tops(setup)
    for part, place in layout.items():
        highest[place] = tops[part]
        if part in kernel.FIXED:
            lowest[place] = tops[part]
    return Bounds(lowest, highest)
