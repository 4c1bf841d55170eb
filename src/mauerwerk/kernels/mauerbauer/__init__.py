"""The kernel of Mauerbauer: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

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
AIM: Final = 1
"""The most points win (MB-73)."""
