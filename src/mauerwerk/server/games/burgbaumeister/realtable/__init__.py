"""What there is for people who own the printed game: a table that keeps it, card by card."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.server.games.room import RealTable

REAL_TABLE: Final = RealTable(
    link="/new/burgbaumeister?chance=all",
    action=message("Record a game"),
    line=message("Record a game card by card, and keep its whole story."),
    chances=("all",),
)
