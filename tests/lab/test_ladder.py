"""Ladders: any two meet as often as asked; ratings are found again, whatever order they come in."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from tests.support.amounts import amount

from mauerwerk.core.game import ranked
from mauerwerk.lab.match.contest import Fixture, Result, lineups, plan_ladder, seating
from mauerwerk.lab.match.ratings import ratings
from mauerwerk.lab.match.standings import Rotation, whole_rotations
from mauerwerk.lab.match.times import Times

BOTS = ("ant", "bee", "cat", "dog", "elk")


def meetings(fixtures: Iterator[Fixture]) -> Counter[tuple[str, str]]:
    """In how many games any two meet."""
    return Counter(pair for each in fixtures for pair in combinations(sorted(set(each.lineup)), 2))


# --- Who plays whom --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("bots", [BOTS[:2], BOTS[:4], BOTS])
def test_any_two_meet_as_often_as_asked(bots: tuple[str, ...], seats: int) -> None:
    """And hardly more often than others do."""
    met = meetings(plan_ladder(bots, seats, 30))

    assert set(met) == set(combinations(bots, 2))
    assert min(met.values()) >= 30
    assert max(met.values()) <= 30 + 2 * seats


def test_at_two_seats_a_ladder_is_every_pair() -> None:
    """No game more than asked for."""
    assert meetings(plan_ladder(BOTS, 2, 10)) == dict.fromkeys(combinations(BOTS, 2), 10)


def test_a_plan_for_more_games_begins_with_the_plan_for_fewer() -> None:
    """So a ladder can be played on."""
    few, many = (list(plan_ladder(BOTS, 4, games)) for games in (10, 30))

    assert many[: len(few)] == few
    assert len(set(many)) == len(many)


def test_new_bots_leave_the_games_of_two_seats_as_they_were() -> None:
    """Only their own are added."""
    assert set(plan_ladder(BOTS[:4], 2, 10)) < set(plan_ladder(BOTS, 2, 10))


def test_fewer_bots_than_seats_sit_down_twice() -> None:
    """Each of them in its turn."""
    assert lineups(("ant", "bee"), 5) == [
        ("ant", "ant", "ant", "bee", "bee"),
        ("ant", "ant", "bee", "bee", "bee"),
    ]


# --- Ratings ---------------------------------------------------------------------------------

STRENGTH = {"ant": 0.0, "bee": 0.5, "cat": 1.0, "dog": 1.5, "elk": 2.5}


def ladder(seats: int, games: int, seed: int) -> list[Rotation]:
    """A ladder between bots whose strength is known: how fast they run in a race of chance."""
    rng = random.Random(seed)
    played: list[Result] = []
    for fixture in plan_ladder(BOTS, seats, games):
        bots = seating(seed, fixture)
        ranks = ranked([rng.expovariate(2.718 ** STRENGTH[bot]) for bot in bots])
        times = (Times(),) * seats
        played.append(Result(fixture, bots, ranks, ranks, "out", 1, 1, times))
    rng.shuffle(played)
    return whole_rotations(played)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_the_stronger_has_the_higher_rating(seats: int) -> None:
    """The order of strength is found again."""
    rated = ratings(ladder(seats, 100, seed=1))

    assert [each.bot for each in rated] == sorted(STRENGTH, key=lambda bot: -STRENGTH[bot])


@pytest.mark.thorough
def test_intervals_hold_the_ratings_of_a_long_ladder() -> None:
    """What many more games say lies in them, in 95 of 100 cases or more."""
    truth = {
        each.bot: each.rating.mean for each in ratings(ladder(2, amount(150, 150, 300), seed=99))
    }
    held, ladders = 0, amount(4, 4, 10)
    for seed in range(ladders):
        for each in ratings(ladder(2, 40, seed)):
            assert each.rating.low is not None
            assert each.rating.high is not None
            held += each.rating.low <= truth[each.bot] <= each.rating.high

    assert held >= 0.94 * len(BOTS) * ladders


def test_ratings_do_not_depend_on_who_finished_first() -> None:
    """The same results give the same ratings, to the last digit."""
    rotations = ladder(3, 20, seed=5)
    results = [result for rotation in rotations for result in rotation]
    random.Random(1).shuffle(results)

    assert ratings(whole_rotations(results)) == ratings(rotations)


def test_who_plays_itself_keeps_its_rating() -> None:
    """Two seats of one bot are rated as one."""
    fixture = Fixture(("ant", "ant"), 0, 0)
    alone = Result(fixture, ("ant", "ant"), (1, 2), (1, 2), "out", 1, 1, (Times(), Times()))
    [rating] = ratings([(alone,)])

    assert rating.rating.mean == pytest.approx(25)
