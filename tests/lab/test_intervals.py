"""Intervals hold the truth as often as they say, in rotations whose games depend on each other."""

import random
from statistics import fmean

import pytest

from mauerwerk.lab.intervals import (
    Estimate,
    mean_from_sums,
    mean_of,
    share_from_sums,
    share_of,
    student,
)

CONTESTS = 400


def rotation(rng: random.Random, share: float, seats: int, luck: float, seat: float) -> float:
    """The share of wins in a rotation whose games have luck in common, and a better seat."""
    common = rng.choice([-luck, luck])
    return fmean(
        rng.random() < share + common + (seat if place % 2 else -seat) for place in range(seats)
    )


@pytest.mark.parametrize("rotations", [10, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(
    ("share", "luck", "seat"),
    [(0.5, 0, 0), (0.5, 0.3, 0), (0.25, 0.2, 0), (0.9, 0.08, 0), (0.02, 0, 0), (0.5, 0, 0.4)],
)
def test_a_share_lies_in_its_interval(
    share: float, luck: float, seat: float, seats: int, rotations: int
) -> None:
    """In 95 of 100 contests or more, also where luck is shared and where nearly nobody wins."""
    rng = random.Random(1)
    held = 0
    for _ in range(CONTESTS):
        units = [rotation(rng, share, seats, luck, seat) for _ in range(rotations)]
        estimate = share_of(units, rotations * seats)
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= share <= estimate.high

    assert held / CONTESTS >= 0.93  # two standard errors below


def test_an_interval_is_no_wider_than_it_must_be() -> None:
    """Four hundred independent games have the interval that a textbook gives them."""
    rng = random.Random(2)
    units = [rotation(rng, 0.5, 2, 0, 0) for _ in range(200)]
    estimate = share_of(units, 400)
    assert estimate.low is not None
    assert estimate.high is not None

    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * 0.025, rel=0.1)


def test_shared_luck_widens_the_interval() -> None:
    """Where a rotation is won or lost as a whole it is worth one game, not four."""
    estimate, alone = (share_of([0.0, 1.0] * 50, games=games) for games in (400, 100))

    assert estimate == alone


def test_games_that_agree_by_chance_prove_little() -> None:
    """Two rotations of a win and a loss each do not make the share certain."""
    estimate = share_of([0.5, 0.5], games=4)

    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low < 0.1
    assert estimate.high > 0.9


@pytest.mark.parametrize("rotations", [3, 30])
def test_a_mean_lies_in_its_interval(rotations: int) -> None:
    """In 95 of 100 contests, by Student's distribution."""
    rng = random.Random(3)
    held = 0
    for _ in range(1000):
        estimate = mean_of([rng.gauss(7, 3) for _ in range(rotations)])
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= 7 <= estimate.high

    assert 0.935 <= held / 1000 <= 0.965


@pytest.mark.parametrize("units", [[4.0], [4.0, 4.0, 4.0]])
def test_rotations_that_do_not_differ_have_no_interval(units: list[float]) -> None:
    """Nobody knows how much the next would."""
    assert mean_of(units) == Estimate(4.0)


@pytest.mark.parametrize(
    ("freedom", "reach"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (30, 2.042)]
)
def test_student_is_the_table_in_the_textbook(freedom: int, reach: float) -> None:
    """For 95 %, two-sided."""
    assert student(freedom) == pytest.approx(reach, rel=2e-3)


@pytest.mark.parametrize("units", [[3.0, 5.0, 5.0, 11.0], [2.0, 2.0, 2.0], [7.0]])
def test_sums_give_the_same_mean_as_single_units(units: list[float]) -> None:
    """So that `simulate`, which keeps sums, prints what `match` would."""
    squares = sum(unit * unit for unit in units)
    assert_same(mean_from_sums(len(units), sum(units), squares), mean_of(units))


@pytest.mark.parametrize("wins", [3, 0, 40])
def test_sums_give_the_same_share_as_single_units(wins: int) -> None:
    """Where no win is shared, a sum of squares is the sum."""
    units = [1.0] * wins + [0.0] * (40 - wins)
    assert_same(share_from_sums(40, wins, wins), share_of(units, games=40))
    assert_same(share_from_sums(40, 60 * wins, 3600 * wins, 60), share_of(units, games=40))


def assert_same(one: Estimate, other: Estimate) -> None:
    """The same mean and the same interval, up to rounding."""
    ends = (other.low, other.mean, other.high)
    assert (one.low, one.mean, one.high) == pytest.approx(ends)
