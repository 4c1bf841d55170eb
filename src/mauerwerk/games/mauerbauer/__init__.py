"""Mauerbauer, by Leo Colovini (2006): walls that belong to nobody, and cities that all score."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, get_args

from mauerwerk.core.defaults import holds_nothing, no_group
from mauerwerk.core.game import Value
from mauerwerk.core.language import messages
from mauerwerk.games.mauerbauer import beliefs as beliefs
from mauerwerk.games.mauerbauer import (
    board,
    drawing,
    events,
    guild,
    legality,
    notation,
    numbering,
    rules,
    scoring,
    values,
    views,
)
from mauerwerk.games.mauerbauer.drawing import picture

Action: TypeAlias = values.Action
Event: TypeAlias = events.Event
Options: TypeAlias = values.Options
State: TypeAlias = values.State
View: TypeAlias = events.View
NAME, TITLE, CLAUSES = notation.NAME, notation.TITLE, notation.CLAUSES
RULES, SEATS = rules.RULES, rules.SEATS
OPTIONS: Final = Options
ENDINGS: Final = tuple(ending.value for ending in values.Ending)
STATES: Final[tuple[type[Value], ...]] = get_args(State)
EVENTS: Final[tuple[type[Value], ...]] = get_args(Event)
VIEW: Final = View
FILES: Final[Mapping[str, Callable[[str], str]]] = {"board": board.word_of}
MESSAGES: Final = (
    *(("card", card.title) for card in guild.KINDS),
    *(("small card", each) for each in dict.fromkeys(card.short for card in guild.KINDS)),
    *(("", board.board_of(word).title) for word in board.BOARDS),
    ("", board.OWN),
)
observation: Final = None
"""Its kernel describes what learners see."""
PIECES: Final = drawing.PIECES
SERIES: Final[Mapping[type[Value], tuple[str, str]]] = {
    events.Swapped: messages("{name} swapped {number} card", "{name} swapped {number} cards"),
}
start, apply, outcome, turn = rules.start, rules.apply, rules.outcome, rules.turn
must_end, longest = rules.must_end, rules.longest
to_act, legal, odds, why_not = legality.to_act, legality.legal, legality.odds, legality.why_not
view, open_view, seen, reveals = views.view, views.open_view, views.seen, views.reveals
scores, holds, group = views.scores, holds_nothing, no_group
write, parse, say = notation.write, notation.parse, notation.say
ask, tell, clause = notation.ask, notation.tell, notation.clause
text, svg = picture.text, picture.svg
choices, lots = numbering.choices, numbering.lots
value = scoring.value
