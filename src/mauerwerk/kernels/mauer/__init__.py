"""The kernel of Die Mauer: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from typing import Final

from mauerwerk.kernels.mauer import advice, counts, greedy, memory, observation, packing, rules

PARTS: Final = (rules, packing, observation)
AIM: Final = -1
"""The fewest points win (DM-28)."""
