"""The bot room of Mauerbauer."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.mauerbauer.greedy import consider
from mauerwerk.bots.mistakes import Mistakes

SHARPNESS: Final = 1.9
"""The search looks a few turns ahead and weighs points and cards; they decide more than it says.

The figure was fitted to the winners of 240 games of each number of seats, between bots of one kind
and mixed, together with the share of the network. `bench/results-lab.md` says how well it fits.
"""

MISTAKES: Final[Mapping[str, Mistakes]] = {"foreman": Mistakes(unthinking=33, overlooks=3)}
"""Rules of thumb are far behind a search here, so a foreman uses them less."""

__all__ = ["MISTAKES", "SHARPNESS", "consider"]
