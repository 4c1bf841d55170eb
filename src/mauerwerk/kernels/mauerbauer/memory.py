"""Mauerbauer for learners that remember: which cards are where, and what became of the others.

Only drawn cards are hidden (MB-8, MB-45, MB-47). When the pile is shuffled (MB-46), all know what
is in it, and that everything else they cannot see is in the hands of others. So a card that one
cannot see is either fresh: in the pile, or drawn since; or it is old, and in a hand for sure. When
somebody lays down a card that can be either, the kernel keeps the smallest and the largest number
of fresh cards, of each kind and in each hand. With the next shuffle they are equal again. Beliefs
weigh all possibilities instead; theirs lie within these bounds.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy import int64

from mauerwerk.core.game import Seat, Setup, Sight
from mauerwerk.core.observation import ObservationSpec, Part
from mauerwerk.games.mauerbauer.events import (
    Discarded,
    Drawn,
    Event,
    Played,
    Reshuffled,
    Swapped,
    Task,
    TurnPassed,
    View,
)
from mauerwerk.games.mauerbauer.guild import KINDS as CARDS
from mauerwerk.games.mauerbauer.guild import Card, Hand
from mauerwerk.games.mauerbauer.values import Action, Options, deck_of
from mauerwerk.kernels.bits import size
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.mauerbauer import observation, records
from mauerwerk.kernels.mauerbauer.moves import next_seat
from mauerwerk.kernels.mauerbauer.observation import at_fields, largest_hand, of_each
from mauerwerk.kernels.mauerbauer.observation import observe as observe_table
from mauerwerk.kernels.mauerbauer.rules import apply as apply_rules
from mauerwerk.kernels.mauerbauer.rules import start as start_game

OFTEN: Final = 7
"""The largest number in `played` and `thrown`."""
LONGEST: Final = 63
"""The largest number in `drew`, and"""
MOST_SHUFFLES: Final = 15
"""in `shuffles`."""
_ON_FIELDS: Final = 4 + 2 * records.HOUSE_COLOURS
"""How many numbers the parts of the table have for each field."""

STATE: Final = np.dtype(
    [
        *((name, *rest) for name, *rest in records.STATE.descr if name),
        # To each seat: of the cards that it cannot see; then, in each other hand.
        ("fresh_least", "i8", (records.MOST_SEATS,)),
        ("fresh_most", "i8", (records.MOST_SEATS,)),
        ("held_least", "i1", (records.MOST_SEATS * records.MOST_SEATS,)),
        ("held_most", "i1", (records.MOST_SEATS * records.MOST_SEATS,)),
        ("drew", "i2", (records.MOST_SEATS,)),  # turns before a seat's last card; -1: none yet
        ("shuffles", "i1"),
        ("played", "i1", (records.MOST_SEATS * records.KINDS,)),
        ("thrown", "i1", (records.MOST_SEATS * records.KINDS,)),
    ],
    align=True,
)


def _highest(setup: Setup[Options]) -> Mapping[str, int | Sequence[int]]:
    """One's own cards are no guess."""
    others, nobody = setup.seats - 1, records.MOST_SEATS - setup.seats
    held = [0, *[largest_hand(setup)] * others, *[0] * nobody]
    return {"held_least": held, "held_most": held}


ADDED: Final = (
    Part(
        "unseen",
        records.KINDS,
        "how many of each kind one cannot see: they are in the pile or in others' hands",
        2,
    ),
    Part(
        "fresh_least",
        records.KINDS,
        "how many of these at least have been in the pile since it was last shuffled; "
        "the others are in others' hands for sure",
        2,
    ),
    Part("fresh_most", records.KINDS, "how many of these at most", 2),
    Part(
        "held_least",
        records.MOST_SEATS,
        "how many of the cards of each other seat are fresh at least: drawn since then",
    ),
    Part("held_most", records.MOST_SEATS, "how many of them at most"),
    Part("shuffles", 1, "how often the pile was shuffled, 15 at most", MOST_SHUFFLES),
    of_each(
        "drew",
        1,
        "1 more than the turns since each seat last drew a card, 63 at most; 0 before it does",
        LONGEST,
    ),
    of_each(
        "played",
        records.KINDS,
        "how many of each kind each seat has played so far, 7 at most",
        OFTEN,
    ),
    of_each(
        "thrown",
        records.KINDS,
        "how many of each kind each seat has discarded or swapped so far, 7 at most",
        OFTEN,
    ),
)
OBSERVATION: Final = observation.OBSERVATION.extended(*ADDED, highest=_highest)
AT: Final[Any] = ObservationSpec(*ADDED).starts()
"""Where each part begins, counted from the first that is added."""


# --- Following the game ----------------------------------------------------------------------


@compiled
def start(setup: Record, state: Record) -> None:
    """All cards are in the pile."""
    start_game(setup, state)
    for seat in range(records.MOST_SEATS):
        state.drew[seat] = -1
    for place in range(records.MOST_SEATS * records.KINDS):
        state.played[place] = 0
        state.thrown[place] = 0
    state.shuffles = 0
    _shuffle(state, setup.deck)


@compiled
def _shuffle(state: Record, pile: Int) -> None:
    """All know what is in the pile, and that no hand has any of it (MB-46)."""
    for viewer in range(records.MOST_SEATS):
        state.fresh_least[viewer] = pile
        state.fresh_most[viewer] = pile
    for place in range(records.MOST_SEATS * records.MOST_SEATS):
        state.held_least[place] = 0
        state.held_most[place] = 0


@compiled
def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move, and remember what all see of it."""
    phase = int64(state.phase)
    pile = size(state.pile)
    if records.DEALING <= phase <= records.DRAWING:
        pile -= 1
        _draw(setup, state, action - setup.deal)
    elif (
        records.SCORING <= phase <= records.SWAPPING
        and phase != records.CHOOSING
        and action != setup.done
    ):
        begin = setup.play if action < setup.discard else setup.discard
        if phase == records.SWAPPING:
            begin = setup.swap
        _lay_down(setup, state, int64(seat), action - begin, action >= setup.discard)
    apply_rules(setup, state, seat, action)
    if size(state.pile) > pile:
        state.shuffles = min(state.shuffles + 1, MOST_SHUFFLES)
        _shuffle(state, state.pile)


@compiled
def _draw(setup: Record, state: Record, kind: Int) -> None:
    """A seat sees the card that it draws; to the others it is a fresh card in that hand."""
    seat = int64(state.builder)
    if state.phase == records.DRAWING:
        while not state.owed[seat]:
            seat = next_seat(setup, seat)
    else:
        while size(state.hands[seat]) == setup.hand:
            seat = next_seat(setup, seat)
    state.drew[seat] = state.turns
    for viewer in range(setup.seats):
        if viewer == seat:
            state.fresh_least[viewer] = _less(state.fresh_least[viewer], kind)
            state.fresh_most[viewer] = _less(state.fresh_most[viewer], kind)
        else:
            state.held_least[viewer * records.MOST_SEATS + seat] += 1
            state.held_most[viewer * records.MOST_SEATS + seat] += 1


@compiled
def _less(cards: Int, kind: Int) -> Int:
    """These cards without one, if there is one."""
    return records.without_card(cards, kind) if records.number_of(cards, kind) else cards


@compiled
def _lay_down(setup: Record, state: Record, seat: Int, kind: Int, thrown: Int) -> None:
    """A card leaves a hand for all to see; it was fresh or old, or nobody else can tell."""
    laid = state.thrown if thrown else state.played
    laid[seat * records.KINDS + kind] = min(laid[seat * records.KINDS + kind] + 1, OFTEN)
    held = size(state.hands[seat])
    for viewer in range(setup.seats):
        if viewer != seat:
            least, most = state.fresh_least[viewer], state.fresh_most[viewer]
            place = viewer * records.MOST_SEATS + seat
            unseen = _unseen(setup, state, viewer, kind)
            can_be_old = unseen > records.number_of(least, kind) and held > state.held_least[place]
            if records.number_of(most, kind) and state.held_most[place]:
                state.fresh_least[viewer] = _less(least, kind)
                state.held_least[place] = max(state.held_least[place] - 1, 0)
                if not can_be_old:
                    most = records.without_card(most, kind)
                    state.held_most[place] -= 1
            if records.number_of(most, kind) == unseen:
                most = records.without_card(most, kind)
            state.fresh_most[viewer] = most
            state.held_most[place] = min(state.held_most[place], held - 1)


@compiled
def _unseen(setup: Record, state: Record, viewer: Int, kind: Int) -> Int:
    """How many of a kind a seat cannot see."""
    number = records.number_of(state.pile, kind)
    if state.phase != records.OVER:
        for seat in range(setup.seats):
            if seat != viewer:
                number += records.number_of(state.hands[seat], kind)
    return number


# --- What a seat knows -----------------------------------------------------------------------


@compiled
def observe(
    setup: Record, state: Record, seat: Int, features: Array, lane: Int, lanes: Int
) -> None:
    """The table, and what this seat remembers; lanes share the kinds of card and the seats.

    Once the game is over all hands are open (MB-73).
    """
    observe_table(setup, state, seat, features, lane, lanes)
    begin = at_fields(setup) + _ON_FIELDS * setup.fields
    is_over = state.phase == records.OVER
    kind = lane
    while kind < records.KINDS:
        unseen = _unseen(setup, state, seat, kind)
        least, most = (
            records.number_of(state.fresh_least[seat], kind),
            records.number_of(state.fresh_most[seat], kind),
        )
        features[begin + AT.unseen + kind] = unseen
        features[begin + AT.fresh_least + kind] = unseen if is_over else least
        features[begin + AT.fresh_most + kind] = unseen if is_over else most
        kind += lanes
    if lane == 0:
        features[begin + AT.shuffles] = state.shuffles
    step = lane
    while step < setup.seats:
        other = seat + step if seat + step < setup.seats else seat + step - setup.seats
        place = seat * records.MOST_SEATS + other
        if not is_over:
            features[begin + AT.held_least + step] = state.held_least[place]
            features[begin + AT.held_most + step] = state.held_most[place]
        if state.drew[other] >= 0:
            features[begin + AT.drew + step] = min(state.turns - state.drew[other] + 1, LONGEST)
        for each in range(records.KINDS):
            at = step * records.KINDS + each
            features[begin + AT.played + at] = state.played[other * records.KINDS + each]
            features[begin + AT.thrown + at] = state.thrown[other * records.KINDS + each]
        step += lanes


# --- In Python -------------------------------------------------------------------------------


class _Recalled:
    """What a seat remembers, event by event."""

    def __init__(self, seats: int, seat: Seat, deck: Hand) -> None:
        """All cards are in the pile."""
        self.seat = seat
        self.unseen = Counter(deck)
        self.out = Counter[Card]()
        """What was laid down since the last shuffle."""
        self.fresh = {card: (self.unseen[card], self.unseen[card]) for card in CARDS}
        self.held = [(0, 0)] * seats
        self.counts = [0] * seats
        self.turns = self.shuffles = 0
        self.drew: list[int | None] = [None] * seats
        self.played = [Counter[Card]() for _ in range(seats)]
        self.thrown = [Counter[Card]() for _ in range(seats)]

    def follow(self, event: Event) -> None:
        """Remember this too."""
        match event:
            case Drawn(seat=seat, card=card):
                self._draw(seat, card)
            case Played(seat=seat, card=card):
                self.played[seat][card] += 1
                self._lay_down(seat, card)
            case Discarded(seat=seat, card=card) | Swapped(seat=seat, card=card):
                self.thrown[seat][card] += 1
                self._lay_down(seat, card)
            case Reshuffled():
                self.shuffles += 1
                self.unseen += self.out
                self.fresh = {card: (self.out[card], self.out[card]) for card in CARDS}
                self.held = [(0, 0)] * len(self.held)
                self.out.clear()
            case TurnPassed():
                self.turns += 1
            case _:
                pass

    def _draw(self, seat: Seat, card: Card | None) -> None:
        self.drew[seat] = self.turns
        self.counts[seat] += 1
        if card is None:
            self.held[seat] = self.held[seat][0] + 1, self.held[seat][1] + 1
        else:
            self.unseen[card] -= 1
            self.fresh[card] = max(self.fresh[card][0] - 1, 0), self.fresh[card][1] - 1

    def _lay_down(self, seat: Seat, card: Card) -> None:
        self.out[card] += 1
        self.counts[seat] -= 1
        if seat == self.seat:
            return
        (least, most), (held_least, held_most) = self.fresh[card], self.held[seat]
        self.unseen[card] -= 1
        left, count = self.unseen[card], self.counts[seat]
        possible: list[tuple[int, int]] = []
        """The numbers of fresh cards of this kind and in this hand, at each extreme."""
        if least <= left and held_least <= count:  # it can have been an old one
            possible += [(least, held_least), (min(most, left), min(held_most, count))]
        if most and held_most:  # it can have been a fresh one
            possible += [(max(least - 1, 0), max(held_least - 1, 0)), (most - 1, held_most - 1)]
        fresh, held = zip(*possible, strict=True)
        self.fresh[card] = min(fresh), max(fresh)
        self.held[seat] = min(held), max(held)


def remembered(setup: Setup[Options], sight: Sight[Action, Event, View], /) -> Sequence[int]:
    """What `observe` writes, from what a seat was told."""
    view = sight.view
    recalled = _Recalled(setup.seats, sight.seat, deck_of(setup.options))
    for event in sight.told:
        recalled.follow(event)
    clockwise = [(sight.seat + step) % setup.seats for step in range(setup.seats)]
    unseen, fresh, held = recalled.unseen, recalled.fresh, recalled.held
    if view.task is Task.NOTHING:
        unseen = unseen - Counter(card for seat in clockwise[1:] for card in view.hands[seat] or ())
        fresh = {card: (unseen[card], unseen[card]) for card in CARDS}
        held = [(0, 0)] * setup.seats
    drew = [recalled.drew[seat] for seat in clockwise]
    parts: dict[str, list[int]] = {
        "unseen": [unseen[card] for card in CARDS],
        "fresh_least": [fresh[card][0] for card in CARDS],
        "fresh_most": [fresh[card][1] for card in CARDS],
        "held_least": [held[seat][0] for seat in clockwise],
        "held_most": [held[seat][1] for seat in clockwise],
        "shuffles": [min(recalled.shuffles, MOST_SHUFFLES)],
        "drew": [0 if turn is None else min(view.turns - turn + 1, LONGEST) for turn in drew],
        "played": [min(recalled.played[s][card], OFTEN) for s in clockwise for card in CARDS],
        "thrown": [min(recalled.thrown[s][card], OFTEN) for s in clockwise for card in CARDS],
    }
    return OBSERVATION.joined(setup, {**observation.parts_of(setup, view), **parts})
