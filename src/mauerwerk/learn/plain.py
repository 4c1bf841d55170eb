"""A game without a learning room: default options, nothing about hands, and many points win."""

from collections.abc import Mapping
from typing import Final

OPTIONS: Final[tuple[Mapping[str, str], ...]] = ({},)
HELD: Final[tuple[int, ...]] = ()
AIM: Final = 1
ENTROPY: Final = (0.03, 0.01)
