"""Standings, computed by hand, whichever game finished first."""

import random
from collections.abc import Sequence

import pytest

from mauerwerk.lab.match.contest import Fixture, Result
from mauerwerk.lab.match.standings import Standings, standings, whole_rotations
from mauerwerk.lab.match.times import measured

LINEUP = ("calm", "calm", "wild")


def game(rotation: int, turn: int, bots: str, ranks: Sequence[int]) -> Result:
    """A game between these bots, seat by seat; points are tens of the rank."""
    return Result(
        fixture=Fixture(LINEUP, rotation, turn),
        bots=tuple(bots.split()),
        ranks=tuple(ranks),
        points=tuple(10 * rank for rank in ranks),
        reason="out" if turn else "stall",
        turns=10 + turn,
        moves=100,
        times=tuple(measured([0.01 * rank], 0.02) for rank in ranks),
    )


GAMES = [
    game(0, 0, "calm calm wild", [2, 2, 1]),
    game(0, 1, "calm wild calm", [1, 1, 3]),
    game(0, 2, "wild calm calm", [3, 1, 2]),
    game(1, 0, "calm calm wild", [1, 3, 2]),
    game(1, 1, "calm wild calm", [1, 2, 3]),
    game(1, 2, "wild calm calm", [1, 2, 3]),
    game(2, 0, "calm calm wild", [1, 2, 3]),
]
"""Two rotations, and a third that somebody cut short."""


@pytest.fixture
def table() -> Standings:
    """What they come to."""
    return standings(whole_rotations(GAMES))


def test_only_whole_rotations_count(table: Standings) -> None:
    """A bot that has not yet sat everywhere is not compared."""
    assert (table.games, table.rotations) == (6, 2)


def test_a_shared_win_is_shared(table: Standings) -> None:
    """`wild` won 1 and a half in the first rotation and 1 in the second, of 6 games."""
    wild, calm = table.bots
    assert (wild.bot, calm.bot) == ("wild", "calm")
    assert wild.wins.mean == pytest.approx(2.5 / 6)
    assert calm.wins.mean == pytest.approx(3.5 / 6 / 2)
    assert wild.wins.mean + 2 * calm.wins.mean == pytest.approx(1)
    assert table.fair == pytest.approx(1 / 3)


def test_rank_and_points_are_means_over_seats(table: Standings) -> None:
    """A bot with two seats at a table does not count twice."""
    wild, calm = table.bots
    assert wild.rank.mean == pytest.approx((1 + 1 + 3 + 2 + 2 + 1) / 6)
    assert calm.rank.mean == pytest.approx((2 + 2 + 1.5 + 2 + 2 + 2.5) / 6)
    assert calm.points.mean == pytest.approx(10 * calm.rank.mean)
    assert wild.games == calm.games == 6


def test_who_finished_before_whom(table: Standings) -> None:
    """Pairs of seats; equals count half."""
    shares = {(each.bot, each.other): each.share.mean for each in table.ahead}
    assert shares["wild", "calm"] == pytest.approx((1 + 0.75 + 0 + 0.5 + 0.5 + 1) / 6)
    assert shares["wild", "calm"] + shares["calm", "wild"] == pytest.approx(1)


def test_seats_are_compared_whoever_sat_there(table: Standings) -> None:
    """Seat 0 won 3 and a half of 6."""
    assert [seat.mean * 6 for seat in table.seats] == pytest.approx([3.5, 1.5, 1])


def test_times_and_endings_are_summed_up(table: Standings) -> None:
    """Nobody was late: what comes 10 ms after its time is in time."""
    wild, calm = table.bots
    assert (wild.thinking.decisions, calm.thinking.decisions) == (6, 12)
    assert calm.thinking.longest == 0.03
    assert calm.thinking.late == 0
    assert table.reasons == {"out": 4, "stall": 2}
    assert (table.turns, table.moves) == (11, 100)


def test_it_does_not_matter_who_finished_first(table: Standings) -> None:
    """Figures are the same to the last digit."""
    shuffled = list(GAMES)
    for seed in range(5):
        random.Random(seed).shuffle(shuffled)
        assert standings(whole_rotations(shuffled)) == table
