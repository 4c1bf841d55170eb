"""Mauerbauer, a position as far as one viewer knows it, for those who think ahead."""

from mauerwerk.core.game import Seat
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.values import (
    Adding,
    Building,
    Choosing,
    Dealing,
    Drawing,
    Finishing,
    Joining,
    Options,
    Over,
    PlacingEdgeHouse,
    PlacingFirstHouse,
    PlacingFreeTower,
    PlacingRolledTower,
    PlacingSecondHouse,
    Rolling,
    Scoring,
    State,
    Swapping,
    Table,
)


def known_table(view: View, options: Options | None = None) -> Table:
    """The table as it lies: the pile, and the hands that are not for this viewer, are empty.

    The options are public, but a view holds none of them except the board.
    """
    assert view.builder is not None
    return Table(
        options=options or Options(board=view.board),
        builder=view.builder,
        walls=view.walls,
        towers=view.towers,
        houses=view.houses,
        cities=view.cities,
        supply=view.supply,
        hands=tuple(hand or () for hand in view.hands),
        pile=(),
        discard=view.discard,
        points=view.points,
        turns=view.turns,
        ending=view.ending,
        last=view.last,
    )


def state_on(view: View, table: Table) -> State:
    """The state behind a view, on this table."""
    line, roll, city = view.line, view.roll, view.city
    match view.task:
        case Task.DEAL:
            return Dealing(table)
        case Task.BUILD:
            return Building(table, view.hasty)
        case Task.ROLL if line:
            return Rolling(table, line)
        case Task.ROLLED_TOWER if line and roll:
            return PlacingRolledTower(table, line, roll)
        case Task.FREE_TOWER if line and roll:
            return PlacingFreeTower(table, line, roll)
        case Task.FIRST_HOUSE if line and roll:
            return PlacingFirstHouse(table, line, roll)
        case Task.SECOND_HOUSE if line and roll and view.field:
            return PlacingSecondHouse(table, line, roll, view.field)
        case Task.EDGE_HOUSE if line and roll:
            return PlacingEdgeHouse(table, line, roll)
        case Task.JOIN if city:
            return Joining(table, city)
        case Task.DRAW:
            return Drawing(table, view.owed, view.swappers)
        case Task.SWAP if view.swappers:
            return Swapping(table, view.swappers, view.swapped)
        case Task.NOTHING:
            return Over(table)
        case _:
            return _scoring(view, table, _waiting(view))


def _scoring(view: View, table: Table, waiting: tuple[Seat, ...]) -> State:
    match view.task, view.city:
        case Task.SCORE, str(city):
            return Scoring(table, city, waiting, view.laid)
        case Task.ADD, str(city):
            return Adding(table, city, waiting, view.laid)
        case Task.CHOOSE, _:
            return Choosing(table, waiting, view.laid)
        case Task.FINISH, city:
            return Finishing(table, waiting, view.laid, city)
        case _:
            raise ValueError("this view is of no phase of the game")


def _waiting(view: View) -> tuple[Seat, ...]:
    """The seat that is to act and those after it that have cards, clockwise to the builder."""
    (first,), builder, seats = view.waiting, view.builder, len(view.counts)
    assert builder is not None
    rest = range((first - builder) % seats + 1, seats)
    later = (Seat((builder + step) % seats) for step in rest)
    return (first, *(seat for seat in later if view.counts[seat]))
