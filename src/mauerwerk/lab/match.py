"""One game between bots, and many, each repeatable by its seed."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mauerwerk.bots import BOTS
from mauerwerk.bots.bot import Bot
from mauerwerk.core.game import (
    NATURE,
    AnyGame,
    Draw,
    Outcome,
    Seat,
    Setup,
    SetupError,
    Step,
    Value,
    draw_lot,
)
from mauerwerk.core.record import Move, Record
from mauerwerk.core.sight import Watch


def play(
    game: AnyGame, setup: Setup[Any], bots: Sequence[Bot], nature: Draw
) -> Iterator[tuple[Move, Step[Any, Any]]]:
    """Play a game to its end, move by move: a bot a seat, and chance from `nature`.

    Each bot is given its sight and nothing else. Who choose together are asked one after the other,
    and none is shown what another chose.
    """
    state = game.start(setup)
    watches = [Watch(game, Seat(seat)) for seat in range(setup.seats)]
    while asked := game.to_act(state):
        seat = asked[0]
        if seat == NATURE:
            action = draw_lot(game.odds(state), nature)
        else:
            action = bots[seat].act(watches[seat].sight(state))
        step = game.apply(state, seat, action)
        for watch in watches:
            watch.follow(step)
        yield Move(seat, game.write(action)), step
        state = step.state


class Played(Value):
    """A game that bots have finished."""

    record: Record
    outcome: Outcome
    turns: int


def simulate(
    game: AnyGame, setup: Setup[Any], bots: Sequence[str], games: int, seed: int
) -> Iterator[Played]:
    """Play many games between the bots of these names, a seat each.

    The seed and its number alone decide a game: the tenth of a hundred is the tenth of ten.
    """
    if not game.must_end(setup):
        raise SetupError(f"{game.NAME} with these options need not end, so nobody simulates it")
    return (_play_out(game, setup, bots, seed, number) for number in range(games))


def _play_out(
    game: AnyGame, setup: Setup[Any], bots: Sequence[str], seed: int, number: int
) -> Played:
    players = [BOTS[name](game, chance(seed, number, str(seat))) for seat, name in enumerate(bots)]
    state: Any = game.start(setup)
    moves: list[Move] = []
    for move, step in play(game, setup, players, chance(seed, number, "nature")):
        moves.append(move)
        state = step.state
    outcome = game.outcome(state)
    assert outcome is not None
    return Played(Record(game.NAME, game.RULES, setup, tuple(moves)), outcome, game.turn(state))


def chance(seed: int, number: int, whose: str) -> Draw:
    """A source of chance of its own for each game and each who draws."""
    source: Callable[[int], int] = random.Random(f"{seed}/{number}/{whose}").randrange  # noqa: S311
    return source
