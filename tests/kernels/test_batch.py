"""Whole games by chance: the same games however they are played."""

import subprocess
import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Setup, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import KERNELS, chance
from mauerwerk.kernels.play.batch import run


def played_by_the_rules(game: AnyGame, setup: Setup[Any], seed: int, number: int) -> Any:  # noqa: ANN401
    """The game of this number as the rules play it, with the same tickets; its outcome."""
    state: Any = game.start(setup)
    decision = 0
    while asked := game.to_act(state):
        seat = asked[0]

        def draw(bound: int, decision: int = decision) -> int:
            return int(chance.below(np.uint64(seed), number, decision, bound))

        if seat == NATURE:
            action = draw_lot(game.odds(state), draw)
        else:
            legal = game.legal(state, seat)
            action = legal[draw(len(legal))]
        state = game.apply(state, seat, action).state
        decision += 1
    return game.outcome(state), decision, game.turn(state)


@pytest.mark.parametrize("name", KERNELS)
def test_a_batch_plays_by_the_rules(name: str) -> None:
    """With the same tickets the rules come to the same outcomes."""
    game = GAMES[name]
    setup = Setup(game.SEATS[-1], game.OPTIONS())
    played = run(game, setup, games=3, seed=11, first=5)

    for place in range(3):
        outcome, decisions, turns = played_by_the_rules(game, setup, 11, 5 + place)
        assert tuple(played.points[place]) == outcome.points
        assert tuple(played.ranks[place]) == outcome.ranks
        assert played.reason_words[played.reasons[place]] == outcome.reason
        assert (played.decisions[place], played.turns[place]) == (decisions, turns)


@pytest.mark.parametrize("name", KERNELS)
def test_neither_threads_nor_companions_change_a_game(name: str) -> None:
    """The seed and its number alone decide a game."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())
    whole = run(game, setup, games=60, seed=2, threads=1)
    shared = run(game, setup, games=60, seed=2, threads=7)
    tail = run(game, setup, games=20, seed=2, first=40)

    for column in ("points", "ranks", "reasons", "decisions", "turns"):
        all_games: npt.NDArray[Any] = getattr(whole, column)
        assert np.array_equal(all_games, getattr(shared, column))
        assert np.array_equal(all_games[40:], getattr(tail, column))
    assert not np.array_equal(whole.points, run(game, setup, games=60, seed=3).points)


def test_what_need_not_end_is_refused() -> None:
    """With `stall=off` nobody ever need build (DM-27)."""
    endless = Setup(3, from_words(mauer.Options, {"stall": "off"}))
    with pytest.raises(SetupError, match="need not end"):
        run(mauer, endless, games=1, seed=1)


def test_importing_compiles_nothing() -> None:
    """Neither the package nor a kernel brings Numba along."""
    modules = ", ".join(["mauerwerk.kernels.search.worlds", "mauerwerk.cli", *KERNELS.values()])
    words = f"import sys, {modules}; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0  # noqa: S603
