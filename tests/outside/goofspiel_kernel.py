"""Goofspiel as a small kernel: the rules on records of integers, and nothing else.

Cards and prizes are bits of a set: card 1 is bit 0. The numbers of actions are those of `choices`,
then those of `lots`: with 13 cards, bids are 0 to 12 and prizes 13 to 25. What learners see is
described by the game itself, and `observe` writes the same numbers.
"""

from typing import Any, Final

import numpy as np
from tests.outside.goofspiel import (
    GOOFSPIEL,
    MOST_CARDS,
    MOST_SEATS,
    Bidding,
    Options,
    Over,
    State,
    Table,
    Turning,
)

from mauerwerk.core.game import Setup
from mauerwerk.kernels.contract import (
    NATURE,
    NATURE_TO_ACT,
    Array,
    Int,
    Record,
    bits_of,
    compiled,
    is_to_act,
)

SETUP: Final = np.dtype([("seats", "i4"), ("cards", "i4")], align=True)
STATE: Final = np.dtype(
    [
        ("hands", "i4", (MOST_SEATS,)),
        ("scores", "i4", (MOST_SEATS,)),
        ("bids", "i4", (MOST_SEATS,)),  # 0: not yet
        ("prizes", "i4"),
        ("prize", "i4"),  # 0: about to be turned up
        ("turns", "i4"),
        ("ending", "i4"),
    ],
    align=True,
)
REASONS: Final = GOOFSPIEL.ENDINGS
AIM: Final = 1
"""Many points are good."""
AT: Final[Any] = GOOFSPIEL.observation.spec.starts()


# --- The rules, compiled -------------------------------------------------------------------------


@compiled
def start(setup: Record, state: Record) -> None:
    """Deal (GS-1)."""
    full = (1 << setup.cards) - 1
    for seat in range(MOST_SEATS):
        state.hands[seat] = full if seat < setup.seats else 0
        state.scores[seat] = 0
        state.bids[seat] = 0
    state.prizes = full
    state.prize = 0
    state.turns = 0
    state.ending = 0


@compiled
def to_act(setup: Record, state: Record) -> Int:
    """Nature, then everybody together."""
    if state.prize == 0:
        return NATURE_TO_ACT if state.prizes else 0
    waiting = 0
    for seat in range(setup.seats):
        if state.bids[seat] == 0:
            waiting |= 1 << seat
    return waiting


@compiled
def _held(state: Record, seat: Int) -> Int:
    """What a seat may do now, as a set: its cards; nature's are the prizes."""
    return state.prizes if seat == NATURE else state.hands[seat]


@compiled
def count(setup: Record, state: Record, seat: Int) -> Int:
    """How many cards there are to choose from."""
    number = 0
    for card in range(setup.cards):
        number += _held(state, seat) >> card & 1
    return number


@compiled
def pick(setup: Record, state: Record, seat: Int, ticket: Int) -> Int:
    """The card with this place."""
    first = setup.cards if seat == NATURE else 0
    for card in range(setup.cards):
        if _held(state, seat) >> card & 1:
            if ticket == 0:
                return first + card
            ticket -= 1
    return -1


@compiled
def allowed(setup: Record, state: Record, seat: Int, action: Int) -> bool:
    """Whether a seat that is asked holds the card."""
    card = action - setup.cards if seat == NATURE else action
    if card < 0 or card >= setup.cards or not is_to_act(setup, state, seat):
        return False
    return bool(_held(state, seat) >> card & 1)


@compiled
def legal(  # noqa: PLR0913, PLR0917 - as every kernel is called
    setup: Record, state: Record, seat: Int, mask: Array, lane: Int, lanes: Int
) -> None:
    """Each lane writes every so many cards."""
    if not is_to_act(setup, state, seat):
        return
    first = setup.cards if seat == NATURE else 0
    for card in range(setup.cards):
        if bits_of(lane, lanes) >> card & 1 and _held(state, seat) >> card & 1:
            mask[first + card] = 1


@compiled
def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Turn up a prize, or lay a card; with the last card the prize is given (GS-3)."""
    if seat == NATURE:
        state.prize = action - setup.cards + 1
        state.prizes &= ~(1 << action - setup.cards)
        return
    state.bids[seat] = action + 1
    best = 0
    winners = 0
    for other in range(setup.seats):
        if state.bids[other] == 0:
            return
        if state.bids[other] > best:
            best = state.bids[other]
            winners = 0
        winners += state.bids[other] == best
    for other in range(setup.seats):
        if winners == 1 and state.bids[other] == best:
            state.scores[other] += state.prize
        state.hands[other] &= ~(1 << state.bids[other] - 1)
        state.bids[other] = 0
    state.prize = 0
    state.turns += 1


@compiled
def points(setup: Record, state: Record, seat: Int) -> Int:  # noqa: ARG001 - as above
    """The points of a seat."""
    return state.scores[seat]


@compiled
def rank(setup: Record, state: Record, seat: Int) -> Int:
    """One more than the number of seats that have more."""
    better = 0
    for other in range(setup.seats):
        better += state.scores[other] > state.scores[seat]
    return better + 1


@compiled
def observe(  # noqa: PLR0913, PLR0917 - as above
    setup: Record,
    state: Record,
    seat: Int,
    features: Array,
    lane: Int,
    lanes: Int,  # noqa: ARG001 - as above
) -> None:
    """What the game's `observation` says; one lane does it all."""
    if lane:
        return
    features[AT.prize] = state.prize
    for card in range(setup.cards):
        features[AT.prizes + card] = state.prizes >> card & 1
    for step in range(setup.seats):
        other = (seat + step) % setup.seats
        features[AT.laid + step] = state.bids[other] != 0
        features[AT.scores + step] = state.scores[other]
        for card in range(setup.cards):
            features[AT.hands + step * MOST_CARDS + card] = state.hands[other] >> card & 1
    features[AT.own] = state.bids[seat]


# --- Between values and records, in Python -------------------------------------------------------


def pack_setup(setup: Setup[Options], /) -> Array:
    """The setup as an array of one record."""
    GOOFSPIEL.start(setup)
    packed = np.zeros(1, SETUP)
    packed[0] = (setup.seats, setup.options.cards)
    return packed


def max_to_act(setup: Setup[Options], /) -> int:
    """Everybody at once."""
    return setup.seats


def pack(_setup: Setup[Options], state: State, out: Record, /) -> None:
    """Write a state of the rules into a record."""
    for field in STATE.names or ():
        out[field] = 0
    table = state.table
    for seat, hand in enumerate(table.hands):
        out["hands"][seat] = _set(hand)
        out["scores"][seat] = table.scores[seat]
    out["prizes"] = _set(table.prizes)
    out["turns"] = GOOFSPIEL.turn(state)
    if isinstance(state, Bidding):
        out["prize"] = state.prize
        for seat, bid in enumerate(state.bids):
            out["bids"][seat] = bid or 0


def unpack(setup: Setup[Options], record: Record, /) -> State:
    """The state of the rules that a record stands for."""
    seats = range(setup.seats)
    table = Table(
        setup.options.cards,
        tuple(_cards(int(record["hands"][seat])) for seat in seats),
        _cards(int(record["prizes"])),
        tuple(int(record["scores"][seat]) for seat in seats),
    )
    if record["prize"]:
        bids = tuple(int(record["bids"][seat]) or None for seat in seats)
        return Bidding(table, int(record["prize"]), bids)
    return Turning(table) if table.prizes else Over(table)


def _set(cards: tuple[int, ...]) -> int:
    return sum(1 << card - 1 for card in cards)


def _cards(held: int) -> tuple[int, ...]:
    return tuple(card for card in range(1, MOST_CARDS + 1) if held >> card - 1 & 1)
