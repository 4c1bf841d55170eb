"""Stepwise play on the CPU with several threads, of all seats and of those who are to act.

    python -m bench.threads [seconds]

Prints the table of `bench/results-threads.md`.
"""

import os
import sys

from bench.timing import setup_of, stepwise

from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.observation import Form

GAMES_A_THREAD = 2_048
MODES: tuple[tuple[str, bool, Form], ...] = (
    ("all seats", False, "int16"),
    ("those to act", True, "int16"),
    ("those to act, bits", True, "bits"),
)


def main() -> None:
    """Measure, and print millions of decisions a second."""
    seconds = float(sys.argv[1]) if sys.argv[1:] else 1.0
    threads = [number for number in (1, 2, 4, 8) if number <= (os.cpu_count() or 1)]
    sys.stdout.write(f"|  | {' | '.join(map(str, threads))} |\n|---|{'---:|' * len(threads)}\n")
    for name in KERNELS:
        game, setup = GAMES[name], setup_of(name)
        for words, packed, form in MODES:
            rates = [
                stepwise(
                    game,
                    setup,
                    GAMES_A_THREAD * number,
                    "cpu",
                    number,
                    seconds=seconds,
                    packed=packed,
                    form=form,
                ).decisions
                for number in threads
            ]
            cells = " | ".join(f"{rate / 1e6:.2f}" for rate in rates)
            sys.stdout.write(f"| {name}, {words} | {cells} |\n")


if __name__ == "__main__":
    main()
