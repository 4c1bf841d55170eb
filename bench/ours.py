"""Our contestants: rules and kernels, with uniform play."""

import random
from collections.abc import Callable
from itertools import count
from typing import Any

from bench.contest import Work

from mauerwerk.core.game import NATURE, AnyGame, Setup, draw_lot
from mauerwerk.kernels.play.batch import Batch, run


def by_rules(game: AnyGame, setup: Setup[Any]) -> Work:
    """A game through `legal` and `apply`."""
    rng = random.Random(1)  # noqa: S311 - not a secret

    def work() -> tuple[int, int]:
        state = game.start(setup)
        moves = 0
        while asked := game.to_act(state):
            seat = asked[0]
            if seat == NATURE:
                action = draw_lot(game.odds(state), rng.randrange)
            else:
                action = rng.choice(game.legal(state, seat))
            state = game.apply(state, seat, action).state
            moves += 1
        return 1, moves

    return work


def in_the_loop(
    game: AnyGame, setup: Setup[Any], games: int = 2_000, *, threads: int | None = 1
) -> Work:
    """Whole games inside the kernel."""
    numbers = count(0, games)

    def work() -> tuple[int, int]:
        played = run(game, setup, games, seed=1, first=next(numbers), threads=threads)
        return games, int(played.decisions.sum())

    return work


def stepwise(
    game: AnyGame,
    setup: Setup[Any],
    size: int = 1_024,
    **options: Any,  # noqa: ANN401 - those of `Batch`
) -> Work:
    """Step by step from Python, with masks; all seats answer at once."""
    batch = Batch(game, setup, size, seed=1, **options)
    return stepping(batch, lambda array: array)


def stepping(batch: Batch, to_host: Callable[[Any], Any], steps: int = 20) -> Work:
    """Continue a batch; the games themselves count the decisions."""

    def total() -> int:
        return int(to_host(batch.decisions).sum())

    def work() -> tuple[int, int]:
        before, games, decisions = total(), 0, 0
        for _ in range(steps):
            batch.choose()
            batch.step()
            ended = to_host(batch.done)
            games += int(ended.sum())
            decisions += int(to_host(batch.results)["decisions"][ended].sum())
        return games, decisions + total() - before

    return work
