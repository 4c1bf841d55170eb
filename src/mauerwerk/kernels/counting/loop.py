"""Whole games by uniform chance, and what is counted in them; compiled for every game.

A game is the one that `loop` plays by the same seed and number. What is counted is a row of whole
numbers a game: first the columns that every game has, in the places below, then those of the game
itself, from `OWN` on. Each game brings a module with the slots below, and with the names of its
columns.
"""

from typing import Final

from mauerwerk.kernels.chance import below
from mauerwerk.kernels.contract import (
    Array,
    Int,
    Record,
    apply,
    compiled,
    count,
    pick,
    points,
    rank,
    reason,
    slot,
    start,
    to_act,
    turn,
)
from mauerwerk.kernels.play.loop import first_of

MOST_SEATS: Final = 6
MOST_REASONS: Final = 5

WHOLE_WIN: Final = 60
"""Who shares a win has a part of this, and with up to six it is a whole number."""

WIN: Final = 0
RANK: Final = WIN + MOST_SEATS
POINTS: Final = RANK + MOST_SEATS
DECISIONS: Final = POINTS + MOST_SEATS
MOVES: Final = DECISIONS + MOST_SEATS
TURNS: Final = MOVES + 1
SHARED: Final = MOVES + 2
GAP: Final = MOVES + 3
SPREAD: Final = MOVES + 4
REASON: Final = MOVES + 5
OWN: Final = REASON + MOST_REASONS
"""Where the columns that every game has begin, and those of the game itself."""

NOTES: Final = 4096
"""How many numbers a game can keep in mind until its end."""


@slot
def notice(
    setup: Record,
    before: Record,
    state: Record,
    seat: Int,
    action: Int,
    notes: Array,
    row: Array,
) -> None:
    """Count what a move did: the state before it, and now.

    `notes` is room to keep something in mind; its first number is 0 when a game begins.
    """
    raise NotImplementedError


@slot
def sum_up(setup: Record, state: Record, notes: Array, row: Array) -> None:
    """Count what can only be said at the end; what every game counts is in the row by then."""
    raise NotImplementedError


@compiled
def count_games(
    setups: Array, states: Array, notes: Array, rows: Array, seed: Int, first: Int
) -> None:
    """Play a game for each row, numbered from the first, and count it there.

    Rows begin with zeros. There are two states: one to play in, one to remember the last.
    """
    setup, state = setups[0], states[0]
    for place in range(rows.shape[0]):
        row = rows[place]
        notes[0] = 0
        decision = 0
        start(setup, state)
        seats = to_act(setup, state)
        while seats:
            seat = first_of(seats)
            ticket = below(seed, first + place, decision, count(setup, state, seat))
            action = pick(setup, state, seat, ticket)
            states[1] = states[0]
            apply(setup, state, seat, action)
            if seat >= 0:
                row[DECISIONS + seat] += 1
            notice(setup, states[1], state, seat, action, notes, row)
            decision += 1
            seats = to_act(setup, state)
        row[MOVES] = decision
        count_ending(setup, state, row)
        sum_up(setup, state, notes, row)


@compiled
def count_ending(setup: Record, state: Record, row: Array) -> None:
    """Ranks and points, and how close it was. Who shares a rank has the same points."""
    winners = last = 0
    best = second = worst = 0
    for seat in range(setup.seats):
        own, place = points(setup, state, seat), rank(setup, state, seat)
        row[RANK + seat] = place
        row[POINTS + seat] = own
        if place == 1:
            winners += 1
            best = own
        if place == 2:  # noqa: PLR2004 - there is one where the winner is alone
            second = own
        if place > last:
            last = place
            worst = own
    for seat in range(setup.seats):
        if row[RANK + seat] == 1:
            row[WIN + seat] = WHOLE_WIN // winners
    row[TURNS] = turn(setup, state)
    row[SHARED] = winners > 1
    row[GAP] = 0 if winners > 1 else abs(best - second)
    row[SPREAD] = abs(best - worst)
    row[REASON + reason(setup, state)] = 1
