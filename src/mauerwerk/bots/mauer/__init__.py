"""The bot room of Die Mauer."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.mauer.greedy import consider
from mauerwerk.bots.mistakes import Mistakes

SHARPNESS: Final = 1.0
"""The search finds chances to win."""
MISTAKES: Final[Mapping[str, Mistakes]] = {
    "apprentice": Mistakes(overlooks=18, hasty=60, careless=0.2),
    "foreman": Mistakes(unthinking=45, overlooks=3),
}
"""Haste costs an apprentice more here than what it overlooks."""

__all__ = ["MISTAKES", "SHARPNESS", "consider"]
