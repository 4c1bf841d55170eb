"""Die Mauer as the home page shows it."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.games.mauer import NAME, TITLE
from mauerwerk.server.games.box import Box

BOX: Final = Box(
    name=NAME,
    title=TITLE,
    line=message("One wall for all. Guess what the master builder hides in a fist."),
    minutes=message("10 min a round"),
    usual_minutes=message("40 min"),
    moves=150,
    age=8,
    seats=4,
    tempo=800,
    thumb="piece-C",
    symbols=("piece-T", "piece-C", "piece-1", "piece-2", "piece-3", "piece-4"),
)
