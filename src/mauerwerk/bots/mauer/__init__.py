"""The bot room of Die Mauer."""

from typing import Final

from mauerwerk.bots.mauer.greedy import consider

SHARPNESS: Final = 1.0
"""The search finds chances to win."""
__all__ = ["SHARPNESS", "consider"]
