"""The speed of kernels on this machine, or on its GPU."""

import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from mauerwerk.core.game import AnyGame, Setup, Value
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import pack_setup
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compiler import Device
from mauerwerk.kernels.contract import Array
from mauerwerk.kernels.observation import Form
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.stepping import RESULT

LOOP_SIZES: Final = (1 << 14, 1 << 17, 1 << 20, 1 << 23)
STEP_SIZES: Final = (1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20)
"""How many games at once on a GPU."""
COUNTED: Final = 1 << 14
"""How many games at most are followed to count decisions; with more of them, the mean is taken."""
STEPS: Final = 200
OPTIONS: Final = {"burgbaumeister": {"variant": "yes"}}
"""The options with which a game is measured, if not the usual ones."""


def setup_of(name: str) -> Setup[Any]:
    """The setup that is measured: four seats, with `OPTIONS`."""
    return Setup(4, from_words(GAMES[name].OPTIONS, OPTIONS.get(name, {})))


class Timing(Value):
    """One measurement: what was done, with how many games at once, and the rates per second."""

    what: str
    at_once: int
    games: float
    decisions: float
    """Players' and nature's."""
    steps: float = 0.0
    """Those of single games, where they are played stepwise."""


def loop_on_gpu(game: AnyGame, setup: Setup[Any], games: int, seconds: float) -> Timing:
    """Whole games, one per thread."""
    ours: Any = import_module("mauerwerk.kernels.play.cuda")
    ours.check_gpu()
    cuda: Any = import_module("numba.cuda")
    packed_setup = cuda.to_device(pack_setup(game, setup))
    results = cuda.to_device(np.zeros(games, RESULT))

    def play() -> None:
        ours.play_there(game.NAME, packed_setup, results, key_of(1), 0)
        cuda.synchronize()

    play()
    decisions = int(results.copy_to_host()["decisions"].sum())

    def work() -> tuple[int, int]:
        play()  # the same games again, so that nothing need be fetched to be counted
        return games, decisions

    return _timed("loop, one GPU", games, work, seconds)


def stepwise(  # noqa: PLR0913 - how a batch is played
    game: AnyGame,
    setup: Setup[Any],
    size: int,
    device: Device,
    threads: int = 1,
    *,
    seconds: float = 2.0,
    packed: bool = False,
    form: Form = "int16",
) -> Timing:
    """Uniform play with masks and observations, of all seats or of those that are to act."""
    games, decisions = _counted(game.NAME, setup, min(size, COUNTED), device)
    batch = Batch(game, setup, size, 1, device, threads=threads, packed=packed, form=form)

    def work() -> tuple[int, int]:
        batch.reset(1)  # the same steps again, so that nothing need be fetched to be counted
        for _ in range(STEPS):
            batch.choose()
            batch.step(checked=device == "cpu")
        _to_host(batch.done)
        return games * size // min(size, COUNTED), decisions * size // min(size, COUNTED)

    where = "one GPU" if device == "cuda" else _cores(threads)
    whose = "masks and observations" + " of those to act" * packed
    what = f"stepwise, {whose}{'' if form == 'int16' else f', {form}'}, {where}"
    timing = _timed(what, size, work, seconds)
    share = timing.decisions / (decisions * size / min(size, COUNTED))
    return replace(timing, steps=share * STEPS * size)


@cache
def _counted(name: str, setup: Setup[Any], size: int, device: Device) -> tuple[int, int]:
    """How many games end, and how many decisions are made, in all steps."""
    batch = Batch(GAMES[name], setup, size, 1, device, observe=False)
    games, decisions = zip(*(_step(batch) for _ in range(STEPS)), strict=True)
    return sum(games), sum(decisions)


def _step(batch: Batch) -> tuple[int, int]:
    """A step; how many games it ended, and how many decisions were made in it."""
    before = int(_to_host(batch.decisions).sum())
    batch.choose()
    batch.step()
    ended = _to_host(batch.done)
    over = int(_to_host(batch.results)["decisions"][ended].sum())
    return int(ended.sum()), int(_to_host(batch.decisions).sum()) + over - before


def _to_host(array: Array) -> Array:
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


def _timed(what: str, at_once: int, work: Callable[[], tuple[int, int]], seconds: float) -> Timing:
    work()
    games = decisions = 0
    began = now = time.perf_counter()
    while now < began + seconds:
        more, chosen = work()
        games, decisions = games + more, decisions + chosen
        now = time.perf_counter()
    return Timing(what, at_once, games / (now - began), decisions / (now - began))


def _cores(threads: int) -> str:
    return "one core" if threads == 1 else f"{threads} cores"
