"""Statistics of uniform games at the speed of compiled code, for `lab.study`.

There is a row for each game and a column for each count; the game's room in `lab.study` says what
they mean, and counts the same in games that are played by the rules. A row depends on the seed and
the number of the game alone, so that games can be counted in any parts and any order.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import joined, kernel_of
from mauerwerk.kernels.compiler import Compiler
from mauerwerk.kernels.contract.counts import MOST_REASONS, MOST_SEATS, NOTES, OWN
from mauerwerk.kernels.results import key_of, prepared

LOOP: Final = "mauerwerk.kernels.counting.loop"

BY_SEAT: Final = ("win", "rank", "points", "decisions", "win-by-turn", "points-by-turn")
ALONE: Final = ("moves", "turns", "shared", "gap", "spread")

MOST_IN_A_PIECE: Final = 1 << 9
"""The number of games that a thread takes at a time."""


class Counted(NamedTuple):
    """A table with a row for each game, and the names of its columns."""

    columns: tuple[str, ...]
    table: npt.NDArray[np.int64]


class CountingCompiler(Compiler):
    """A compiler whose kernel has the slots of `contract.counts` too."""

    def __init__(self, game: str) -> None:
        """For the CPU."""
        super().__init__(game, "cpu")
        self.kernel = joined(self.kernel, self.kernel.counts)


@cache
def counting_compiler(game: str) -> Compiler:
    """The one compiler of this game that can count."""
    return CountingCompiler(game)


def counts(
    game: AnyGame, setup: Setup[Any], seed: int, numbers: range, *, threads: int = 1
) -> Counted:
    """Play these games by uniform chance, and count.

    They are the games that `batch.run` plays with this seed, by number. Raises SetupError where no
    kernel can play such a game.
    """
    if numbers.step != 1:
        raise ValueError(f"games are counted one after the other, not {numbers}")
    agreed = prepared(game, setup)
    names = places(game, setup)
    rows = np.zeros((len(numbers), len(names)), np.int64)
    count_games = counting_compiler(game.NAME).entry(LOOP, "count_games")
    state_type, key = kernel_of(game.NAME).STATE, key_of(seed)

    def count_piece(begin: int, end: int) -> None:
        states, notes = np.zeros(2, state_type), np.zeros(NOTES, np.int64)
        count_games(agreed, states, notes, rows[begin:end], key, numbers.start + begin)

    count_piece(0, 0)  # compiles, where it has to, once and not in every thread
    begins = range(0, len(numbers), MOST_IN_A_PIECE)
    ends = [min(begin + MOST_IN_A_PIECE, len(numbers)) for begin in begins]
    if threads == 1:
        count_piece(0, len(numbers))
    else:
        with ThreadPoolExecutor(threads) as pool:
            for _ in pool.map(count_piece, begins, ends):
                pass
    there = [place for place, name in enumerate(names) if name]
    return Counted(tuple(names[place] for place in there), rows[:, there])


def places(game: AnyGame, setup: Setup[Any]) -> list[str]:
    """The name of each place in a row; empty where such a game has nothing to count."""
    reasons = kernel_of(game.NAME).REASONS
    names = [
        *(
            f"{stem}/{seat}" if seat < setup.seats else ""
            for stem in BY_SEAT
            for seat in range(MOST_SEATS)
        ),
        *ALONE,
        *(f"reason/{reason}" for reason in reasons),
        *[""] * (MOST_REASONS - len(reasons)),
    ]
    assert len(names) == OWN
    return [*names, *kernel_of(game.NAME).counts.names(setup)]
