"""Luck in three parts: they are found where they were put."""

import random

import pytest

from mauerwerk.core.game import Setup
from mauerwerk.games import mauer, mauerbauer
from mauerwerk.lab.study.luck import Cell, Deal, luck_of, parts, play_deal
from mauerwerk.lab.study.study import study_of

SIZE = 12


def grid(nature: float, players: float, together: float, seed: int = 1) -> list[list[Cell]]:
    """Results of two seats that vary by so much by row, by column, and by both."""
    draw = random.Random(seed)
    rows = [draw.gauss(0, nature) for _ in range(SIZE)]
    columns = [draw.gauss(0, players) for _ in range(SIZE)]
    cells = [[row + column + draw.gauss(0, together) for column in columns] for row in rows]
    return [[(cell, -cell) for cell in row] for row in cells]


@pytest.mark.parametrize(
    ("given", "expected"), [((1, 0, 0), (1, 0, 0)), ((0, 1, 0), (0, 1, 0)), ((0, 0, 1), (0, 0, 1))]
)
def test_one_part_alone_is_all(given: tuple[int, int, int], expected: tuple[int, int, int]) -> None:
    """What only the dice, only the players or only both decide."""
    found = parts(grid(*given))
    assert found is not None
    shares = (found.nature.mean, found.players.mean, found.together.mean)
    assert shares == pytest.approx(expected, abs=0.08)


@pytest.mark.slow
def test_parts_are_found_on_average_and_intervals_hold_them() -> None:
    """Of 3 : 1 : 1 in squares, over many studies."""
    studies = [parts(grid(3**0.5, 1, 1, seed)) for seed in range(120)]
    assert None not in studies
    found = [each for each in studies if each is not None]
    for name, share in (("nature", 0.6), ("players", 0.2), ("together", 0.2)):
        estimates = [getattr(each, name) for each in found]
        assert sum(each.mean for each in estimates) / 120 == pytest.approx(share, abs=0.06)
        held = sum(each.low <= share <= each.high for each in estimates)
        assert held / 120 > 0.85


def test_where_nothing_varies_nothing_decides() -> None:
    """And two rows are too few to tell."""
    assert parts([[(1.0, 0.0)] * 5] * 5) is None
    assert parts(grid(1, 1, 1)[:2]) is None


@pytest.mark.kernels
def test_in_die_mauer_nature_decides_nothing() -> None:
    """Nature moves at most once, so only the players' choices vary."""
    study = study_of("mauer", Setup(3, mauer.Options(rounds=1)), ["uniform"] * 3, seed=5)
    luck = luck_of([play_deal(study, Deal(row, 4)) for row in range(4)])
    assert luck.games == 16
    assert luck.wins is not None
    assert luck.wins.nature.mean == pytest.approx(0)
    assert luck.wins.players.mean == pytest.approx(1)


@pytest.mark.kernels
def test_in_mauerbauer_the_same_chance_gives_the_same_game() -> None:
    """A row gives the same games on any worker."""
    small = mauerbauer.Options(board="small")
    study = study_of("mauerbauer", Setup(2, small), ["uniform"] * 2, seed=5)
    once = play_deal(study, Deal(1, 3))
    assert once == play_deal(study, Deal(1, 3))
    assert len(set(once.points)) > 1
