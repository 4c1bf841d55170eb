"""The first page for people who own the printed games, and the one about their own dice."""

from mauerwerk.web.games.box import BOXES
from mauerwerk.web.http.replies import Reply
from mauerwerk.web.pages.page import Visitor


async def show(visitor: Visitor) -> Reply:
    """What there is for each game."""
    symbols = tuple(dict.fromkeys(each for box in BOXES.values() for each in box.symbols))
    return visitor.paint("realtable/index.html", boxes=BOXES, symbols=symbols)


async def dice(visitor: Visitor) -> Reply:
    """How to play with real dice, or to keep a game that is played with the printed pieces."""
    return visitor.paint("realtable/dice.html", boxes=BOXES)
