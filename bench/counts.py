"""How fast uniform games are counted, compared with the kernel's own loop, which only plays them.

    python -m bench.counts [seconds]

Needs the extra `kernels`. All cores play uniform games with the measures of a study: `counted` is
the rows of compiled code, `tallied` is what a study adds up from them, in one process per core.
Both loops take turns, so that other load affects both of them equally. The last column is the time
for 100,000 games at that speed.
"""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from typing import Any

from bench.contest import Work, contest
from bench.ours import in_the_loop
from bench.timing import setup_of

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.counting import counts
from mauerwerk.lab.study.study import table_of, tally_table

MANY = 100_000
AT_ONCE = 4_000
IN_A_BATCH = 1_000


def counting(name: str, setup: Setup[Any], threads: int) -> Work:
    """The rows of the next few games."""
    begins = count(0, AT_ONCE)

    def work() -> tuple[int, int]:
        begin = next(begins)
        found = counts(GAMES[name], setup, 1, range(begin, begin + AT_ONCE), threads=threads)
        return AT_ONCE, int(found.table[:, found.columns.index("moves")].sum())

    return work


def tallying(name: str, setup: Setup[Any], pool: ProcessPoolExecutor) -> Work:
    """The same in batches, each added up in the process that counted it."""
    begins = count(0, AT_ONCE)

    def work() -> tuple[int, int]:
        begin = next(begins)
        batches = range(begin, begin + AT_ONCE, IN_A_BATCH)
        moves = pool.map(_moves_in, *zip(*((name, setup, each) for each in batches), strict=True))
        return AT_ONCE, sum(moves)

    return work


def _moves_in(name: str, setup: Setup[Any], begin: int) -> int:
    table = table_of(GAMES[name], setup, 1, range(begin, begin + IN_A_BATCH))
    tally = tally_table(GAMES[name], setup, table)
    return sum(value * games for value, games in tally.counts["moves"].items())


def measured(seconds: float) -> Iterator[str]:
    """A table, line by line."""
    cores = os.cpu_count() or 1
    yield f"| game, four seats, {cores} cores | played | counted | tallied | 100,000 tallied |"
    yield "|---|---:|---:|---:|---:|"
    for name in KERNELS:
        setup = setup_of(name)
        with ProcessPoolExecutor(cores) as pool:
            contenders = [
                ("played", in_the_loop(GAMES[name], setup, AT_ONCE, threads=cores)),
                ("counted", counting(name, setup, cores)),
                ("tallied", tallying(name, setup, pool)),
            ]
            speeds = [score.games for score in contest(contenders, seconds)]
        a_second = " | ".join(f"{speed:,.0f}" for speed in speeds)
        yield f"| {name} | {a_second} | {MANY / speeds[-1]:.1f} s |"


def main() -> None:
    """Print games per second."""
    for line in measured(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
