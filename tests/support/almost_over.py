"""Games that are over after one more move, so that a test sees the end arrive."""

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from mauerwerk.core.game import NATURE, Outcome, Seat, Setup, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES


class AlmostOver(NamedTuple):
    """All moves but the last, the word of the last, which the first seat makes, and its outcome."""

    moves: str
    last: str
    outcome: Outcome


def almost_over(name: str, seats: int, options: Mapping[str, str]) -> AlmostOver:
    """A game played at random; the first of many that the first seat ends and wins."""
    game = GAMES[name]
    setup: Setup[Any] = Setup(seats, from_words(game.OPTIONS, options))
    for seed in range(1_000):
        chance = random.Random(seed)
        state: Any = game.start(setup)
        moves: list[Move] = []
        while asked := game.to_act(state):
            seat = chance.choice(asked)
            if seat == NATURE:
                action = draw_lot(game.odds(state), chance.randrange)
            else:
                action = chance.choice(game.legal(state, seat))
            moves.append(Move(seat, game.write(action)))
            state = game.apply(state, seat, action).state
        outcome = game.outcome(state)
        assert outcome is not None
        if moves[-1].seat == Seat(0) and outcome.ranks[0] == 1:
            given = " ".join(str(move) for move in moves[:-1])
            return AlmostOver(given, moves[-1].word, outcome)
    raise AssertionError(f"no game of {name} ends so")
