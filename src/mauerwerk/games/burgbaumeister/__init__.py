"""Der Wettkampf der Burgbaumeister, by Dominique Ehrhard (2016): a race of walls, and of memory.

This module is the game, in the sense of `mauerwerk.core.game.Game`. The rules are in `rules`, what
they speak of in `values`, the pictures on the cards in `cards`, who sees what in `views`;
`beliefs` is what a seat can work out and keep in mind.
"""

from collections.abc import Callable, Mapping
from typing import Final

from mauerwerk.games.burgbaumeister.cards import word_of
from mauerwerk.games.burgbaumeister.drawing.picture import svg, text
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
from mauerwerk.games.burgbaumeister.rules import (
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
from mauerwerk.games.burgbaumeister.values import Action, Event, Options, State, View
from mauerwerk.games.burgbaumeister.views import reveals, seen, view

OPTIONS: Final = Options
FILES: Final[Mapping[str, Callable[[str], str]]] = {"pictures": word_of}

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
