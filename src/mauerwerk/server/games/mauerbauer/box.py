"""Mauerbauer as the home page shows it."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.games.mauerbauer import NAME, TITLE
from mauerwerk.server.games.box import Box

BOX: Final = Box(
    name=NAME,
    title=TITLE,
    line=message("Build walls together, close cities, and play the guild cards that pay for them."),
    minutes=message("45 min"),
    moves=95,
    age=8,
    seats=3,
    tempo=1_000,
    thumb="palace-blue",
    symbols=(
        *("tower-white", "tower-grey", "tower-black", "wall-line", "palace-blue"),
        *("house-yellow", "house-green", "house-blue", "house-red"),
    ),
)
