"""Die Mauer, by Thomas Fackler (1999): one wall grows across the table.

This module is the game, in the sense of `mauerwerk.core.game.Game`. The rules are in `rules`, its
types in `values`, what each seat sees in `views`; `beliefs` is what a seat can infer.
"""

from collections.abc import Callable, Mapping
from typing import Final, get_args

from mauerwerk.core.game import Value
from mauerwerk.games.mauer import beliefs
from mauerwerk.games.mauer.clauses import clause
from mauerwerk.games.mauer.drawing import PIECES
from mauerwerk.games.mauer.drawing.picture import svg, text
from mauerwerk.games.mauer.events import Event, View
from mauerwerk.games.mauer.legality import legal, odds, to_act, why_not
from mauerwerk.games.mauer.notation import CLAUSES, NAME, TITLE, ask, parse, say, tell, write
from mauerwerk.games.mauer.numbering import choices, lots
from mauerwerk.games.mauer.rules import RULES, SEATS, apply, longest, must_end, outcome, start, turn
from mauerwerk.games.mauer.values import Action, Ending, Options, State
from mauerwerk.games.mauer.views import open_view, reveals, seen, view

OPTIONS: Final = Options
ENDINGS: Final = tuple(ending.value for ending in Ending)
STATES: Final[tuple[type[Value], ...]] = get_args(State)
EVENTS: Final[tuple[type[Value], ...]] = get_args(Event)
VIEW: Final = View
FILES: Final[Mapping[str, Callable[[str], str]]] = {}
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
