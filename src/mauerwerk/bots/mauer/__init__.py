"""The bot room of Die Mauer."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.errors import Errors
from mauerwerk.bots.mauer.greedy import consider

SHARPNESS: Final = 1.0
"""The search finds chances to win."""
ERRORS: Final[Mapping[str, Errors]] = {
    "apprentice": Errors(overlooks=18, hasty=60, careless=0.2),
    "foreman": Errors(unthinking=45, overlooks=3),
}
"""Haste costs an apprentice more here than what it overlooks."""

__all__ = ["ERRORS", "SHARPNESS", "consider"]
