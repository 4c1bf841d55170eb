"""The bot room of Burgbaumeister."""

from typing import Final

from mauerwerk.bots.burgbaumeister.greedy import consider

SHARPNESS: Final = 0.8
"""The search plays to the end, and is a little too sure: players do not go on as it does."""
__all__ = ["SHARPNESS", "consider"]
