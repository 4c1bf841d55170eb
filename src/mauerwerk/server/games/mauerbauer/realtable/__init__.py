"""The scoring helper for people who own the printed game."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.server.games.room import RealTable

PLAN: Final = "/real/mauerbauer/plan.json"
"""Where the boards are for the helper's script."""

REAL_TABLE: Final = RealTable(
    link="/real/mauerbauer",
    action=message("Scoring helper"),
    line=message(
        "Tap the pieces onto your board: the page finds every city "
        "and says what every guild card is worth."
    ),
    chances=("dice", "all"),
    keeps=(PLAN,),
)
