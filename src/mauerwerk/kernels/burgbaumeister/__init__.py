"""The kernel of Burgbaumeister: what `kernels.contract` asks of a game.

What a card shows is drawn when it is first turned, so nobody holds anything in secret.
"""

# pyright: reportUnusedImport=false

from typing import Final

from mauerwerk.kernels.burgbaumeister import (
    advice,
    counts,
    greedy,
    memory,
    observation,
    packing,
    rules,
)

PARTS: Final = (rules, packing, observation, greedy)
AIM: Final = 1
"""The most points win (BB-10, BB-20)."""
