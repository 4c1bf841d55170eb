"""States of Mauerbauer that agree with a belief and with what a viewer sees."""

from collections.abc import Sequence

from mauerwerk.core.game import Chance, Seat
from mauerwerk.games.mauerbauer.beliefs.inference import Belief, Hypothesis
from mauerwerk.games.mauerbauer.events import Task, View
from mauerwerk.games.mauerbauer.guild import DECK, Card, Hand, in_order
from mauerwerk.games.mauerbauer.values import (
    Adding,
    Appointing,
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
from mauerwerk.games.mauerbauer.views import view as view_of


def sample(belief: Belief, view: View, options: Options, draw: Chance) -> State:
    """A whole state that looks to this viewer just as the table does, drawn by its chance.

    The options are public, but a view does not hold them.
    """
    if view.builder is None:
        return Appointing(len(view.counts), options)
    hands, pile = _dealt(belief, view, draw)
    state = _state(view, _table(view, options, hands, pile))
    if view_of(state, view.seat) != view:
        raise ValueError("belief, view and options are not of one game at one moment")
    return state


def _dealt(belief: Belief, view: View, draw: Chance) -> tuple[tuple[Hand, ...], Hand]:
    """All hands and the pile, as they may be; once the game is over nothing is hidden (MB-73)."""
    shown = tuple(hand for hand in view.hands if hand is not None)
    if len(shown) == len(view.hands):
        rest = list(DECK)
        for card in (*view.discard, *(card for hand in shown for card in hand)):
            rest.remove(card)
        return shown, tuple(rest)
    hands = [list(hand or ()) for hand in view.hands]
    pile: list[Card] = []
    for shift in _sampled(belief, draw).shifts:
        cards = _shuffled(shift.cards, draw)
        for seat, slots in enumerate(shift.slots):
            hands[seat] += (cards.pop() for _ in range(slots))
        pile += cards
    return tuple(in_order(*hand) for hand in hands), in_order(*pile)


def _sampled(belief: Belief, draw: Chance) -> Hypothesis:
    ticket = draw(sum(each.weight for each in belief.hypotheses))
    for each in belief.hypotheses:
        ticket -= each.weight
        if ticket < 0:
            return each
    raise AssertionError(ticket)


def _shuffled(cards: Sequence[Card], draw: Chance) -> list[Card]:
    left = list(cards)
    return [left.pop(draw(len(left))) for _ in cards]


def _table(view: View, options: Options, hands: tuple[Hand, ...], pile: Hand) -> Table:
    assert view.builder is not None
    return Table(
        options=options,
        builder=view.builder,
        walls=view.walls,
        towers=view.towers,
        houses=view.houses,
        cities=view.cities,
        supply=view.supply,
        hands=hands,
        pile=pile,
        discard=view.discard,
        points=view.points,
        turns=view.turns,
        ending=view.ending,
        last=view.last,
    )


def _state(view: View, table: Table) -> State:
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
