"""Burgbaumeister: a network learns the basic game and the variant.

What a card in the depot shows is drawn when it is first turned, so nothing hidden can be learnt.
"""

from collections.abc import Mapping
from typing import Final

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"variant": "yes"})
HELD: Final[tuple[int, ...]] = ()
ENTROPY: Final = (0.02, 0.004)
