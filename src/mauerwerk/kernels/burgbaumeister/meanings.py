"""Burgbaumeister, what each part of an observation says; `layout` says where it stands.

Seats are counted clockwise from one's own. One of several possibilities is a 1 in its place. The
part of a seat that does not play is zero.
"""

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "task": "what the table waits for: lot, spread, turn, show, decide, fire, nothing",
    "waiting": "who must do it",
    "player": "whose turn it is",
    "variant": "whether pictures count",
    "pictures": "what each number shows, 1 to 9, where pictures count",
    "layout": "1 more than the number of a chaotic layout; 0 for a rectangle",
    "depot": "the places where a card lies",
    "turned": "the place where a card is being turned or lies face up",
    "number": "what that card shows",
    "walls": "the numbers in the wall of each seat",
    "safe": "how many cards of each wall no cannon can destroy",
    "points": "points of each seat",
    "spell": "who can still have the wizard insert a card",
    "idle": "turns in a row without a new card in any wall",
    "turns": "complete turns",
    "aid": "whether there is the memory aid",
    "seen": "with it, the number that the card in each place has shown",
    "ending": "why the game ended",
}
