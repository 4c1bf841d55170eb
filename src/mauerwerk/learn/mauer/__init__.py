"""Die Mauer: a network learns games of four rounds and of one, and the hands of others."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauer.rules import HELD as HELD

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"rounds": "1"})
ENTROPY: Final = (0.03, 0.02)
"""With a third of this, master builders are guessed, plan only what cannot be built, and never find
out that others have stopped guessing."""
