"""How long a network thinks about a position on one core, with weights drawn at random.

    python -m bench.networks [seconds]

A position is seen by the seat that is to act: its observation, both layers, the logit of each legal
action, and each seat's share in the win. Seconds are CPU seconds. The second figure is the same in
NumPy, which needs no compiler, with the observation made from the view.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from bench.search import SETUPS, somewhere
from tests.support.networks import blank, forward_all

from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of, pack_setup
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.networks.forward import inference_of
from mauerwerk.kernels.networks.network import WIDEST, Network
from mauerwerk.kernels.search.worlds import packed

GOAL = 30.0
"""Microseconds."""
MOVES = range(0, 61, 5)
"""After how many random moves each position is taken."""


def random_network(name: str, setup: Setup[Any], seed: int = 1) -> Network:
    """A network of the largest size that knows nothing."""
    draw = np.random.default_rng(seed)
    network = blank(GAMES[name], setup, WIDEST)
    for array in network.weights:
        array[...] = draw.normal(0, 0.1, array.shape)
    return network


def mean(work: Callable[[], object], positions: int, seconds: float) -> float:
    """Microseconds per position; the first call is not timed."""
    work()
    calls, began = 0, time.process_time()
    while time.process_time() < began + seconds:
        work()
        calls += 1
    return 1e6 * (time.process_time() - began) / calls / positions


def times(name: str, setup: Setup[Any], seconds: float) -> tuple[float, float]:
    """Microseconds per position, compiled and in NumPy."""
    game, kernel = GAMES[name], kernel_of(name)
    network = random_network(name, setup)
    found = [somewhere(name, setup, moves) for moves in MOVES]
    states = np.concatenate([packed(game, setup, state) for _, state in found])
    seats = np.array([sight.seat for sight, _ in found])
    logits = np.zeros((len(found), len(network.weights.policy)), np.float32)
    shares = np.zeros((len(found), 6))
    guide, packed_setup = inference_of(network), pack_setup(game, setup)
    compiled = compiler_for(name, "cpu").entry(forward_all)
    return (
        mean(
            lambda: compiled(guide, packed_setup, states, seats, logits, shares),
            len(found),
            seconds,
        ),
        mean(
            lambda: [network.forward(kernel.features(setup, sight.view)) for sight, _ in found],
            len(found),
            seconds,
        ),
    )


def main() -> None:
    """One line per setup."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    sys.stdout.write(
        "| network | µs/position | goal | µs/position in NumPy |\n|---|---:|---:|---:|\n"
    )
    for name, seats, words, _ in SETUPS:
        setup = Setup(seats, from_words(GAMES[name].OPTIONS, words))
        compiled, plain = times(name, setup, seconds)
        what = " ".join([name, str(seats), *(f"{key}={word}" for key, word in words.items())])
        sys.stdout.write(f"| {what} | {compiled:.1f} | {GOAL:.0f} | {plain:,.0f} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
