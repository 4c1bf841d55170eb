"""Mauerbauer, by Leo Colovini (2006): walls that belong to nobody, and cities that all score.

This module is the game, in the sense of `mauerwerk.core.game.Game`. The rules are in `rules`, its
types in `values`, what each seat sees in `views`; `beliefs` is what a seat can infer. A board
is data: `board` reads it, from the package or from a file of your own.
"""

from collections.abc import Callable, Mapping
from typing import Final, get_args

from mauerwerk.core.game import Value
from mauerwerk.games.mauerbauer import beliefs, guild
from mauerwerk.games.mauerbauer.board import BOARDS, OWN, board_of, word_of
from mauerwerk.games.mauerbauer.clauses import clause
from mauerwerk.games.mauerbauer.drawing import PIECES
from mauerwerk.games.mauerbauer.drawing.picture import svg, text
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.legality import legal, odds, to_act, why_not
from mauerwerk.games.mauerbauer.notation import CLAUSES, NAME, TITLE, ask, parse, say, tell, write
from mauerwerk.games.mauerbauer.numbering import choices, lots
from mauerwerk.games.mauerbauer.rules import (
    RULES,
    SEATS,
    apply,
    longest,
    must_end,
    outcome,
    start,
    turn,
)
from mauerwerk.games.mauerbauer.scoring import value
from mauerwerk.games.mauerbauer.values import Action, Ending, Options, State
from mauerwerk.games.mauerbauer.views import open_view, reveals, seen, view

OPTIONS: Final = Options
ENDINGS: Final = tuple(ending.value for ending in Ending)
STATES: Final[tuple[type[Value], ...]] = get_args(State)
EVENTS: Final[tuple[type[Value], ...]] = get_args(Event)
VIEW: Final = View
FILES: Final[Mapping[str, Callable[[str], str]]] = {"board": word_of}
MESSAGES: Final = (
    *(("card", guild.TITLES[card]) for card in guild.KINDS),
    *(("", board_of(word).title) for word in BOARDS),
    ("", OWN),
)

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
    "value",
    "view",
    "why_not",
    "write",
]
