"""Whole games by uniform chance, and what is counted in them; compiled for every game.

A game is the one that `play.loop` plays with the same seed and number. `contract.counts` says what
is counted.
"""

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
    start,
    to_act,
    turn,
)
from mauerwerk.kernels.contract.counts import (
    DECISIONS,
    GAP,
    MOVES,
    POINTS,
    POINTS_BY_TURN,
    RANK,
    REASON,
    SHARED,
    SPREAD,
    TURNS,
    WHOLE_WIN,
    WIN,
    WIN_BY_TURN,
    began,
    notice,
    sum_up,
)
from mauerwerk.kernels.play.loop import first_of


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
        beginner = -1
        start(setup, state)
        seats = to_act(setup, state)
        while seats:
            seat = first_of(seats)
            ticket = below(seed, first + place, decision, count(setup, state, seat))
            action = pick(setup, state, seat, ticket)
            states[1] = states[0]
            if seat >= 0:
                row[DECISIONS + seat] += 1
                if beginner < 0:
                    beginner = began(setup, state, seat)
            apply(setup, state, seat, action)
            notice(setup, states[1], state, seat, action, notes, row)
            decision += 1
            seats = to_act(setup, state)
        row[MOVES] = decision
        count_ending(setup, state, row)
        count_order(setup, beginner, row)
        sum_up(setup, state, notes, row)


@compiled
def count_ending(setup: Record, state: Record, row: Array) -> None:
    """Count ranks, points, and how close it was. Seats that share a rank have the same points."""
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


@compiled
def count_order(setup: Record, beginner: Int, row: Array) -> None:
    """Count wins and points once more, in the order of play from the seat that began."""
    for place in range(setup.seats):
        seat = (beginner + place) % setup.seats
        row[WIN_BY_TURN + place] = row[WIN + seat]
        row[POINTS_BY_TURN + place] = row[POINTS + seat]
