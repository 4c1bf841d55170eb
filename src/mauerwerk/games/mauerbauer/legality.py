"""Mauerbauer, who must act, what is legal, and which clause forbids the rest."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.games.mauerbauer import building, cards, cities, values
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.values import Action, State, Table

DONE: Final = values.Done()
ROLL_EARLY: Final = values.RollEarly()


def receiver(table: Table) -> Seat | None:
    """The player who is dealt the next card: six go to the first, then six to the next (MB-8)."""
    size = table.options.hand
    short = (seat for seat in cards.clockwise(table) if len(table.hands[seat]) < size)
    return next(short, None)


def to_act(state: State, /) -> tuple[Seat, ...]:
    """One at a time: nature, the player whose turn it is, or the next to play or swap cards."""
    match state:
        case values.Appointing() | values.Dealing() | values.Rolling() | values.Drawing():
            return (NATURE,)
        case (
            values.Building(table=table)
            | values.PlacingRolledTower(table=table)
            | values.PlacingFreeTower(table=table)
            | values.PlacingFirstHouse(table=table)
            | values.PlacingSecondHouse(table=table)
            | values.PlacingEdgeHouse(table=table)
            | values.Joining(table=table)
        ):
            return (table.builder,)
        case (
            values.Scoring(waiting=waiting)
            | values.Adding(waiting=waiting)
            | values.Choosing(waiting=waiting)
            | values.Finishing(waiting=waiting)
            | values.Swapping(swappers=waiting)
        ):
            return waiting[:1]
        case values.Over():
            return ()


def legal(state: State, seat: Seat, /) -> tuple[Action, ...]:  # noqa: C901 - one idea
    """All that this seat may do, in canonical order; `none` and `done` come last."""
    if seat not in to_act(state):
        return ()
    match state:
        case values.Appointing(seats=seats):
            return tuple(values.Appoint(Seat(each)) for each in range(seats))
        case values.Dealing(table=table) | values.Drawing(table=table):
            return tuple(values.Deal(card) for card in dict.fromkeys(table.pile))
        case values.Building(table=table, hasty=hasty):
            early = (ROLL_EARLY,) if table.options.early and not hasty else ()
            return (*(values.Build(line) for line in cities.free_lines(table)), *early)
        case values.Rolling(table=table, line=line):
            return building.rolls(table, line)
        case values.PlacingRolledTower(table=table, line=line, roll=values.Roll(tower=tower)):
            assert tower is not None
            return building.rolled_towers(table, line, tower)
        case values.PlacingFreeTower(table=table, line=line):
            return building.free_towers(table, line)
        case values.PlacingFirstHouse(table=table, line=line, roll=roll):
            return building.first_houses(table, line, roll)
        case values.PlacingSecondHouse(table=table, roll=roll, field=field):
            return building.second_houses(table, field, roll)
        case values.PlacingEdgeHouse(table=table, line=line, roll=roll):
            return building.edge_houses(table, line, roll)
        case values.Joining(table=table, city=city):
            return (
                *(values.Join(each) for each in cities.neighbours(table, city)),
                values.Join(None),
            )
        case values.Scoring(table=table):
            hand = dict.fromkeys(table.hands[seat])
            return (*map(values.Play, hand), *map(values.Discard, hand))
        case values.Adding(table=table) | values.Finishing(table=table):
            return (*map(values.Play, dict.fromkeys(table.hands[seat])), DONE)
        case values.Swapping(table=table):
            return (*map(values.Swap, dict.fromkeys(table.hands[seat])), DONE)
        case values.Choosing(table=table):
            return (*(values.Choose(city.name) for city in table.cities), values.Choose(None))
        case values.Over():
            return ()


def odds(state: State, /) -> Mapping[Action, int]:
    """Every seat, every roll of the dice told apart and every card of the pile is as likely."""
    match state:
        case values.Dealing(table=table) | values.Drawing(table=table):
            return {values.Deal(card): table.pile.count(card) for card in dict.fromkeys(table.pile)}
        case _:
            return dict.fromkeys(legal(state, NATURE), 1)


def why_not(state: State, seat: Seat, action: Action, /) -> str:
    """The clause that forbids the move; empty when nothing does."""
    if action in legal(state, seat):
        return ""
    asked = seat in to_act(state)
    match state:
        case values.Appointing() | values.Dealing():
            return "MB-8"
        case values.Building(table=table):
            return _no_wall(table, action) if asked else "MB-10"
        case values.Rolling():
            return "MB-10"
        case (
            values.PlacingRolledTower() | values.PlacingFreeTower() | values.PlacingFirstHouse()
        ) if asked and action in _later(state):
            return "MB-19"
        case values.PlacingRolledTower():
            return "MB-21"
        case values.PlacingFreeTower():
            return "MB-22"
        case values.PlacingFirstHouse() | values.PlacingSecondHouse():
            return "MB-25"
        case values.PlacingEdgeHouse():
            return "MB-28"
        case values.Joining():
            return "MB-40"
        case values.Scoring() | values.Adding():
            return "MB-43"
        case values.Drawing():
            return "MB-45"
        case values.Swapping():
            return "MB-47"
        case values.Choosing() | values.Finishing():
            return "MB-72"
        case values.Over():
            return "MB-73"


def _no_wall(table: Table, action: Action) -> str:
    """Why the player whose turn it is may not do this before the wall stands."""
    board = board_of(table.options.board)
    match action:
        case values.RollEarly():
            return "MB-14"
        case values.Build(line=line) if line not in board.sides:
            return "MB-4"
        case values.Build(line=line) if line not in table.walls:
            assert cities.inside_a_city(board, cities.closed_fields(table), line)
            return "MB-12"
        case values.Build():
            return "MB-11"
        case _:
            return "MB-10"


def _later(
    state: values.PlacingRolledTower | values.PlacingFreeTower | values.PlacingFirstHouse,
) -> tuple[Action, ...]:
    """What the steps after this one would allow beside the new wall (MB-19)."""
    table, line, roll = state.table, state.line, state.roll
    sides = board_of(table.options.board).sides[line]
    second = tuple(house for side in sides for house in building.second_houses(table, side, roll))
    if isinstance(state, values.PlacingFirstHouse):
        return second
    two_ends = len(building.free_ends(table, line)) > 1
    towers = building.free_towers(table, line) if two_ends else ()
    return (*towers, *building.first_houses(table, line, roll), *second)
