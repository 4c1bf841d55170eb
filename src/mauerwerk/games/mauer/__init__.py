"""Die Mauer, by Thomas Fackler (1999): one wall grows across the table.

This module is the game, in the sense of `mauerwerk.core.game.Game`. The rules are in `rules`, what
they speak of in `values`, who sees what in `views`; `beliefs` is what a seat can work out.
"""

from collections.abc import Callable, Mapping
from typing import Final

from mauerwerk.games.mauer.drawing.picture import svg, text
from mauerwerk.games.mauer.notation import CLAUSES, NAME, TITLE, ask, parse, say, tell, write
from mauerwerk.games.mauer.rules import (
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
from mauerwerk.games.mauer.values import Action, Event, Options, State, View
from mauerwerk.games.mauer.views import reveals, seen, view

OPTIONS: Final = Options
FILES: Final[Mapping[str, Callable[[str], str]]] = {}

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
    "view",
    "why_not",
    "write",
]
