"""Mauerbauer, who must act, what is legal, and which clause forbids the rest."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.games.mauerbauer import building, cards, cities
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.values import (
    Action,
    Adding,
    Appoint,
    Appointing,
    Build,
    Building,
    Choose,
    Choosing,
    Deal,
    Dealing,
    Discard,
    Done,
    Drawing,
    Finishing,
    Join,
    Joining,
    Over,
    PlaceHouse,
    PlaceTower,
    PlacingEdgeHouse,
    PlacingFirstHouse,
    PlacingFreeTower,
    PlacingRolledTower,
    PlacingSecondHouse,
    Play,
    Roll,
    RollEarly,
    Rolling,
    Scoring,
    State,
    Swap,
    Swapping,
    Table,
)

HAND_SIZE: Final = 6
"""The number of cards that each player is dealt at first (MB-8)."""
DONE: Final = Done()
ROLL_EARLY: Final = RollEarly()


def receiver(table: Table) -> Seat | None:
    """The player who is dealt the next card: six go to the first, then six to the next (MB-8)."""
    short = (seat for seat in cards.clockwise(table) if len(table.hands[seat]) < HAND_SIZE)
    return next(short, None)


def to_act(state: State, /) -> tuple[Seat, ...]:
    """One at a time: nature, the player whose turn it is, or the next to play or swap cards."""
    match state:
        case Appointing() | Dealing() | Rolling() | Drawing():
            return (NATURE,)
        case (
            Building(table=table)
            | PlacingRolledTower(table=table)
            | PlacingFreeTower(table=table)
            | PlacingFirstHouse(table=table)
            | PlacingSecondHouse(table=table)
            | PlacingEdgeHouse(table=table)
            | Joining(table=table)
        ):
            return (table.builder,)
        case (
            Scoring(waiting=waiting)
            | Adding(waiting=waiting)
            | Choosing(waiting=waiting)
            | Finishing(waiting=waiting)
            | Swapping(swappers=waiting)
        ):
            return waiting[:1]
        case Over():
            return ()


def legal(state: State, seat: Seat, /) -> tuple[Action, ...]:
    """All that this seat may do, in canonical order; `none` and `done` come last."""
    if seat not in to_act(state):
        return ()
    match state:
        case Appointing(seats=seats):
            return tuple(Appoint(Seat(each)) for each in range(seats))
        case Dealing(table=table) | Drawing(table=table):
            return tuple(Deal(card) for card in dict.fromkeys(table.pile))
        case Building(table=table, hasty=hasty):
            early = (ROLL_EARLY,) if table.options.early and not hasty else ()
            return (*(Build(line) for line in cities.free_lines(table)), *early)
        case Rolling(table=table, line=line):
            return building.rolls(table, line)
        case PlacingRolledTower() | PlacingFreeTower():
            return _towers(state)
        case PlacingFirstHouse() | PlacingSecondHouse() | PlacingEdgeHouse():
            return _houses(state)
        case Joining(table=table, city=city):
            return (*(Join(each) for each in cities.neighbours(table, city)), Join(None))
        case Scoring(table=table):
            hand = dict.fromkeys(table.hands[seat])
            return (*map(Play, hand), *map(Discard, hand))
        case Adding(table=table) | Finishing(table=table):
            return (*map(Play, dict.fromkeys(table.hands[seat])), DONE)
        case Swapping(table=table):
            return (*map(Swap, dict.fromkeys(table.hands[seat])), DONE)
        case Choosing(table=table):
            return (*(Choose(city.name) for city in table.cities), Choose(None))
        case Over():
            return ()


def _towers(state: PlacingRolledTower | PlacingFreeTower) -> tuple[PlaceTower, ...]:
    match state:
        case PlacingRolledTower(table=table, line=line, roll=Roll(tower=tower)):
            assert tower is not None
            return building.rolled_towers(table, line, tower)
        case PlacingFreeTower(table=table, line=line):
            return building.free_towers(table, line)


def _houses(
    state: PlacingFirstHouse | PlacingSecondHouse | PlacingEdgeHouse,
) -> tuple[PlaceHouse, ...]:
    match state:
        case PlacingFirstHouse(table=table, line=line, roll=roll):
            return building.first_houses(table, line, roll)
        case PlacingSecondHouse(table=table, roll=roll, field=field):
            return building.second_houses(table, field, roll)
        case PlacingEdgeHouse(table=table, line=line, roll=roll):
            return building.edge_houses(table, line, roll)


def odds(state: State, /) -> Mapping[Action, int]:
    """Every seat, every roll of the dice told apart and every card of the pile is as likely."""
    match state:
        case Dealing(table=table) | Drawing(table=table):
            return {Deal(card): table.pile.count(card) for card in dict.fromkeys(table.pile)}
        case _:
            return dict.fromkeys(legal(state, NATURE), 1)


def why_not(state: State, seat: Seat, action: Action, /) -> str:
    """The clause that forbids the move; empty when nothing does."""
    if action in legal(state, seat):
        return ""
    asked = seat in to_act(state)
    match state:
        case Appointing() | Dealing():
            return "MB-8"
        case Building(table=table):
            return _no_wall(table, action) if asked else "MB-10"
        case Rolling():
            return "MB-10"
        case PlacingRolledTower() | PlacingFreeTower() | PlacingFirstHouse() if (
            asked and action in _later(state)
        ):
            return "MB-19"
        case PlacingRolledTower():
            return "MB-21"
        case PlacingFreeTower():
            return "MB-22"
        case PlacingFirstHouse() | PlacingSecondHouse():
            return "MB-25"
        case PlacingEdgeHouse():
            return "MB-28"
        case Joining():
            return "MB-40"
        case Scoring() | Adding():
            return "MB-43"
        case Drawing():
            return "MB-45"
        case Swapping():
            return "MB-47"
        case Choosing() | Finishing():
            return "MB-72"
        case Over():
            return "MB-73"


def _no_wall(table: Table, action: Action) -> str:
    """Why the player whose turn it is may not do this before the wall stands."""
    board = board_of(table.options.board)
    match action:
        case RollEarly():
            return "MB-14"
        case Build(line=line) if line not in board.sides:
            return "MB-4"
        case Build(line=line) if line not in table.walls:
            assert cities.inside_a_city(board, cities.closed_fields(table), line)
            return "MB-12"
        case Build():
            return "MB-11"
        case _:
            return "MB-10"


def _later(state: PlacingRolledTower | PlacingFreeTower | PlacingFirstHouse) -> tuple[Action, ...]:
    """What the steps after this one would allow beside the new wall (MB-19)."""
    table, line, roll = state.table, state.line, state.roll
    sides = board_of(table.options.board).sides[line]
    second = tuple(house for side in sides for house in building.second_houses(table, side, roll))
    match state:
        case PlacingFirstHouse():
            return second
        case PlacingRolledTower() | PlacingFreeTower() if len(sides) == 1:
            houses = building.edge_houses(table, line, roll)
        case PlacingRolledTower() | PlacingFreeTower():
            houses = (*building.first_houses(table, line, roll), *second)
    two_ends = len(building.free_ends(table, line)) > 1
    return (*(building.free_towers(table, line) if two_ends else ()), *houses)
