"""The bot room of Burgbaumeister."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.burgbaumeister.greedy import consider
from mauerwerk.bots.errors import Errors

SHARPNESS: Final = 0.8
"""The search plays to the end, and is a little too sure: players do not go on as it does."""
ERRORS: Final[Mapping[str, Errors]] = {
    "journeyman": Errors(overlooks=12, hasty=10, careless=0.1),
    "foreman": Errors(unthinking=65, overlooks=3),
}
"""Errors cost more here than elsewhere and a search gains less, so both err more often."""

__all__ = ["ERRORS", "SHARPNESS", "consider"]
