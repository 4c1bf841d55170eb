"""Make the puzzles that are shipped: games between bots, analysed, and their clearest moments.

    python -m bench.puzzles mauer seats=3 rounds=1 FIRST LAST    # games with these numbers

A quick look at every decision finds the candidates, and a long one judges them. The puzzles are
added to the file of the feature. Games and analyses follow from the numbers alone.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mauerwerk.core import options
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.record import Record
from mauerwerk.games import GAMES
from mauerwerk.lab.analysis.positions import Effort, Efforts, tasks
from mauerwerk.lab.analysis.puzzles import FEWEST, Puzzle, cut
from mauerwerk.lab.analysis.results import AnalysedPosition
from mauerwerk.lab.analysis.worker import AnalysisWorker, Assignment, source_for
from mauerwerk.lab.match.match import play_number

SEED = 2026
LEVELS = ("journeyman", "foreman")
FIRST_LOOK, LONG_LOOK, NONE = (Effort(simulations=number) for number in (160, 6_000, 32))
CANDIDATES = 10
FILE = Path(__file__).parent.parent / "src/mauerwerk/server/features/puzzles/puzzles.jsonl"


def played(game: AnyGame, setup: Setup[Any], number: int) -> Record:
    """A game between bots of two levels, on changing seats."""
    bots = [LEVELS[(seat + number) % len(LEVELS)] for seat in range(setup.seats)]
    return play_number(game, setup, bots, SEED, number).record


def candidates(game: AnyGame, record: Record) -> Sequence[int]:
    """The decisions that look clearest at first, in order."""
    worker = AnalysisWorker(Assignment(record, source_for(record), seed=1))
    worker.analyst.get_ready()
    todo = [task.at for task in tasks(game, record) if task.weigh]
    found = [worker.find(at, Efforts(NONE, FIRST_LOOK)) for at in todo]
    asked = [each for each in found if len(each.choices) >= FEWEST]
    clearest = sorted(asked, key=lambda each: each.choices[1].value - each.choices[0].value)
    return sorted(each.at for each in clearest[:CANDIDATES])


def judged(record: Record, wanted: Sequence[int]) -> Iterator[AnalysedPosition]:
    """These decisions, judged at leisure."""
    worker = AnalysisWorker(Assignment(record, source_for(record), seed=1))
    for at in wanted:
        yield worker.find(at, Efforts(NONE, LONG_LOOK))


def puzzles(game: AnyGame, setup: Setup[Any], number: int) -> tuple[Puzzle, ...]:
    """The puzzles in the game with this number."""
    record = played(game, setup, number)
    return cut(record, judged(record, candidates(game, record)))


def main(name: str, *words: str) -> None:
    """Add the puzzles of these games to the file."""
    *given, first, last = words
    said = dict(word.split("=") for word in given)
    game, seats = GAMES[name], int(said.pop("seats"))
    setup = Setup(seats, options.from_words(game.OPTIONS, said))
    for number in range(int(first), int(last)):
        found = puzzles(game, setup, number)
        with FILE.open("ab") as file:
            file.writelines(msgspec.json.encode(each) + b"\n" for each in found)
        sys.stdout.write(f"{name} {number}: {len(found)} puzzles\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
