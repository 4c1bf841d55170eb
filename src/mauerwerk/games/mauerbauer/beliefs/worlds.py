"""States of Mauerbauer that agree with a belief and with what a viewer sees."""

from collections.abc import Sequence

from msgspec.structs import replace

from mauerwerk.core.game import Chance
from mauerwerk.games.mauerbauer.beliefs.inference import Belief, Hypothesis
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.guild import DECK, Card, Hand, in_order
from mauerwerk.games.mauerbauer.knowledge import known_table, state_on
from mauerwerk.games.mauerbauer.values import Appointing, Options, State
from mauerwerk.games.mauerbauer.views import view as view_of


def sample(belief: Belief, view: View, options: Options, draw: Chance) -> State:
    """A whole state that looks to this viewer just as the table does, drawn by its chance.

    The options are public, but a view does not hold them.
    """
    if view.builder is None:
        return Appointing(len(view.counts), options)
    hands, pile = _dealt(belief, view, draw)
    table = replace(known_table(view, options), hands=hands, pile=pile)
    state = state_on(view, table)
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
