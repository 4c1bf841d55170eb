"""How long a study takes: 100,000 uniform games and 1,000 greedy ones of each game.

    python -m bench.study [game ...]

Needs the extra `kernels`. Games are played as by the command: with all counts, in one process per
core, and without compiling in advance, except what is cached from an earlier run. Luck is left out.
"""

import os
import sys
import time

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.lab.study.plan import run_study

MANY = {"uniform": 100_000, "greedy": 1_000}


def main(names: list[str]) -> None:
    """One line for each game and bot."""
    cores = len(os.sched_getaffinity(0))
    for name in names or GAMES:
        game = GAMES[name]
        setup = Setup(game.SEATS[1], game.OPTIONS())
        for bot, games in MANY.items():
            begun = time.perf_counter()
            run_study(name, [setup], bots=[bot], games=games, seed=1, processes_at_once=cores)
            took = time.perf_counter() - begun
            sys.stdout.write(
                f"{name}, {setup.seats} seats, {bot}: {games:,} games in {took:.0f} s "
                f"on {cores} cores, {games / took:,.0f} a second\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
