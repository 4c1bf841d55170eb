"""The bot room of Burgbaumeister."""

from typing import Final

from mauerwerk.bots.burgbaumeister.greedy import consider

SHARPNESS: Final = 1.0
"""The search finds chances to win."""

__all__ = ["SHARPNESS", "consider"]
