"""The bot room of Mauerbauer."""

from typing import Final

from mauerwerk.bots.mauerbauer.greedy import consider

SHARPNESS: Final = 1.8
"""The search looks a few turns ahead and weighs points and cards; they decide more than it says.

The figure was fitted to the winners of 270 games of two to four bots, of one kind and mixed. It
fits all parts of a game; `bench/analysis.py` measures how well.
"""

__all__ = ["SHARPNESS", "consider"]
