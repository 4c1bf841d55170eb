"""How long the analysis of a game takes, and how well its chances predict the winner.

    python -m bench.analysis [games]

The first table is about two-player games of Mauerbauer: a golden record, and a game between bots.
The second gives for each part of a game the logarithmic loss of the chances, and the loss of equal
chances for all seats; lower is better. It uses the given number of games between greedy bots, other
games than those that the parameters were fitted to.
"""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Setup
from mauerwerk.core.record import Record
from mauerwerk.games import GAMES, mauerbauer
from mauerwerk.lab.analysis import AnalysedPosition, analyse
from mauerwerk.lab.analysis.positions import Effort, Efforts, situations
from mauerwerk.lab.analysis.results import result_of
from mauerwerk.lab.analysis.worker import AnalysisWorker, Assignment
from mauerwerk.lab.match.match import play_number

GOLDEN = Path(__file__).parent.parent / "tests/records/golden/mauerbauer-1"
JOBS = 2
SIMULATIONS = 300
PARTS = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
SEED = 2026
SETUPS = (("mauer", 3), ("mauer", 4), ("burgbaumeister", 2), ("mauerbauer", 2), ("mauerbauer", 4))
LEAST_CHANCE = 1e-3


def played(game: AnyGame, setup: Setup[Any], bots: Sequence[str], number: int) -> Record:
    """A game between these bots."""
    return play_number(game, setup, bots, SEED, number).record


def longest() -> Record:
    """The two-player golden record with the most moves."""
    papers = (path.read_text(encoding="utf-8") for path in sorted(GOLDEN.glob("2-*.txt")))
    return max((record.read(paper, GAMES) for paper in papers), key=lambda kept: len(kept.moves))


def timed(kept: Record) -> tuple[float, float, Sequence[AnalysedPosition]]:
    """Seconds until the first and the last position, and all positions."""
    began = time.perf_counter()
    first = 0.0
    found: list[AnalysedPosition] = []
    for position in analyse(kept, jobs=JOBS):
        first = first or time.perf_counter() - began
        found.append(position)
    return first, time.perf_counter() - began, found


def print_times() -> None:
    """One line per game."""
    setup = Setup(2, mauerbauer.Options())
    games = {
        "the longest golden record": longest(),
        "search:0.1s against greedy": played(mauerbauer, setup, ("search:0.1s", "greedy"), 1),
    }
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    sys.stdout.write(f"{JOBS} processes; at the beginning others kept {load:.1f} cores busy\n\n")
    head = ("Mauerbauer, two seats", "moves", "choices", "ready", "done", "visits of the best")
    sys.stdout.write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    for name, kept in games.items():
        ready, done, found = timed(kept)
        weighed = [position for position in found if position.choices]
        visits = median(position.choices[0].visits for position in weighed)
        cells = (name, len(kept.moves), len(weighed), f"{ready:.1f} s", f"{done:.1f} s", visits)
        sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
        sys.stdout.flush()


# --- How well the chances foretell -----------------------------------------------------------


class Foretold(NamedTuple):
    """The chances at the beginning of a turn, and what came of them."""

    part: float
    """The share of the game that was over."""
    chances: tuple[float, ...]
    result: tuple[float, ...]

    @property
    def loss(self) -> float:
        """The logarithmic loss of the chances."""
        pairs = zip(self.result, self.chances, strict=True)
        return -sum(won * log(max(chance, LEAST_CHANCE)) for won, chance in pairs)


def foretold(kept: Record) -> Iterator[Foretold]:
    """What the chances were at the beginning of each turn."""
    game = GAMES[kept.game]
    path = list(situations(game, kept))
    outcome = path[-1].outcome
    assert outcome is not None
    result = result_of(outcome)
    turns: dict[int, int] = {}
    for situation in path[:-1]:
        if game.to_act(situation.state)[0] != NATURE:
            turns.setdefault(game.turn(situation.state), situation.task.at)
    effort = Effort(simulations=SIMULATIONS)
    worker = AnalysisWorker(Assignment(kept, "search", SEED))
    for at in turns.values():
        chances = worker.find(at, Efforts(effort, Effort(simulations=1))).chances
        if chances:
            yield Foretold(at / len(kept.moves), chances, result)


def print_losses(games: int) -> None:
    """One line for each game and number of seats."""
    parts = [f"{low:.0%} to {high:.0%}" for low, high in pairwise(PARTS)]
    head = ("loss of the chances", *parts, "all alike")
    sys.stdout.write(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    for name, seats in SETUPS:
        game = GAMES[name]
        setup = Setup(seats, game.OPTIONS())
        turns: list[Foretold] = []
        for number in range(games):
            turns += foretold(played(game, setup, ["greedy"] * seats, number))
        cells = [f"{name} {seats}"]
        for low, high in pairwise(PARTS):
            cells.append(f"{fmean(each.loss for each in turns if low <= each.part < high):.2f}")
        sys.stdout.write(f"| {' | '.join([*cells, f'{log(seats):.2f}'])} |\n")
        sys.stdout.flush()


def main() -> None:
    """Print both tables."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    print_times()
    print_losses(games)


if __name__ == "__main__":
    main()
