"""Compares rules and kernels until it is stopped, or something differs.

    python -m mauerwerk.kernels.checking.fuzz [game ...] [--decisions N] [--seed N]

A difference is printed as a record that leads to it, with the seed of its game.
"""

import argparse
import random
import secrets
import sys
import time
from collections.abc import Sequence
from typing import Final

from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.checking.compare import DifferenceError, compare, compare_memory

SECONDS_BETWEEN: Final = 5.0
"""Seconds between two lines about progress."""
GAMES_BETWEEN: Final = 8
"""What kernels remember is compared in one game out of this many, because it is slow."""


def main(words: Sequence[str] | None = None) -> int:
    """Compare game after game, in turns; exit code 1 where something differs."""
    given = _parser().parse_args(words)
    names: list[str] = given.games or list(KERNELS)
    decisions = dict.fromkeys(names, 0)
    played = dict.fromkeys(names, 0)
    number, last = 0, time.monotonic()
    try:
        while min(decisions.values()) < given.decisions:
            name = min(names, key=decisions.__getitem__)
            seed = f"{given.seed}/{name}/{number}"
            draw = random.Random(seed).randrange  # noqa: S311 - not a secret
            try:
                decisions[name] += compare(GAMES[name], kernel_of(name).random_setup(draw), draw)
                if number % GAMES_BETWEEN == 0 and hasattr(kernel_of(name), "memory"):
                    compare_memory(GAMES[name], kernel_of(name).random_setup(draw), draw)
            except DifferenceError as difference:
                sys.stdout.write(f"{name} differs, seed {seed}\n{difference}\n")
                return 1
            played[name] += 1
            number += 1
            if time.monotonic() > last + SECONDS_BETWEEN:
                last = time.monotonic()
                _report(decisions, played)
    except KeyboardInterrupt:
        pass
    _report(decisions, played)
    return 0


def _report(decisions: dict[str, int], played: dict[str, int]) -> None:
    for name, number in decisions.items():
        sys.stdout.write(f"{name}: {number:,} decisions in {played[name]:,} games, no difference\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", choices=[*KERNELS, []], metavar="game")
    parser.add_argument("--decisions", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="default: any")
    return parser


if __name__ == "__main__":
    sys.exit(main())
