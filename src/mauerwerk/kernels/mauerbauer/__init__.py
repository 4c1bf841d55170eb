"""The kernel of Mauerbauer: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauerbauer import (
    advice,
    counts,
    greedy,
    memory,
    observation,
    packing,
    records,
    rules,
)

PARTS: Final = (records, rules, packing, observation, greedy)

BENCHMARK: Final[Mapping[str, str]] = {}

AIM: Final = 1
"""The most points win (MB-73)."""
