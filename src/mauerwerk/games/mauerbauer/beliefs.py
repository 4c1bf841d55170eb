"""What a seat of Mauerbauer can infer about the cards that it has not seen.

    belief = begin(seats, seat)              # or all at once: believe(sight)
    belief = after(belief, told)             # step by step, as it is told
    holds(belief, Seat(2), Card.CITIES)      # the probability that seat 2 holds such a card
    sample(belief, view, options, draw)      # a whole state, as it may be

Only drawn cards are hidden (MB-8, MB-45, MB-47). Until the discard pile is first shuffled, every
unseen card is as likely in any unseen place, a slot of a hand or the pile. A shuffle begins a new
shift (MB-46): what is in the hands by then is of earlier shifts, what is drawn from now on is of
the new one, and all know which cards these are. A card that is played comes out of any slot of that
hand with the same probability; which shift it was of may remain open, and then the hypothesis
splits.

So the weights are exact: every way in which the unseen cards can lie is as likely as any other, as
far as it agrees with all that was told. A bot that reads more into what others play brings its own
weights. Being exact has a price: where the pile was shuffled several times, there can be thousands
of hypotheses and more; `bounded` follows the likeliest.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb, gcd, lcm, prod
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import Chance, Seat, Sight, Value, draw_lot
from mauerwerk.games.mauerbauer import events
from mauerwerk.games.mauerbauer.events import Event, View
from mauerwerk.games.mauerbauer.guild import DECK, Card, Hand, in_order, with_card, without_card
from mauerwerk.games.mauerbauer.values import Action, Appointing, Options, State, deck_of
from mauerwerk.games.mauerbauer.views import known_table, state_on
from mauerwerk.games.mauerbauer.views import view as view_of


class Shift(Value):
    """The unseen cards that were in the pile between two shuffles."""

    cards: Hand
    slots: tuple[int, ...]
    """How many of them each seat holds; the others are in the pile."""


class Hypothesis(Value):
    """One way in which the cards seen so far may have come from the shifts."""

    shifts: tuple[Shift, ...]
    """The last is the present one."""
    weight: int


class Belief(Value):
    """All that one viewer can know of the cards, by what it was told.

    A belief is a thought and is not sent: its weights can outgrow JSON's integers.
    """

    seat: Seat | None
    own: Hand
    out: Hand
    """What has been seen since the last shuffle, and will be in the next one."""
    hypotheses: tuple[Hypothesis, ...]


# --- Following the game ----------------------------------------------------------------------


def begin(seats: int, seat: Seat | None, deck: Hand = DECK) -> Belief:
    """Nothing is dealt, so that every card is in the pile."""
    return Belief(seat, (), (), (Hypothesis((Shift(deck, (0,) * seats),), 1),))


def believe(sight: Sight[Action, Event, View]) -> Belief:
    """What this seat can know, from all that it was told since the game began."""
    return after(latest(sight)[0], sight.told)


def after(belief: Belief, told: Iterable[Event]) -> Belief:
    """What is believed once these events are told too."""
    for event in told:
        belief = _after_event(belief, event)
    return belief


def _after_event(belief: Belief, event: Event) -> Belief:
    match event:
        case events.Drawn(seat=seat, card=card):
            return _handed(belief, seat, card)
        case (
            events.Played(seat=seat, card=card)
            | events.Discarded(seat=seat, card=card)
            | events.Swapped(seat=seat, card=card)
        ):
            return _laid_down(belief, seat, card)
        case events.Reshuffled():
            slots = (0,) * len(belief.hypotheses[0].shifts[-1].slots)
            fresh = Shift(belief.out, slots)
            shuffled = (
                (Hypothesis((*each.shifts, fresh), each.weight), Fraction(1))
                for each in belief.hypotheses
            )
            return _weighed(Belief(belief.seat, belief.own, (), ()), shuffled)
        case (
            events.Appointed()
            | events.RolledEarly()
            | events.Built()
            | events.Rolled()
            | events.TowerPlaced()
            | events.HousePlaced()
            | events.EndDecided()
            | events.Closed()
            | events.PalacesBuilt()
            | events.Cleared()
            | events.Joined()
            | events.Finished()
            | events.Chosen()
            | events.TurnPassed()
        ):
            return belief
        case events.GameEnded(hands=hands):
            return _laid_open(belief, hands)


def _handed(belief: Belief, seat: Seat, card: Card | None) -> Belief:
    """A card came into a hand, one's own or another."""
    if card is None:
        return _weighed(belief, (_hidden(each, seat) for each in belief.hypotheses))
    drawn = (_seen(each, card) for each in belief.hypotheses)
    own = with_card(belief.own, card)
    return _weighed(Belief(belief.seat, own, belief.out, ()), drawn)


def _hidden(each: Hypothesis, seat: Seat) -> tuple[Hypothesis, Fraction]:
    """Somebody else has drawn: one more slot of the present shift."""
    *earlier, present = each.shifts
    grown = Shift(present.cards, _plus(present.slots, seat, 1))
    return Hypothesis((*earlier, grown), each.weight), Fraction(1)


def _seen(each: Hypothesis, card: Card) -> tuple[Hypothesis, Fraction]:
    """One has drawn oneself: any unseen card of the present shift was as likely."""
    *earlier, present = each.shifts
    chance = Fraction(present.cards.count(card), len(present.cards))
    if not chance:
        return each, chance
    left = Shift(without_card(present.cards, card), present.slots)
    return Hypothesis((*earlier, left), each.weight), chance


def _laid_down(belief: Belief, seat: Seat, card: Card) -> Belief:
    """A card left a hand for all to see."""
    out = with_card(belief.out, card)
    if seat == belief.seat:
        return Belief(seat, without_card(belief.own, card), out, belief.hypotheses)
    shown = (split for each in belief.hypotheses for split in _shown(each, seat, card))
    return _weighed(Belief(belief.seat, belief.own, out, ()), shown)


def _shown(each: Hypothesis, seat: Seat, card: Card) -> Iterator[tuple[Hypothesis, Fraction]]:
    """It came out of a slot of one of the shifts, each by its chance to hold this card there."""
    for place, shift in enumerate(each.shifts):
        chance = Fraction(shift.slots[seat] * shift.cards.count(card), len(shift.cards) or 1)
        if chance:
            left = Shift(without_card(shift.cards, card), _plus(shift.slots, seat, -1))
            shifts = (*each.shifts[:place], left, *each.shifts[place + 1 :])
            yield Hypothesis(shifts, each.weight), chance


def _laid_open(belief: Belief, hands: tuple[Hand, ...]) -> Belief:
    """Once it is over nothing is hidden (MB-73): every hand is a shift of its own."""
    none = (0,) * len(hands)
    left = [card for shift in belief.hypotheses[0].shifts for card in shift.cards]
    shifts: list[Shift] = []
    for seat, hand in enumerate(hands):
        if hand and seat != belief.seat:
            shifts.append(Shift(hand, _plus(none, Seat(seat), len(hand))))
            for card in hand:
                left.remove(card)
    known = Hypothesis((*shifts, Shift(tuple(left), none)), 1)
    return Belief(belief.seat, belief.own, belief.out, (known,))


def _weighed(belief: Belief, parts: Iterable[tuple[Hypothesis, Fraction]]) -> Belief:
    """The belief with these hypotheses: equal ones are one, and the weights are small."""
    weights: dict[tuple[Shift, ...], Fraction] = {}
    for each, chance in parts:
        if chance:
            *earlier, present = each.shifts
            shifts = (*(shift for shift in earlier if shift.cards), present)
            weights[shifts] = weights.get(shifts, Fraction(0)) + each.weight * chance
    if not weights:
        raise ValueError("no cards agree with these events: they are not all, or of another game")
    above = gcd(*(weight.numerator for weight in weights.values()))
    below = lcm(*(weight.denominator for weight in weights.values()))
    scale = Fraction(below, above)
    hypotheses = tuple(
        Hypothesis(shifts, int(weight * scale)) for shifts, weight in weights.items()
    )
    return Belief(belief.seat, belief.own, belief.out, hypotheses)


def _plus(slots: tuple[int, ...], seat: Seat, change: int) -> tuple[int, ...]:
    return (*slots[:seat], slots[seat] + change, *slots[seat + 1 :])


# --- Asking ----------------------------------------------------------------------------------


def holds(belief: Belief, seat: Seat, card: Card) -> Fraction:
    """The chance that this seat holds a card of this kind."""
    if seat == belief.seat:
        return Fraction(card in belief.own)
    total = sum(each.weight for each in belief.hypotheses)
    lacks = sum(
        each.weight * prod((_lacks(shift, seat, card) for shift in each.shifts), start=Fraction(1))
        for each in belief.hypotheses
    )
    return 1 - Fraction(lacks) / total


def _lacks(shift: Shift, seat: Seat, card: Card) -> Fraction:
    """The chance that no slot of this seat holds the card."""
    size, slots = len(shift.cards), shift.slots[seat]
    return Fraction(comb(size - shift.cards.count(card), slots), comb(size, slots))


# --- States that agree with a belief and with what a viewer sees -----------------------------


def sample(belief: Belief, view: View, options: Options, draw: Chance) -> State:
    """A whole state that looks to this viewer just as the table does, drawn by its chance."""
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
        rest = list(deck_of(view.options))
        for card in (*view.discard, *(card for hand in shown for card in hand)):
            rest.remove(card)
        return shown, tuple(rest)
    hands = [list(hand or ()) for hand in view.hands]
    pile: list[Card] = []
    chances = {place: each.weight for place, each in enumerate(belief.hypotheses)}
    for shift in belief.hypotheses[draw_lot(chances, draw)].shifts:
        left = list(shift.cards)
        cards = [left.pop(draw(len(left))) for _ in shift.cards]
        for seat, slots in enumerate(shift.slots):
            hands[seat] += (cards.pop() for _ in range(slots))
        pile += cards
    return tuple(in_order(*hand) for hand in hands), in_order(*pile)


# --- For bots: beliefs that stay small -------------------------------------------------------


MOST_HYPOTHESES: Final = 256
"""The largest number of hypotheses in a bounded belief."""


def certain(state: State, _told: Sequence[Event], seat: Seat) -> Belief:
    """The belief of a seat that sees all hands.

    Every hand is a shift of its own that fills it, and the pile is one that fills none.
    """
    if isinstance(state, Appointing):
        return begin(state.seats, seat, deck_of(state.options))
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
    view = sight.view
    return begin(len(view.counts), sight.seat, deck_of(view.options)), 0


def steps(told: tuple[Event, ...], begin: int) -> Iterator[tuple[Event, ...]]:
    """The events from this one on, one by one."""
    return ((event,) for event in told[begin:])


def bounded(belief: Belief, _draw: Chance) -> Belief:
    """Keep the likeliest hypotheses."""
    if len(belief.hypotheses) <= MOST_HYPOTHESES:
        return belief
    by_weight = sorted(belief.hypotheses, key=lambda each: -each.weight)
    return replace(belief, hypotheses=tuple(by_weight[:MOST_HYPOTHESES]))


def dealt(sight: Sight[Action, Event, View], _draw: Chance) -> Belief:
    """Every card that cannot be seen is as likely in any hidden place."""
    view = sight.view
    left = list(deck_of(view.options))
    own = view.hands[sight.seat] or ()
    out = in_order(*view.discard, *(card for each in view.laid for card in each.cards))
    for card in (*own, *out):
        left.remove(card)
    slots = tuple(0 if seat == sight.seat else held for seat, held in enumerate(view.counts))
    shift = Shift(in_order(*left), slots)
    return Belief(sight.seat, own, out, (Hypothesis((shift,), 1),))
