"""One ranking for several games: points by place, shared by those who tie."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mauerwerk.server.features.evenings.values import (
    BOT,
    Evening,
    Person,
    Round,
    RoundTable,
    points_at,
    ranking,
)

NAMES = ("Ada", "Ben", "Clara", "Dora", "Emil", "Mia")


def over(*ranks: int, people: tuple[int, ...] = (), stand_ins: tuple[int, ...] = ()) -> RoundTable:
    """A finished table with these places."""
    there = people or tuple(range(len(ranks)))
    return RoundTable("t", there, over=True, ranks=ranks, stand_ins=stand_ins)


def evening(*rounds: tuple[RoundTable, ...], people: int = 3) -> Evening:
    """An evening with these rounds."""
    return Evening(
        "",
        tuple(Person(number, name, name) for number, name in enumerate(NAMES[:people])),
        tuple(Round("mauer", tables=tables) for tables in rounds),
    )


def places(of: Evening) -> list[tuple[int, str, float]]:
    """Place, name and sum."""
    return [(line.place, NAMES[line.person], float(line.total)) for line in ranking(of)]


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((1, 2, 3), (3, 2, 1)),
        ((2, 1), (1, 3)),
        ((1, 1), (2, 2)),
        ((4, 2, 3, 1), (0, 2, 1, 3)),
        ((1, 1, 3), (Fraction(5, 2), Fraction(5, 2), 1)),
        ((1, 2, 2, 4), (3, Fraction(3, 2), Fraction(3, 2), 0)),
        ((1, 1, 1), (2, 2, 2)),
        ((6, 5, 4, 3, 2, 1), (0, 0, 0, 1, 2, 3)),
    ],
)
def test_points_by_place(ranks: tuple[int, ...], points: tuple[Fraction, ...]) -> None:
    """First 3, second 2, third 1; who tie share what their places bring."""
    assert tuple(points_at(over(*ranks)).values()) == points


@given(st.permutations([1, 2, 3, 4]), st.integers(0, 3))
def test_ties_neither_make_nor_take_points(order: list[int], tie: int) -> None:
    """A table brings the same sum, however many tie."""
    ranks = [1 if rank <= tie + 1 else rank for rank in order]
    assert sum(points_at(over(*ranks)).values()) == 6


def test_a_bot_takes_a_place() -> None:
    """Nobody is first for being alone with bots."""
    assert points_at(over(2, 1, 3, people=(0, BOT, BOT))) == {0: 2}


def test_the_sum_decides() -> None:
    """Over all rounds."""
    assert places(evening((over(1, 2, 3),))) == [(1, "Ada", 3), (2, "Ben", 2), (3, "Clara", 1)]
    both = evening((over(1, 2, 3),), (over(3, 1, 2),))
    assert places(both) == [(1, "Ben", 5), (2, "Ada", 4), (3, "Clara", 3)]


def test_of_equal_sums_more_wins_are_better() -> None:
    """Ada won once and was third once, Ben was second twice."""
    of = evening((over(1, 2, 3),), (over(3, 2, 1),))
    assert places(of) == [(1, "Ada", 4), (1, "Clara", 4), (3, "Ben", 4)]


def test_of_equal_wins_the_games_between_decide() -> None:
    """Ada and Ben have a win and a defeat each, and Ada beat Ben."""
    of = evening(
        (over(1, 2, people=(0, 1)), over(2, 1, people=(2, 3))),
        (over(1, 2, people=(1, 2)), over(1, 2, people=(3, 0))),
        people=4,
    )
    assert places(of) == [(1, "Dora", 6), (2, "Ada", 4), (3, "Ben", 4), (4, "Clara", 2)]


def test_equal_in_everything_share_a_place() -> None:
    """And the next place is counted on."""
    assert [place for place, _, _ in places(evening((over(1, 1, 3),)))] == [1, 1, 3]
    assert {place for place, _, _ in places(evening())} == {1}


def test_what_is_not_played_brings_nothing_yet() -> None:
    """A round under way, a game without a winner, and a round that was missed."""
    running = RoundTable("t", (0, 1, 2))
    ended = RoundTable("t", (0, 1, 2), over=True)
    without_ada = over(1, 2, people=(1, 2))
    lines = {line.person: line for line in ranking(evening((running,), (ended,), (without_ada,)))}
    assert lines[0].points == (None, None, None)
    assert lines[1].points == (None, None, Fraction(3))


def test_the_ranking_says_where_a_bot_played() -> None:
    """For somebody who was missing."""
    of = evening((over(1, 2, 3),), (over(1, 2, 3, stand_ins=(1,)),))
    assert [line.stand_ins for line in ranking(of)] == [(), (1,), ()]
