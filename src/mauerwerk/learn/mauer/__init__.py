"""Die Mauer: a network learns games of four rounds and of one."""

from collections.abc import Mapping
from typing import Final

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"rounds": "1"})
ENTROPY: Final = (0.03, 0.02)
"""With a third of this, master builders are guessed, plan only what cannot be built, and never find
out that others have stopped guessing."""
