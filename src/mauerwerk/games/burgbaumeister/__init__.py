"""Der Wettkampf der Burgbaumeister, by Dominique Ehrhard (2016): a race of walls, and of memory.

This module is the game, in the sense of `mauerwerk.core.game.Game`. The rules are in `rules`, its
types in `values`, the pictures on the cards in `cards`, what each seat sees in `views`;
`beliefs` is what a seat can infer and keep in mind.
"""

from collections.abc import Callable, Mapping
from typing import Final, get_args

from mauerwerk.core.game import Value
from mauerwerk.games.burgbaumeister import beliefs, cards
from mauerwerk.games.burgbaumeister.clauses import clause
from mauerwerk.games.burgbaumeister.drawing import PIECES
from mauerwerk.games.burgbaumeister.drawing.picture import svg, text
from mauerwerk.games.burgbaumeister.events import Event, View
from mauerwerk.games.burgbaumeister.legality import legal, odds, to_act, why_not
from mauerwerk.games.burgbaumeister.notation import (
    CLAUSES,
    NAME,
    TITLE,
    ask,
    parse,
    say,
    tell,
    write,
)
from mauerwerk.games.burgbaumeister.numbering import choices, lots
from mauerwerk.games.burgbaumeister.rules import (
    RULES,
    SEATS,
    apply,
    longest,
    must_end,
    outcome,
    start,
    turn,
)
from mauerwerk.games.burgbaumeister.values import Action, Ending, Options, State
from mauerwerk.games.burgbaumeister.views import open_view, reveals, seen, view

OPTIONS: Final = Options
ENDINGS: Final = tuple(ending.value for ending in Ending)
STATES: Final[tuple[type[Value], ...]] = get_args(State)
EVENTS: Final[tuple[type[Value], ...]] = get_args(Event)
VIEW: Final = View
FILES: Final[Mapping[str, Callable[[str], str]]] = {"pictures": cards.word_of}
MESSAGES: Final = ()

__all__ = [
    "CLAUSES",
    "ENDINGS",
    "EVENTS",
    "FILES",
    "MESSAGES",
    "NAME",
    "OPTIONS",
    "PIECES",
    "RULES",
    "SEATS",
    "STATES",
    "TITLE",
    "VIEW",
    "Action",
    "Event",
    "Options",
    "State",
    "View",
    "apply",
    "ask",
    "beliefs",
    "choices",
    "clause",
    "legal",
    "longest",
    "lots",
    "must_end",
    "odds",
    "open_view",
    "outcome",
    "parse",
    "reveals",
    "say",
    "seen",
    "start",
    "svg",
    "tell",
    "text",
    "to_act",
    "turn",
    "view",
    "why_not",
    "write",
]
