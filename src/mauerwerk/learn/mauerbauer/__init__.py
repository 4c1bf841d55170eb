"""Mauerbauer: a network learns the default board, with the early roll too.

Other boards have other lines and points, and so other actions.
"""

from collections.abc import Mapping
from typing import Final

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"early": "yes"})
ENTROPY: Final = (0.03, 0.008)
