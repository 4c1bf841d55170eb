"""Puzzles: moments of analysed games in which one choice was clearly the best.

    cut(record, positions)          # from the positions of an analysis, the best puzzles first

A choice is judged by what the seat knew, so whoever solves the puzzle needs to know no more. Where
players choose together, as with fists, the best play is a mixture and no single choice is right:
the search then tries its choices unequally often, and such moments are left out.
"""

from collections.abc import Iterable
from math import sqrt
from typing import Final

from mauerwerk.core import record as records
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.record import Record
from mauerwerk.games import game_in
from mauerwerk.lab.analysis.results import AnalysedPosition, Judged

CLEAR: Final = 0.04
"""By how much the best choice must be ahead of the second, as a chance to win."""
HOPE: Final = 0.12
"""With a smaller chance even after the best choice, there is nothing to find."""
FEWEST: Final = 3
"""With fewer choices, it is no question."""
MOST: Final = 5
"""The largest number of choices that are shown."""
PER_GAME: Final = 3


class Puzzle(Value):
    """What would you play? A position of a finished game, and what its choices were worth."""

    record: str
    """The whole game, as text and without names."""
    at: int
    """The number of moves before the question."""
    seat: Seat
    chosen: str
    """What was played."""
    choices: tuple[Judged, ...]
    """The best first; a choice that is not among them is worse than most of these."""

    @property
    def gap(self) -> float:
        """How far the best choice is ahead of the second."""
        return self.choices[0].value - self.choices[1].value


def cut(record: Record, positions: Iterable[AnalysedPosition]) -> tuple[Puzzle, ...]:
    """The puzzles in a game, the clearest first, of different kinds of decisions if there are."""
    game = game_in(record)
    text = records.write(game, record)
    found = [
        Puzzle(text, each.at, each.seat, each.chosen, _shown(each))
        for each in positions
        if each.seat is not None and _is_question(each)
    ]
    kinds: dict[str, list[Puzzle]] = {}
    for puzzle in sorted(found, key=lambda each: -each.gap):
        kind = type(game.parse(puzzle.choices[0].word)).__name__
        kinds.setdefault(kind, []).append(puzzle)
    in_turn = sorted(
        ((number, -each.gap, each) for some in kinds.values() for number, each in enumerate(some)),
        key=lambda entry: entry[:2],
    )
    return tuple(each for _, _, each in in_turn[:PER_GAME])


def _shown(position: AnalysedPosition) -> tuple[Judged, ...]:
    """The best few choices; the one that was played is among them if it was judged."""
    best = position.choices[:MOST]
    played = [each for each in position.choices[MOST:] if each.word == position.chosen]
    return (*best[: MOST - len(played)], *played)


def _is_question(position: AnalysedPosition) -> bool:
    choices = position.choices
    if len(choices) < FEWEST or choices[0].value < HOPE:
        return False
    tried = [each.visits for each in choices]
    if not min(tried) or max(tried) > 2 * min(tried):
        return False
    return choices[0].value - choices[1].value >= max(CLEAR, 1 / sqrt(min(tried)))
