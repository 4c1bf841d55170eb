"""Whole games by chance with every move, for records: the same games as those of `run`.

for some in played(game, setup, games=1_000_000, seed=1):
    some.moves, some.ends, some.results
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.chance import below
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.contract import Array, Int, apply, compiled, count, pick, start, to_act, turn
from mauerwerk.kernels.play.loop import first_of, write_result
from mauerwerk.kernels.results import RESULT, key_of, prepared

MOVES: Final = "mauerwerk.kernels.play.moves"

SEAT, ACTION, TURN = range(3)
"""What a row of moves holds: who moved, the action by number, and how many turns were complete."""

AT_ONCE: Final = 2_000
"""The largest number of games that are held in memory."""
ROOM: Final = 1 << 20
"""The largest number of their moves, unless a single game has more."""


class Some(NamedTuple):
    """Some consecutive games."""

    first: int
    """The number of the first."""
    moves: Array
    ends: Array
    """Of each game, the end of its rows in `moves`."""
    results: Array


@compiled
def play(
    setups: Array, states: Array, results: Array, moves: Array, ends: Array, seed: Int, first: Int
) -> Int:
    """Play games as `loop.play` does, with every move; how many games there was room for."""
    setup, state = setups[0], states[0]
    row = 0
    for place in range(results.shape[0]):
        start(setup, state)
        decision = 0
        seats = to_act(setup, state)
        while seats:
            if row == moves.shape[0]:
                return place
            seat = first_of(seats)
            ticket = below(seed, first + place, decision, count(setup, state, seat))
            action = pick(setup, state, seat, ticket)
            moves[row, SEAT] = seat
            moves[row, ACTION] = action
            moves[row, TURN] = turn(setup, state)
            apply(setup, state, seat, action)
            row += 1
            decision += 1
            seats = to_act(setup, state)
        write_result(setup, state, decision, results[place])
        ends[place] = row
    return results.shape[0]


def played(game: AnyGame, setup: Setup[Any], games: int, seed: int) -> Iterator[Some]:
    """This many games by uniform chance, some at a time. Raises SetupError as `run` does."""
    agreed, key = prepared(game, setup), key_of(seed)
    entry = compiler_for(game.NAME, "cpu").entry(MOVES, "play")
    states = np.zeros(1, kernel_of(game.NAME).STATE)
    moves = np.zeros((ROOM, 3), np.int32)
    first = 0
    while first < games:
        number = min(AT_ONCE, games - first)
        results, ends = np.zeros(number, RESULT), np.zeros(number, np.int64)
        done = int(entry(agreed, states, results, moves, ends, key, first))
        if not done:
            moves = np.zeros((2 * len(moves), 3), np.int32)
            continue
        yield Some(first, moves[: ends[done - 1]], ends[:done], results[:done])
        first += done
