"""A game without a learning room: default options and nothing about hands."""

from collections.abc import Mapping
from typing import Final

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({},)
HELD: Final[tuple[int, ...]] = ()
ENTROPY: Final = (0.03, 0.01)
