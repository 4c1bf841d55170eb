"""Mauerbauer: a network learns the default board, with the early roll too, and the hands of others.

Other boards have other lines and points, and so other actions.
"""

from collections.abc import Mapping
from typing import Final

from mauerwerk.games.mauerbauer.guild import KINDS

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"early": "yes"})
HELD: Final = tuple(0b11 << 2 * kind for kind in range(len(KINDS)))
"""A hand has a bit for each card of the deck, which has two of each kind."""
ENTROPY: Final = (0.03, 0.008)
