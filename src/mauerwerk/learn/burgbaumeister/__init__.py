"""Burgbaumeister: a network learns the basic game and the variant."""

from collections.abc import Mapping
from typing import Final

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({}, {"variant": "yes"})
ENTROPY: Final = (0.02, 0.004)
