"""The score sheet for people who own the printed game."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.server.games.room import RealTable

REAL_TABLE: Final = RealTable(
    link="/real/mauer",
    action=message("Score sheet"),
    line=message("A score sheet for all rounds. Tap what players still hold; the page adds it up."),
)
"""It offers no chance by hand: nothing is rolled or dealt in Die Mauer."""
