"""Mauerbauer, how the table would lie after a choice, as far as the chooser can know.

The rules themselves say it: they are applied to what the view shows. Dice and cards of others are
not known, so nothing is said of them.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from mauerwerk.games.mauerbauer.board import Field, Line, board_of
from mauerwerk.games.mauerbauer.cities import city_named, close, free_lines, newly_closed
from mauerwerk.games.mauerbauer.events import Closed, Event, View
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.knowledge import known_table, state_on
from mauerwerk.games.mauerbauer.legality import legal
from mauerwerk.games.mauerbauer.rules import apply
from mauerwerk.games.mauerbauer.scoring import value
from mauerwerk.games.mauerbauer.values import (
    Action,
    Adding,
    Appointing,
    Build,
    City,
    Finishing,
    Joining,
    PlacingEdgeHouse,
    PlacingFirstHouse,
    PlacingFreeTower,
    PlacingRolledTower,
    PlacingSecondHouse,
    Rolling,
    Scoring,
    State,
    Table,
)

LARGE: Final = 120
"""The number of fields beyond which a board is large; the boards of the game have 85 at most."""

Placing = (
    PlacingRolledTower
    | PlacingFreeTower
    | PlacingFirstHouse
    | PlacingSecondHouse
    | PlacingEdgeHouse
)


class Outlook(NamedTuple):
    """What would be, once a choice is made and what goes without asking is done."""

    table: Table
    city: City | None
    """The city that would be closed, joined, scored or chosen."""
    follows: tuple[Action, ...]
    """What the chooser would have to do next, as there is no other choice."""
    then: tuple[Action, ...]
    """The choices that come after that, if they are the chooser's and have a place."""
    events: tuple[Event, ...]
    """What would be told; of a city that the wall is about to close, as if it were closed now."""

    def worth(self, view: View) -> Mapping[Card, int]:
        """What each card in the viewer's hand would score."""
        hand = () if view.seat is None else view.hands[view.seat] or ()
        return {card: value(card, self.table, self.city) for card in hand}


def outlook(view: View, action: Action) -> Outlook:
    """How the table would lie after this legal action of the viewer."""
    assert view.seat is not None
    step = apply(state_on(view, known_table(view)), view.seat, action)
    events = [*step.events]
    follows: list[Action] = []
    while isinstance(step.state, Placing):
        only, *others = legal(step.state, view.seat)
        if others:
            break
        follows.append(only)
        step = apply(step.state, view.seat, only)
        events += step.events
    state = step.state
    then = legal(state, view.seat) if isinstance(state, Placing) else ()
    table, city, more = _city_of(state, events)
    return Outlook(table, city, tuple(follows), then, (*events, *more))


def _city_of(state: State, events: list[Event]) -> tuple[Table, City | None, tuple[Event, ...]]:
    """The table, the city in question, and what would be told of it when it is closed."""
    table, name, line = _table_of(state), _named(state), _line_of(state)
    if name is not None:
        return table, city_named(table, name), ()
    fields = newly_closed(table, line) if line is not None else None
    if fields is not None:
        closed, told = close(table, fields)
        return closed, city_named(closed, fields[0]), (Closed(table.builder, fields), *told)
    # Where nobody whom the viewer knows of has cards, a closed city is scored at once.
    just_closed = (each.fields[0] for each in events if isinstance(each, Closed))
    return table, next((city_named(table, each) for each in just_closed), None), ()


def _table_of(state: State) -> Table:
    assert not isinstance(state, Appointing)  # nobody chooses before the lot
    return state.table


def _named(state: State) -> Field | None:
    if isinstance(state, Joining | Scoring | Adding | Finishing):
        return state.city
    return None


def _line_of(state: State) -> Line | None:
    return state.line if isinstance(state, Rolling | Placing) else None


def closes_after(view: View, line: Line) -> int:
    """How many fields one wall more could close, once a wall stands on this line; 0 for none.

    Only what could not be closed before counts. It is not looked for on a board of one's own that
    is much larger than those of the game: every line is tried, and others would wait meanwhile.
    """
    if len(board_of(view.board).regions) > LARGE:
        return 0
    table = known_table(view)
    walled = outlook(view, Build(line)).table
    return max(
        (
            len(fields)
            for other in free_lines(walled)
            if (fields := newly_closed(walled, other)) and newly_closed(table, other) is None
        ),
        default=0,
    )
