"""The bot room of Burgbaumeister."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.burgbaumeister.greedy import consider
from mauerwerk.bots.errors import Errors

SHARPNESS: Final = 0.8
"""The search plays to the end, and is a little too sure: players do not go on as it does."""
ERRORS: Final[Mapping[str, Errors]] = {
    "journeyman": Errors(overlooks=10, hasty=8, careless=0.08),
}
"""Rules of thumb are nearly as good as a search here, so a journeyman errs more often."""

__all__ = ["ERRORS", "SHARPNESS", "consider"]
