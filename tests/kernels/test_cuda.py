"""Kernels on a GPU: the same games as on the CPU. Skipped where there is none."""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.play.batch import Batch, run


def has_gpu() -> bool:
    """Whether numba-cuda is installed and finds a GPU."""
    if find_spec("numba_cuda") is None or not os.path.exists("/dev/nvidiactl"):  # noqa: PTH110
        return False
    cuda: Any = import_module("numba.cuda")
    return bool(cuda.is_available())


pytestmark = pytest.mark.skipif(not has_gpu(), reason="needs a GPU and the extra cuda")


@pytest.mark.parametrize("name", KERNELS)
def test_a_gpu_plays_the_same_games(name: str) -> None:
    """The device decides nothing."""
    game = GAMES[name]
    setup = Setup(game.SEATS[-1], game.OPTIONS())

    here, there = (run(game, setup, 200, seed=3, device=device) for device in ("cpu", "cuda"))

    for column in ("points", "ranks", "reasons", "decisions", "turns"):
        assert np.array_equal(getattr(here, column), getattr(there, column))


@pytest.mark.parametrize("name", KERNELS)
def test_a_gpu_goes_the_same_steps(name: str) -> None:
    """And shows learners the same arrays."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    here, there = (Batch(game, setup, 32, 1, device) for device in ("cpu", "cuda"))
    for _ in range(60):
        here.choose()
        here.step()
        there.choose()
        there.step()

    for array in ("to_act", "masks", "observations", "rewards", "done", "numbers"):
        assert np.array_equal(getattr(here, array), getattr(there, array).copy_to_host())


def test_a_gpu_takes_back_what_the_last_step_said() -> None:
    """On `reset`, as the CPU does."""
    game = GAMES["mauer"]
    batch = Batch(game, Setup(3, from_words(game.OPTIONS, {"rounds": "1"})), 64, 3, "cuda")
    while not batch.done.copy_to_host().any():
        batch.choose()
        batch.step()

    batch.reset()

    assert not batch.done.copy_to_host().any()
    assert not batch.rewards.copy_to_host().any()


def test_a_gpu_refuses_what_is_not_allowed() -> None:
    """And nothing changes."""
    game = GAMES["mauer"]
    batch = Batch(game, Setup(3, game.OPTIONS()), 32, 1, "cuda")
    batch.choose()
    batch.actions[7, 0] = 29
    before = batch.states.copy_to_host().tobytes()

    with pytest.raises(ValueError, match="place 7"):
        batch.step()

    assert batch.states.copy_to_host().tobytes() == before
