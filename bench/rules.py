"""How fast the rules are: random games through `legal` and `apply`, on one core.

    python bench/rules.py [seconds]

A fixed piece of plain Python runs in turns with each game, so that figures from different or busy
machines can be compared as ratios.
"""

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table

from mauerwerk.core.game import NATURE, AnyGame, Setup, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES

VARIANTS: dict[str, tuple[dict[str, str], ...]] = {"burgbaumeister": ({}, {"variant": "yes"})}
"""The options to measure with, if not the default."""


def game_moves(game: AnyGame, setup: Setup[Any], rng: random.Random) -> int:
    """Play one game of uniform choices; how many moves it took, nature's included."""
    state = game.start(setup)
    moves = 0
    while asked := game.to_act(state):
        seat = asked[0]
        if seat == NATURE:
            action = draw_lot(game.odds(state), rng.randrange)
        else:
            action = rng.choice(game.legal(state, seat))
        state = game.apply(state, seat, action).state
        moves += 1
    return moves


def plain_python(rng: random.Random) -> int:
    """A thousand rounds of typical interpreter work: draw, look up, build a tuple, hash it."""
    kept: dict[tuple[int, ...], int] = {}
    for number in range(1_000):
        key = tuple(sorted((number % 7, rng.randrange(7), 3)))
        kept[key] = kept.get(key, 0) + 1
    return 1_000


class Clock:
    """Times one kind of work, a slice at a time."""

    def __init__(self) -> None:
        """Start with nothing done."""
        self.rng = random.Random(1)  # noqa: S311 - not a secret
        self.done = 0
        self.took = 0.0

    def run(self, work: Callable[[random.Random], int], seconds: float) -> None:
        """Do this work for this many seconds."""
        began = time.perf_counter()
        while (now := time.perf_counter()) < began + seconds:
            self.done += work(self.rng)
        self.took += now - began

    @property
    def per_second(self) -> float:
        """How much was done per second."""
        return self.done / self.took


def measure(game: AnyGame, setup: Setup[Any], seconds: float) -> tuple[float, float]:
    """Moves per second, and as a share of what plain Python did in the slices between."""
    moves, yardstick = Clock(), Clock()
    for _ in range(10):
        moves.run(partial(game_moves, game, setup), seconds / 10)
        yardstick.run(plain_python, seconds / 40)
    return moves.per_second, moves.per_second / yardstick.per_second


def main() -> None:
    """Measure every game at every number of seats."""
    seconds = float(sys.argv[1]) if sys.argv[1:] else 2.0
    table = Table(title="Rules, uniform play, one core")
    for heading in ("game", "seats", "moves/s", "of plain Python"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for game in GAMES.values():
        for words in VARIANTS.get(game.NAME, ({},)):
            name = " ".join([game.NAME, *(f"{option}={word}" for option, word in words.items())])
            for seats in game.SEATS:
                setup = Setup(seats, from_words(game.OPTIONS, words))
                moves, share = measure(game, setup, seconds)
                table.add_row(name, str(seats), f"{moves:,.0f}", f"{share:.1%}")
    Console().print(table)


if __name__ == "__main__":
    main()
