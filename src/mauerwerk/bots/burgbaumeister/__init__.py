"""The bot room of Burgbaumeister."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.burgbaumeister.greedy import consider
from mauerwerk.bots.mistakes import Mistakes

SHARPNESS: Final = 0.8
"""The search plays to the end, and is a little too sure: players do not go on as it does."""
MISTAKES: Final[Mapping[str, Mistakes]] = {
    "journeyman": Mistakes(overlooks=12, hasty=10, careless=0.1),
    "foreman": Mistakes(unthinking=65, overlooks=3),
}
"""Mistakes cost more here than elsewhere, and a search gains less: so both make more of them."""

__all__ = ["MISTAKES", "SHARPNESS", "consider"]
