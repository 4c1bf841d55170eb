"""Mauerbauer, a position as far as one viewer knows it, for those who think ahead."""

from mauerwerk.core.game import Seat
from mauerwerk.games.mauerbauer import values
from mauerwerk.games.mauerbauer.events import Task, View


def known_table(view: View, options: values.Options | None = None) -> values.Table:
    """The table as it lies: the pile, and the hands that are not for this viewer, are empty.

    The options are public, but a view holds none of them except the board.
    """
    assert view.builder is not None
    return values.Table(
        options=options or values.Options(board=view.board),
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


def state_on(view: View, table: values.Table) -> values.State:
    """The state behind a view, on this table."""
    line, roll, city = view.line, view.roll, view.city
    match view.task:
        case Task.DEAL:
            return values.Dealing(table)
        case Task.BUILD:
            return values.Building(table, view.hasty)
        case Task.ROLL if line:
            return values.Rolling(table, line)
        case Task.ROLLED_TOWER if line and roll:
            return values.PlacingRolledTower(table, line, roll)
        case Task.FREE_TOWER if line and roll:
            return values.PlacingFreeTower(table, line, roll)
        case Task.FIRST_HOUSE if line and roll:
            return values.PlacingFirstHouse(table, line, roll)
        case Task.SECOND_HOUSE if line and roll and view.field:
            return values.PlacingSecondHouse(table, line, roll, view.field)
        case Task.EDGE_HOUSE if line and roll:
            return values.PlacingEdgeHouse(table, line, roll)
        case Task.JOIN if city:
            return values.Joining(table, city)
        case Task.DRAW:
            return values.Drawing(table, view.owed, view.swappers)
        case Task.SWAP if view.swappers:
            return values.Swapping(table, view.swappers, view.swapped)
        case Task.NOTHING:
            return values.Over(table)
        case _:
            return _scoring(view, table, _waiting(view))


def _scoring(view: View, table: values.Table, waiting: tuple[Seat, ...]) -> values.State:
    match view.task, view.city:
        case Task.SCORE, str(city):
            return values.Scoring(table, city, waiting, view.laid)
        case Task.ADD, str(city):
            return values.Adding(table, city, waiting, view.laid)
        case Task.CHOOSE, _:
            return values.Choosing(table, waiting, view.laid)
        case Task.FINISH, city:
            return values.Finishing(table, waiting, view.laid, city)
        case _:
            raise ValueError("this view is of no phase of the game")


def _waiting(view: View) -> tuple[Seat, ...]:
    """The seat that is to act and those after it that have cards, clockwise to the builder."""
    (first,), builder, seats = view.waiting, view.builder, len(view.counts)
    assert builder is not None
    rest = range((first - builder) % seats + 1, seats)
    later = (Seat((builder + step) % seats) for step in rest)
    return (first, *(seat for seat in later if view.counts[seat]))
