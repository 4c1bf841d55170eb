"""Kernels on a GPU: checks that it plays the same games as the CPU, and measures its speed.

    python -m bench.cuda [seconds]

Needs the extra `cuda` and a GPU. Prints the page `bench/results-cuda.md`.
"""

import random
import sys
import time
from importlib import import_module, metadata
from typing import Any

import numpy as np

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.checking.timing import setup_of, timings
from mauerwerk.kernels.play.batch import Batch, run

HEAD = """\
# Benchmarks of kernels on a GPU

`python -m bench.cuda > bench/results-cuda.md` writes this page on a machine with a GPU. The games
have four seats, uniform play and one game per thread; a decision is a choice of a player or of
nature. Before anything is timed, the GPU plays the same games as the CPU, and every result must be
equal.
"""

SETUPS = 12
COLUMNS = ("points", "ranks", "reasons", "decisions", "turns")
LEARNERS = ("to_act", "masks", "observations", "rewards", "done", "numbers", "decisions")


def check_runs(game: AnyGame) -> int:
    """Compare whole games with many setups; return the number of decisions compared."""
    draw = random.Random(game.NAME).randrange  # noqa: S311 - not a secret
    decisions = 0
    for seed in range(SETUPS):
        setup = kernel_of(game.NAME).any_setup(draw)
        here = run(game, setup, 500, seed)
        there = run(game, setup, 500, seed, device="cuda")
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(here, column), getattr(there, column))
        decisions += int(here.decisions.sum())
    return decisions


def check_steps(game: AnyGame, setup: Setup[Any]) -> int:
    """Compare batches on CPU and GPU after every step; return the number of steps compared."""
    here, there = Batch(game, setup, 256, 7), Batch(game, setup, 256, 7, "cuda")
    for _ in range(200):
        for name in LEARNERS:
            np.testing.assert_array_equal(getattr(here, name), getattr(there, name).copy_to_host())
        for batch in (here, there):
            batch.choose()
            batch.step()
    return 200 * 256


def main() -> None:
    """Compare, then measure."""
    seconds = float(sys.argv[1]) if sys.argv[1:] else 3.0
    import_module("mauerwerk.kernels.play.cuda").check_gpu()
    cuda: Any = import_module("numba.cuda")
    named = cuda.get_current_device().name
    device = named if isinstance(named, str) else named.decode()
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("numpy", "numba", "numba-cuda")
    )
    sys.stdout.write(f"{HEAD}\n{time.strftime('%Y-%m-%d')}, {device}, {versions}\n\n")
    for name in KERNELS:
        game, setup = GAMES[name], setup_of(name)
        began = time.perf_counter()
        compared = check_runs(game)
        steps = check_steps(game, setup)
        took = time.perf_counter() - began
        sys.stdout.write(
            f"{name}: {compared:,} decisions in whole games and {steps:,} steps equal to the "
            f"CPU's, {took:.0f} s including compilation\n\n"
        )
        sys.stdout.write("| | games at once | games/s | decisions/s |\n|---|---:|---:|---:|\n")
        for timing in timings(game, setup, "cuda", seconds):
            sys.stdout.write(
                f"| {name}, {timing.what} | {timing.at_once:,} "
                f"| {timing.games:,.0f} | {timing.decisions:,.0f} |\n"
            )
        sys.stdout.write("\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
