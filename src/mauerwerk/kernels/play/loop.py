"""Whole games by chance, from the start or from where they are; compiled for every game.

The functions here are written once. For each game the compiler puts that game's functions where the
slots are. Python calls them with arrays; a setup is an array of one record.
"""

from mauerwerk.kernels.chance import below
from mauerwerk.kernels.contract import (
    NATURE,
    NATURE_TO_ACT,
    Array,
    Int,
    Record,
    allowed,
    apply,
    compiled,
    count,
    fill,
    pick,
    points,
    rank,
    reason,
    start,
    to_act,
    turn,
)


@compiled
def first_of(seats: Int) -> Int:
    """The first seat that is to act; several act in the order of their seats."""
    if seats & NATURE_TO_ACT:
        return NATURE
    seat = 0
    while not seats >> seat & 1:
        seat += 1
    return seat


# --- Whole games -----------------------------------------------------------------------------


@compiled
def play(setups: Array, states: Array, results: Array, seed: Int, first: Int) -> None:
    """Play as many games as there is room for results, numbered from the first, in one state."""
    play_games(setups[0], states[0], results, seed, first, 0, 1)


@compiled
def play_games(
    setup: Record,
    state: Record,
    results: Array,
    seed: Int,
    first: Int,
    place: Int,
    stride: Int,
) -> None:
    """Play by uniform chance the games whose results go to this place and every stride after it.

    One flat loop, and not a loop of games around a loop of moves: on a GPU, neighbours in lockstep
    would all wait for the longest game.
    """
    decision = 0
    if place < results.shape[0]:
        start(setup, state)
    while place < results.shape[0]:
        seats = to_act(setup, state)
        if seats:
            seat = first_of(seats)
            ticket = below(seed, first + place, decision, count(setup, state, seat))
            apply(setup, state, seat, pick(setup, state, seat, ticket))
            decision += 1
        else:
            write_result(setup, state, decision, results[place])
            place += stride
            decision = 0
            start(setup, state)


@compiled
def write_result(setup: Record, state: Record, decisions: Int, result: Record) -> None:
    """Write down how a game ended."""
    for seat in range(setup.seats):
        result.points[seat] = points(setup, state, seat)
        result.ranks[seat] = rank(setup, state, seat)
    result.reason = reason(setup, state)
    result.decisions = decisions
    result.turns = turn(setup, state)


# --- Games that are under way ----------------------------------------------------------------


@compiled
def finish(setups: Array, states: Array, results: Array, seed: Int, first: Int) -> None:
    """Play each of these games to its end by uniform chance, in its own state."""
    setup = setups[0]
    for place in range(states.shape[0]):
        decision = 0
        seats = to_act(setup, states[place])
        while seats:
            seat = first_of(seats)
            ticket = below(seed, first + place, decision, count(setup, states[place], seat))
            apply(setup, states[place], seat, pick(setup, states[place], seat, ticket))
            decision += 1
            seats = to_act(setup, states[place])
        write_result(setup, states[place], decision, results[place])


@compiled
def imagine(setups: Array, states: Array, seat: Int, belief: Array, seed: Int, first: Int) -> None:
    """In each of these games, overwrite what a seat cannot see with a sample."""
    for place in range(states.shape[0]):
        fill(setups[0], states[place], seat, belief, seed, first + place)


@compiled
def move_all(setups: Array, states: Array, seat: Int, action: Int) -> Int:
    """Make a move in each of these games; the first place where it is not allowed, or -1."""
    for place in range(states.shape[0]):
        if not allowed(setups[0], states[place], seat, action):
            return place
    for place in range(states.shape[0]):
        apply(setups[0], states[place], seat, action)
    return -1
