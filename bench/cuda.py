"""Kernels on a GPU: checks that it plays the same games as the CPU, and measures its speed.

    python -m bench.cuda [seconds [game …]]

Needs the extra `cuda` and a GPU. Prints the page `bench/results-cuda.md`.
"""

import random
import sys
import time
from importlib import import_module, metadata
from typing import Any

import numpy as np
from bench.timing import LOOP_SIZES, STEP_SIZES, loop_on_gpu, setup_of, stepwise

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.compiler import DEVICES
from mauerwerk.kernels.observation import Form, spec_of
from mauerwerk.kernels.play.batch import Batch, run

HEAD = """\
# Benchmarks of kernels on a GPU

`python -m bench.cuda > bench/results-cuda.md` writes this page on a machine with a GPU. The games
have four seats and uniform play; a decision is a choice of a player or of nature. Before anything
is timed, the GPU plays the same games as the CPU, and every result must be equal.

Stepwise, a step of a game is the choices of all seats that are to act, then nature's moves, then
the masks and observations of all four seats, or of those that are to act then. The floor is the
time in which the GPU can write the masks and observations of one step and do nothing else, by the
bandwidth of a copy within its memory. `share` is the number of steps as a share of those that the
floor allows.
"""

BEFORE = {"mauer": 223_092_193, "burgbaumeister": 31_017_945, "mauerbauer": 11_072_054}
"""Decisions a second, stepwise with masks and observations of all seats, on an H200 until now."""

SETUPS = 12
COLUMNS = ("points", "ranks", "reasons", "decisions", "turns")
LEARNERS = ("to_act", "masks", "observations", "rewards", "done", "numbers", "decisions")


def check_runs(game: AnyGame) -> int:
    """Compare whole games with many setups; return the number of decisions compared."""
    draw = random.Random(game.NAME).randrange  # noqa: S311 - not a secret
    decisions = 0
    for seed in range(SETUPS):
        setup = kernel_of(game.NAME).random_setup(draw)
        here = run(game, setup, 500, seed)
        there = run(game, setup, 500, seed, device="cuda")
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(here, column), getattr(there, column))
        decisions += int(here.decisions.sum())
    return decisions


MODES: tuple[tuple[bool, Form], ...] = ((False, "int16"), (True, "int16"), (True, "bits"))
"""Which rows there are, and in which form."""


def check_steps(game: AnyGame, setup: Setup[Any], *, packed: bool, form: Form) -> int:
    """Compare batches on CPU and GPU after every step; return the number of steps compared."""
    here, there = (
        Batch(game, setup, 256, 7, device, packed=packed, form=form) for device in DEVICES
    )
    for _ in range(200):
        for name in LEARNERS:
            ours, theirs = getattr(here, name), getattr(there, name).copy_to_host()
            if packed and name in ("masks", "observations"):
                assert here.rows == there.rows
                ours, theirs = ours[: here.rows], theirs[: here.rows]
            np.testing.assert_array_equal(ours, theirs)
        for batch in (here, there):
            batch.choose()
            batch.step()
    return 200 * 256


def bandwidth(cuda: Any) -> float:  # noqa: ANN401 - Numba's
    """Bytes read and written a second, by a copy of 4 GB within the memory of the GPU."""
    one, other = (cuda.device_array(1 << 29, np.int64) for _ in range(2))
    times: list[float] = []
    for _ in range(10):
        began = time.perf_counter()
        other.copy_to_device(one)
        cuda.synchronize()
        times.append(time.perf_counter() - began)
    return float(2 * one.nbytes / min(times))


def write_steps(game: AnyGame, setup: Setup[Any], speed: float, seconds: float) -> None:
    """The curve of stepwise play, with the floor."""
    actions, width = len(game.choices(setup)), spec_of(game).width(setup)
    floor = speed / (setup.seats * (actions + 2 * width))
    sys.stdout.write(
        f"Until now: {BEFORE[game.NAME]:,} decisions/s with masks and observations of all seats. "
        f"A row is {actions} bytes of mask and {2 * width} of observation; the floor is "
        f"{floor:,.0f} steps/s with all four seats.\n\n"
        "| | games at once | decisions/s | steps/s | share |\n|---|---:|---:|---:|---:|\n"
    )
    for packed, form in MODES:
        for size in STEP_SIZES:
            timing = stepwise(game, setup, size, "cuda", seconds=seconds, packed=packed, form=form)
            share = "" if packed else f"{timing.steps / floor:.0%}"
            sys.stdout.write(
                f"| {game.NAME}, {timing.what} | {size:,} | {timing.decisions:,.0f} "
                f"| {timing.steps:,.0f} | {share} |\n"
            )
            sys.stdout.flush()
    sys.stdout.write("\n")


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
    speed = bandwidth(cuda)
    sys.stdout.write(f"A copy within the memory of the GPU moves {speed / 1e12:.2f} TB/s.\n\n")
    for name in sys.argv[2:] or KERNELS:
        game, setup = GAMES[name], setup_of(name)
        began = time.perf_counter()
        compared = check_runs(game)
        steps = sum(check_steps(game, setup, packed=packed, form=form) for packed, form in MODES)
        took = time.perf_counter() - began
        sys.stdout.write(
            f"## {game.TITLE}\n\n"
            f"{compared:,} decisions in whole games and {steps:,} steps are equal to the CPU's "
            f"({took:.0f} s including compilation).\n\n"
        )
        sys.stdout.write("| | games at once | games/s | decisions/s |\n|---|---:|---:|---:|\n")
        for games in LOOP_SIZES:
            timing = loop_on_gpu(game, setup, games, seconds)
            sys.stdout.write(
                f"| {name}, {timing.what} | {timing.at_once:,} "
                f"| {timing.games:,.0f} | {timing.decisions:,.0f} |\n"
            )
        sys.stdout.write("\n")
        write_steps(game, setup, speed, seconds)


if __name__ == "__main__":
    main()
