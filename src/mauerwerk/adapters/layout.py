"""What stands where in an observation, part by part, for people; `docs/how-to` has it as tables.

Seats are counted clockwise from one's own. What is one of several has a 1 in its place. A seat that
does not play has zeros.
"""

from collections.abc import Mapping
from typing import Final

from mauerwerk.adapters.setting import Setting
from mauerwerk.core.game import Value

MAUER: Final = {
    "task": "what the table waits for: lot, plan, choose, build, give, nothing",
    "waiting": "who must do it",
    "master": "the master builder",
    "left": "the kind of piece at the left end of the wall",
    "right": "the kind of piece at the right end",
    "wall": "how many of each kind are built",
    "counts": "how many pieces each seat holds",
    "hand": "how many of each kind one holds oneself",
    "fists": "of each seat: thinking, closed, or which kind, or nothing",
    "piece": "the kind that is being built",
    "rounds": "rounds in the game",
    "scored": "rounds that are over",
    "totals": "penalty points of each seat",
    "idle": "turns in a row without building",
}

BURGBAUMEISTER: Final = {
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

MAUERBAUER: Final = {
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

MEANINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "mauer": MAUER,
    "burgbaumeister": BURGBAUMEISTER,
    "mauerbauer": MAUERBAUER,
}
"""What each part of an observation says, by game."""


class Part(Value):
    """A stretch of an observation."""

    name: str
    begin: int
    end: int
    """The first place after it."""
    meaning: str


def layout_of(setting: Setting) -> tuple[Part, ...]:
    """All parts of an observation, one behind the other.

    >>> from mauerwerk.adapters.setting import setting_of
    >>> layout_of(setting_of("mauer"))[1]
    Part(name='waiting', begin=6, end=12, meaning='who must do it')
    """
    meanings = MEANINGS[setting.game.NAME]
    return tuple(
        Part(name, place.start, place.stop, meanings[name])
        for name, place in setting.kernel.layout(setting.setup).items()
    )
