"""Mauerbauer: a network learns the default board, with the early roll too, and the hands of others.

Other boards have other lines and points, and so other actions.
"""

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauerbauer.records import HELD as HELD

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"early": "yes"})
ENTROPY: Final = (0.03, 0.008)
