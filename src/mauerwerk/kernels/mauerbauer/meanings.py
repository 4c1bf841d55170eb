"""Mauerbauer, what each part of an observation says; `layout` says where it stands.

Seats are counted clockwise from one's own. One of several possibilities is a 1 in its place. The
part of a seat that does not play is zero.
"""

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "task": "what the table waits for, one of the phases",
    "waiting": "who must do it",
    "builder": "whose turn it is",
    "early": "whether one may roll before building",
    "hasty": "whether the builder has done so in this turn",
    "die": "the tower that was rolled",
    "dice": "the face of each house die",
    "walls_left": "walls in the supply",
    "towers_left": "towers in the supply, by colour",
    "houses_left": "houses in the supply, by colour",
    "palaces_left": "palaces in the supply, by colour",
    "counts": "how many cards each seat holds",
    "totals": "points of each seat",
    "hand": "how many of each kind of card one holds oneself",
    "worth": "what one of these would score now",
    "pile": "cards in the pile",
    "discard": "how many of each kind are discarded",
    "laid": "what each seat has laid down for this scoring, by kind",
    "discarded": "whether what a seat laid was discarded",
    "owed": "how many cards each seat is still to draw",
    "swappers": "who may still swap a card",
    "swapped": "how many cards the first of them has put away",
    "turns": "complete turns",
    "ending": "why the game ends",
    "walls": "the lines with a wall",
    "line": "the line of the wall that is being built",
    "towers": "on each point the tower, by colour",
    "closed": "the fields inside a closed city",
    "cities": "the fields where a closed city has its name",
    "houses": "on each field the houses, by colour; of a city, all where it has its name",
    "palaces": "likewise the palaces",
    "city": "the city that is joined or scored",
    "field": "the side of that wall that waits for the second house",
}
