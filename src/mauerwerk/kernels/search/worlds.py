"""Sampled worlds: what a seat cannot see is filled in many times, and each world played out.

    states = determinize(game, setup, state, seat, belief, worlds=1_000, seed=1)
    move(game, setup, states, seat, action)
    played = finish(game, setup, states, seed=2)

States are arrays of the kernel's records; `states.copy()` keeps them for another action.
"""

from typing import Any

import numpy as np

from mauerwerk.core.game import AnyGame, Seat, Setup
from mauerwerk.kernels import kernel_of, pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import functions_for, usual_device
from mauerwerk.kernels.contract import Array, GameBelief, GameState
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.batch import Played, played_of


def packed(game: AnyGame, setup: Setup[Any], state: GameState, copies: int = 1) -> Array:
    """A state of the rules as records."""
    kernel: Any = kernel_of(game.NAME)
    states = np.zeros(copies, kernel.STATE)
    if copies:
        kernel.pack(setup, state, states[0])
        states[1:] = states[0]
    return states


def determinize(
    game: AnyGame,
    setup: Setup[Any],
    state: GameState,
    seat: Seat,
    belief: GameBelief,
    *,
    worlds: int,
    seed: int,
    first: int = 0,
) -> Array:
    """This many samples of the game as this seat may take it to be by this belief.

    The state may be any that looks to the seat just as the table does, such as one that the game's
    `beliefs.sample` made. A world depends on the seed and its number, counted from `first`.
    """
    kernel: Any = kernel_of(game.NAME)
    states = packed(game, setup, state, worlds)
    entry = functions_for(game.NAME, usual_device()).entry(stepping.determinize)
    believed = kernel.pack_belief(setup, belief)
    entry(pack_setup(game, setup), states, seat, believed, key_of(seed), first)
    return states


def move(game: AnyGame, setup: Setup[Any], states: Array, seat: Seat, number: int) -> None:
    """Make the move with this number in all of them. Raises ValueError where one forbids it."""
    entry = functions_for(game.NAME, usual_device()).entry(stepping.move_all)
    place = entry(pack_setup(game, setup), states, seat, number)
    if place >= 0:
        raise ValueError(f"seat {seat} may not do {number} in place {place}")


def finish(game: AnyGame, setup: Setup[Any], states: Array, seed: int, *, first: int = 0) -> Played:
    """Play all of them out by uniform chance; afterwards each is over."""
    results = np.zeros(len(states), stepping.RESULT)
    entry = functions_for(game.NAME, usual_device()).entry(stepping.finish)
    entry(pack_setup(game, setup), states, results, key_of(seed), first)
    return played_of(game, setup, results)
