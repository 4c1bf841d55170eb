"""Beliefs of Mauerbauer that stay small: the likeliest hypotheses, or cards dealt by the table."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import Chance, Seat
from mauerwerk.core.sight import Sight
from mauerwerk.games.mauerbauer.beliefs.inference import Belief, Hypothesis, Shift, begin
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.guild import DECK, in_order
from mauerwerk.games.mauerbauer.values import Action, Appointing, State

MOST_HYPOTHESES: Final = 256
"""The largest number of hypotheses in a bounded belief."""


def certain(state: State, events: Sequence[Event], seat: Seat) -> Belief:
    """The belief of a seat that sees all hands.

    Every hand is a shift of its own that fills it, and the pile is one that fills none.
    """
    del events
    if isinstance(state, Appointing):
        return begin(state.seats, seat)
    table = state.table
    places = range(len(table.hands))
    shifts = tuple(
        Shift(hand, tuple(len(hand) if each == other else 0 for each in places))
        for other, hand in enumerate(table.hands)
        if other != seat
    )
    pile = Shift(table.pile, (0,) * len(table.hands))
    return Belief(seat, table.hands[seat], table.discard, (Hypothesis((*shifts, pile), 1),))


def latest(sight: Sight[Action, Event, View]) -> tuple[Belief, int]:
    """The belief before the first event."""
    return begin(len(sight.view.counts), sight.seat), 0


def steps(told: tuple[Event, ...], begin: int) -> Iterator[tuple[Event, ...]]:
    """The events from this one on, one by one."""
    return ((event,) for event in told[begin:])


def bounded(belief: Belief, draw: Chance) -> Belief:
    """Keep the likeliest hypotheses."""
    del draw
    if len(belief.hypotheses) <= MOST_HYPOTHESES:
        return belief
    by_weight = sorted(belief.hypotheses, key=lambda each: -each.weight)
    return replace(belief, hypotheses=tuple(by_weight[:MOST_HYPOTHESES]))


def dealt(sight: Sight[Action, Event, View], draw: Chance) -> Belief:
    """Every card that cannot be seen is as likely in any hidden place."""
    del draw
    view = sight.view
    left = list(DECK)
    own = view.hands[sight.seat] or ()
    out = in_order(*view.discard, *(card for each in view.laid for card in each.cards))
    for card in (*own, *out):
        left.remove(card)
    slots = tuple(0 if seat == sight.seat else held for seat, held in enumerate(view.counts))
    shift = Shift(in_order(*left), slots)
    return Belief(sight.seat, own, out, (Hypothesis((shift,), 1),))
