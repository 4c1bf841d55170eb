"""Puzzles are moments with one clear best choice, and no game gives too many."""

from mauerwerk.core import record
from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES
from mauerwerk.lab.analysis.puzzles import PER_GAME, cut
from mauerwerk.lab.analysis.results import AnalysedPosition, Judged

TEXT = "mauer/1 seats=3 rounds=1 first=0 stall=24\n0:T 1:4 2:- 0:>\n"
KEPT = record.read(TEXT, GAMES)


def weighed(at: int, *values: float, visits: tuple[int, ...] = (900, 900, 900)) -> AnalysedPosition:
    """A decision of seat 0 between the tower, the 4 and the 1."""
    words = zip(("T", "4", "1"), values, visits, strict=True)
    return AnalysedPosition(at, (), Seat(0), "T", tuple(Judged(*each) for each in words))


def test_a_clear_best_choice_is_a_puzzle() -> None:
    """It keeps the whole game, the place, and what was played."""
    (puzzle,) = cut(KEPT, [weighed(0, 0.5, 0.4, 0.3)])

    assert record.read(puzzle.record, GAMES) == KEPT
    assert (puzzle.at, puzzle.seat, puzzle.chosen) == (0, 0, "T")
    assert [each.word for each in puzzle.choices] == ["T", "4", "1"]


def test_what_is_nearly_as_good_makes_no_puzzle() -> None:
    """Four points of chance are clear, three are not."""
    assert cut(KEPT, [weighed(0, 0.5, 0.459, 0.3)])
    assert not cut(KEPT, [weighed(0, 0.5, 0.47, 0.3)])


def test_a_difference_that_may_be_chance_makes_no_puzzle() -> None:
    """After a hundred tries ten points of chance are clear, and nine are not."""
    few = (100, 100, 100)
    assert cut(KEPT, [weighed(0, 0.5, 0.39, 0.3, visits=few)])
    assert not cut(KEPT, [weighed(0, 0.5, 0.41, 0.3, visits=few)])


def test_choices_that_are_mixed_make_no_puzzle() -> None:
    """Where fists close together no single choice is right: they were tried unequally often."""
    assert not cut(KEPT, [weighed(0, 0.5, 0.4, 0.3, visits=(1900, 600, 30))])
    assert not cut(KEPT, [weighed(0, 0.5, 0.4, 0.3, visits=(0, 0, 0))])  # by rules of thumb


def test_a_lost_game_makes_no_puzzle() -> None:
    """There is nothing left to find."""
    assert not cut(KEPT, [weighed(0, 0.1, 0.05, 0.0)])


def test_a_game_gives_the_clearest_few() -> None:
    """The clearest come first."""
    found = cut(KEPT, [weighed(at, 0.5 + at / 100, 0.4, 0.3) for at in range(6)])

    assert len(found) == PER_GAME
    assert [each.at for each in found] == [5, 4, 3]
