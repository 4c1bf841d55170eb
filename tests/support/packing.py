"""Positions of random games, packed for a search elsewhere; also where NumPy is missing."""

import json
from random import Random
from typing import Any

from mauerwerk.core.game import NATURE, AnyGame, Chance, Observer, Seat, Setup, Sight, draw_lot
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.search.packed import packed_request
from mauerwerk.kernels.search.search import Settings, can_recall


def position(
    game: AnyGame, setup: Setup[Any], draw: Chance, moves: int
) -> tuple[Any, Sight[Any, Any, Any]]:
    """A state after at least so many random moves in which seat 1 is to act, and what it knows.

    If the game ends before, its last state.
    """
    observer = Observer(game, Seat(1))
    state: Any = game.start(setup)
    made = 0
    while (asked := game.to_act(state)) and (made < moves or Seat(1) not in asked):
        if asked[0] == NATURE:
            action = draw_lot(game.odds(state), draw)
        else:
            action = game.legal(state, asked[0])[draw(len(game.legal(state, asked[0])))]
        step = game.apply(state, asked[0], action)
        observer.follow(step)
        state, made = step.state, made + 1
    return state, observer.sight(state)


def packed_positions(number: int) -> list[str]:
    """So many random positions of each game with random options, packed, as JSON."""
    packed: list[str] = []
    for name in KERNELS:
        game, draw = GAMES[name], Random(name).randrange
        for place in range(number):
            setup = kernel_of(name).random_setup(draw)
            state, sight = position(game, setup, draw, 3 * place)
            belief = game.beliefs.believe(sight)
            for remembers in {False, can_recall(game)}:
                request = packed_request(
                    game, setup, Settings(), state, Seat(1), belief, 2**64 + place,
                    told=sight.told, remembers=remembers,
                )  # fmt: skip
                packed.append(json.dumps(request, default=bytes.hex))
    return packed
