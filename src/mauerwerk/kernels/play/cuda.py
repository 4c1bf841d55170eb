"""Kernels on a GPU, with numba-cuda (extra `cuda`): one game per thread.

What runs there is compiled from the same source as on the CPU. A state that a thread plays a whole
game in is its own local memory, which the GPU lays out so that neighbours read side by side.
"""

from importlib import import_module
from typing import Any, Final, Literal

import numpy as np

from mauerwerk.core.errors import SetupError
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.contract import STATE_TYPE, Array, Int, launched
from mauerwerk.kernels.play.loop import play_games
from mauerwerk.kernels.play.stepping import Games, choose_at, look_at, refused_at, reset_at, step_at

# numba-cuda 0.30 names what NumPy 2.5 no longer has.
if not hasattr(np, "row_stack"):
    setattr(np, "row_stack", np.vstack)  # noqa: B010 - type checkers do not know it any more

cuda: Any = import_module("numba.cuda")

# A small batch is small on purpose, so that warnings at each launch would not help.
import_module("numba.cuda.dispatcher").config.CUDA_LOW_OCCUPANCY_WARNINGS = False

HERE: Final = "mauerwerk.kernels.play.cuda"

THREADS_A_BLOCK: Final = 128
BLOCKS_A_PROCESSOR: Final = 16
"""The number of threads that a multiprocessor can hold; no more are started than are needed."""


# --- What a GPU runs -------------------------------------------------------------------------


@launched
def play_on_gpu(setups: Array, results: Array, seed: Int, first: Int) -> None:
    """Every thread plays the game of its place, and then those one grid further on."""
    states = cuda.local.array(1, STATE_TYPE)
    play_games(setups[0], states[0], results, seed, first, cuda.grid(1), cuda.gridsize(1))


@launched
def reset_on_gpu(games: Games, seed: Int) -> None:
    """One game per thread: begin it."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        reset_at(games, seed, place)


@launched
def step_on_gpu(games: Games, seed: Int) -> None:
    """One game per thread: take a step."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        step_at(games, seed, place)


@launched
def choose_on_gpu(games: Games, seed: Int) -> None:
    """One game per thread: choose by chance."""
    place = cuda.grid(1)
    if place < games.states.shape[0]:
        choose_at(games, seed, place)


@launched
def refuse_on_gpu(games: Games, refused: Array) -> None:
    """One game per thread: find the first place with an illegal action."""
    place = cuda.grid(1)
    if place < games.states.shape[0] and refused_at(games, place):
        cuda.atomic.min(refused, 0, place)


@launched
def look_on_gpu(games: Games) -> None:
    """One seat per thread: write its legal actions and what it sees."""
    seats = games.to_act.shape[1]
    place = cuda.grid(1)
    if place < games.states.shape[0] * seats:
        look_at(games, place // seats, place % seats)


# --- On the host -----------------------------------------------------------------------------


def check_gpu() -> None:
    """Refuse to continue without a GPU."""
    if not cuda.is_available():
        raise SetupError("there is no GPU here that numba-cuda can use")


def play(name: str, agreed: Array, results: Array, key: np.uint64, first: int) -> None:
    """Play as many games as there is room for results."""
    played = cuda.device_array(results.shape, results.dtype)
    play_there(name, cuda.to_device(agreed), played, key, first)
    played.copy_to_host(results)


def play_there(name: str, agreed: Array, results: Array, key: np.uint64, first: int) -> None:
    """The same with setup and results on the GPU; does not wait for the end."""
    if len(results):
        processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        blocks = min(_blocks(len(results)), BLOCKS_A_PROCESSOR * processors)
        entry = compiler_for(name, "cuda").entry(HERE, "play_on_gpu")
        entry[blocks, THREADS_A_BLOCK](agreed, results, key, first)


def _blocks(threads: int) -> int:
    return -(-threads // THREADS_A_BLOCK)


class Hand:
    """A GPU that does the work of a `Batch`; its arrays have the CUDA array interface."""

    def __init__(self, name: str) -> None:
        """Find the functions; each is compiled when it is first launched."""
        self._compiler = compiler_for(name, "cuda")
        self._refused = cuda.to_device(np.zeros(1, np.int64))

    def zeros(self, shape: tuple[int, ...], kind: Any, /) -> Array:  # noqa: ANN401 - a dtype
        """An array on the GPU."""
        return cuda.to_device(np.zeros(shape, kind))

    def on_device(self, array: Array, /) -> Array:
        """A copy on the GPU."""
        return cuda.to_device(array)

    def call(self, name: Literal["reset", "step", "choose"], games: Games, key: np.uint64) -> None:
        """Do this in all games; does not wait for the end."""
        self._launch(f"{name}_on_gpu", len(games.states), games, key)
        if name != "choose":
            self._launch("look_on_gpu", games.to_act.size, games)

    def refused(self, games: Games) -> int:
        """The first place with an action that is not allowed; -1 without one. Waits for it."""
        none = len(games.states)
        self._refused[0] = none
        self._launch("refuse_on_gpu", none, games, self._refused)
        place = int(self._refused.copy_to_host()[0])
        return -1 if place == none else place

    def _launch(self, name: str, threads: int, *given: Any) -> None:  # noqa: ANN401 - arrays
        self._compiler.entry(HERE, name)[_blocks(threads), THREADS_A_BLOCK](*given)
