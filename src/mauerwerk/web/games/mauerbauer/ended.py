"""What Mauerbauer says of its end."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.language.translation import Language, messages
from mauerwerk.core.language.words import sentence
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.naming import ENDINGS
from mauerwerk.games.mauerbauer.questions import ask
from mauerwerk.games.mauerbauer.values import Ending
from mauerwerk.web.games.ended import Ended

_BACK: Final[Mapping[Ending, tuple[str, str]]] = {
    Ending.WALLS: messages(
        "The last wall was built; {number} wall came back to the supply later in that turn.",
        "The last wall was built; {number} walls came back to the supply later in that turn.",
    ),
    Ending.TOWERS: messages(
        "The last tower was built; {number} tower came back to the supply later in that turn.",
        "The last tower was built; {number} towers came back to the supply later in that turn.",
    ),
    Ending.HOUSES: messages(
        "The last house was built; {number} house came back to the supply later in that turn.",
        "The last house was built; {number} houses came back to the supply later in that turn.",
    ),
    Ending.PALACES: messages(
        "The last palace was built; {number} palace came back to the supply later in that turn.",
        "The last palace was built; {number} palaces came back to the supply later in that turn.",
    ),
}


def ended(view: View, names: Sequence[str], language: Language, /) -> Ended:
    """The end is decided by the last piece of a kind, even when some come back later (MB-70)."""
    return Ended(ask(view, names, language), _reason(view, language))


def _reason(view: View, language: Language) -> str:
    if view.ending is None:
        return ""
    supply = view.supply
    left = {
        Ending.WALLS: supply.walls,
        Ending.TOWERS: sum(supply.towers),
        Ending.HOUSES: sum(supply.houses),
        Ending.PALACES: sum(supply.palaces),
    }.get(view.ending, 0)
    if left:
        return language.many(left, *_BACK[view.ending])
    return sentence(language(ENDINGS[view.ending]))
