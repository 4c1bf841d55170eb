"""Mauerbauer, by Leo Colovini (2006): walls that belong to nobody, and cities that all score.

This module is the game, in the sense of `mauerwerk.core.game.Game`. The rules are in `rules`, what
they speak of in `values`, who sees what in `views`; `beliefs` is what a seat can work out. A board
is data: `board` reads it, from the package or from a file of your own.
"""

from collections.abc import Callable, Mapping
from typing import Final

from mauerwerk.games.mauerbauer.board import word_of
from mauerwerk.games.mauerbauer.drawing.picture import svg, text
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.notation import CLAUSES, NAME, TITLE, parse, write
from mauerwerk.games.mauerbauer.rules import (
    RULES,
    SEATS,
    apply,
    legal,
    must_end,
    odds,
    outcome,
    start,
    to_act,
    turn,
    why_not,
)
from mauerwerk.games.mauerbauer.scoring import value
from mauerwerk.games.mauerbauer.sentences import ask, say, tell
from mauerwerk.games.mauerbauer.values import Action, Options, State
from mauerwerk.games.mauerbauer.views import reveals, seen, view

OPTIONS: Final = Options
FILES: Final[Mapping[str, Callable[[str], str]]] = {"board": word_of}

__all__ = [
    "CLAUSES",
    "FILES",
    "NAME",
    "OPTIONS",
    "RULES",
    "SEATS",
    "TITLE",
    "Action",
    "Event",
    "Options",
    "State",
    "View",
    "apply",
    "ask",
    "legal",
    "must_end",
    "odds",
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
