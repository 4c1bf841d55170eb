"""Die Mauer: a network learns games of four rounds and of one, and the hands of others."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauer.records import KINDS

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"rounds": "1"})
HELD: Final = tuple(0x010101 << kind for kind in range(KINDS))
"""A hand counts each kind in three planes of bits."""
ENTROPY: Final = (0.03, 0.02)
"""With a third of this, master builders are guessed, plan only what cannot be built, and never find
out that others have stopped guessing."""
