"""The bot room of Die Mauer."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.errors import Errors
from mauerwerk.bots.mauer.greedy import consider

SHARPNESS: Final = 1.0
"""The search finds chances to win."""
ERRORS: Final[Mapping[str, Errors]] = {
    "apprentice": Errors(overlooks=25, hasty=30, careless=0.2),
    "foreman": Errors(unthinking=56, overlooks=3),
}
"""All choose at once, so an error often costs nothing."""

__all__ = ["ERRORS", "SHARPNESS", "consider"]
