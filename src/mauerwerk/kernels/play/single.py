"""One game, move by move: what `single_game` and adapters call, compiled for every game."""

from typing import Final

from mauerwerk.kernels.contract import (
    NATURE,
    NATURE_TO_ACT,
    Array,
    Int,
    allowed,
    apply,
    compiled,
    count,
    legal,
    observe,
    pick,
    start,
    to_act,
    turn,
)
from mauerwerk.kernels.play.loop import first_of, write_result

OVER: Final = -2
"""Instead of the seat that acts first: the game is over."""
REFUSED: Final = -3
"""The same: the move is not allowed, and nothing changed."""


@compiled
def begin(setups: Array, states: Array) -> None:
    """Lay the table of the one game in `states`."""
    start(setups[0], states[0])


@compiled
def look(setups: Array, states: Array, masks: Array, odds: Array, lanes: Int) -> Int:
    """The seats to act; writes the legal actions of each seat, and the weights of nature's."""
    setup, state = setups[0], states[0]
    for seat in range(masks.shape[0]):
        masks[seat, :] = 0
        for lane in range(lanes):
            legal(setup, state, seat, masks[seat], lane, lanes)
    for action in range(odds.shape[0]):
        odds[action] = 0
    seats = to_act(setup, state)
    if seats & NATURE_TO_ACT:
        for ticket in range(count(setup, state, NATURE)):
            odds[pick(setup, state, NATURE, ticket)] += 1
    return seats


@compiled
def pick_of(setups: Array, states: Array, seat: Int, ticket: Int) -> Int:
    """The legal action with this place; -1 where there are fewer."""
    if ticket >= count(setups[0], states[0], seat):
        return -1
    return pick(setups[0], states[0], seat, ticket)


@compiled
def move(setups: Array, states: Array, seat: Int, action: Int) -> bool:
    """Make a move if it is allowed; whether it was."""
    if not allowed(setups[0], states[0], seat, action):
        return False
    apply(setups[0], states[0], seat, action)
    return True


@compiled
def first_to_act(setups: Array, states: Array, mask: Array, odds: Array) -> Int:
    """The seat that acts first, or `OVER`; writes into zeros what it may do, or nature's weights.

    Seats that choose together answer one after the other.
    """
    setup, state = setups[0], states[0]
    seats = to_act(setup, state)
    if not seats:
        return OVER
    seat = first_of(seats)
    if seat != NATURE:
        legal(setup, state, seat, mask, 0, 1)
    else:
        for ticket in range(count(setup, state, NATURE)):
            odds[pick(setup, state, NATURE, ticket)] += 1
    return seat


@compiled
def advance(setups: Array, states: Array, seat: Int, action: Int, mask: Array, odds: Array) -> Int:
    """Make a move and answer as `first_to_act` does, or `REFUSED`."""
    if not allowed(setups[0], states[0], seat, action):
        return REFUSED
    apply(setups[0], states[0], seat, action)
    return first_to_act(setups, states, mask, odds)


@compiled
def observe_one(setups: Array, states: Array, seat: Int, features: Array) -> None:
    """Write into zeros what a seat sees."""
    observe(setups[0], states[0], seat, features, 0, 1)


@compiled
def observe_all(setups: Array, states: Array, features: Array, lanes: Int) -> None:
    """Write what every seat sees."""
    for seat in range(features.shape[0]):
        features[seat, :] = 0
        for lane in range(lanes):
            observe(setups[0], states[0], seat, features[seat], lane, lanes)


@compiled
def result_of(setups: Array, states: Array, results: Array) -> None:
    """Write down how the game ended, or how many turns it has taken so far."""
    if to_act(setups[0], states[0]):
        results[0].turns = turn(setups[0], states[0])
    else:
        write_result(setups[0], states[0], 0, results[0])
