"""How sure a figure is: the same as from the games themselves."""

import random
from statistics import fmean

import pytest

from mauerwerk.lab.intervals import CONFIDENCE, Estimate, mean_of, share_of
from mauerwerk.lab.study.figures import (
    Mean,
    Part,
    Quantile,
    Quotient,
    Rate,
    Within,
    bins_of,
    difference,
    differs,
)
from mauerwerk.lab.study.tally import Tally, tally_of

PAIR = ("score", "play")


def some(games: int, seed: int = 1) -> list[dict[str, int]]:
    """Games in which a card is played now and then, and scores more the more it is played."""
    draw = random.Random(seed)
    rows: list[dict[str, int]] = []
    for _ in range(games):
        play = draw.randrange(4)
        score = sum(draw.randrange(7) for _ in range(play))
        rows.append({"play": play, "score": score, "win": 60 * (draw.randrange(3) == 0)})
    return rows


def near(one: Estimate | None, other: Estimate) -> None:
    """Equal, but for the last digits."""
    assert one is not None
    assert (one.mean, one.low, one.high) == pytest.approx((other.mean, other.low, other.high))


def test_a_mean_and_a_share_are_those_of_the_games() -> None:
    """Student's and Wilson's intervals need only sums and squares."""
    rows = some(50)
    tally = tally_of(rows, [PAIR])
    near(Mean("score").estimate(tally), mean_of([row["score"] for row in rows]))
    near(Part("win", 60).estimate(tally), share_of([row["win"] / 60 for row in rows], games=10**9))


def test_what_never_happened_can_hardly_be_frequent() -> None:
    """Nor is it impossible."""
    tally = tally_of(some(400), [PAIR])
    assert Mean("clause/MB-13").estimate(tally).high == pytest.approx(3.69 / 400, rel=0.01)
    assert Part("shared").estimate(tally).high == pytest.approx(3.8 / 400, rel=0.05)


def test_a_quotient_holds_the_truth_as_often_as_it_says() -> None:
    """Three points a play: about 95 of 100 intervals hold it, although plays come in games."""
    held = 0
    for seed in range(300):
        found = Quotient(*PAIR).estimate(tally_of(some(80, seed), [PAIR]))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 3 <= found.high
    assert held / 300 == pytest.approx(CONFIDENCE, abs=0.035)


def test_nothing_divided_by_nothing_is_no_answer() -> None:
    """A card that nobody played has no points a play."""
    tally = tally_of([{"turns": 3}], [PAIR])
    assert Quotient(*PAIR).estimate(tally) is None
    assert Rate(*PAIR).estimate(tally) is None


def test_what_was_the_same_in_a_few_games_is_no_answer() -> None:
    """The only scoring of 300 games brought nothing: that says little of scorings."""
    once = tally_of([{"turns": 3}] * 299 + [{"score": 0, "play": 1}], [PAIR])
    always = tally_of([{"score": 3, "play": 1}] * 300, [PAIR])
    assert Quotient(*PAIR).estimate(once) is None
    assert Quotient(*PAIR).estimate(always) == Estimate(3.0)
    rate = Rate(*PAIR).estimate(once)
    assert rate is not None
    assert rate.high is not None
    assert rate.high > 0.7


def test_a_rate_stays_between_nought_and_one() -> None:
    """Also where all or nothing was won."""
    tally = tally_of([{"won": 60, "held": 1}] * 5, [("won", "held")])
    always = Rate("won", "held", 60).estimate(tally)
    assert always is not None
    assert always.low is not None
    assert (always.mean, always.high) == (1, 1)
    assert 0.3 < always.low < 1


def test_quantiles_are_those_of_the_games() -> None:
    """Nought counts too, though it is not kept."""
    tally = tally_of([{"gap": gap} for gap in range(101)], [])
    assert Quantile("gap", 0.5).estimate(tally) == Estimate(50, 40, 60)
    assert Within("gap", 9).estimate(tally).mean == pytest.approx(10 / 101)
    assert [each.games for each in bins_of(tally, "gap", 4)] == [26, 26, 26, 23]


def test_a_difference_is_marked_where_it_is_sure() -> None:
    """Two studies of the same differ by chance alone, mostly unmarked; others are told apart."""
    tallies = [tally_of(some(200, seed), [PAIR]) for seed in range(40)]
    means = [Mean("score").estimate(tally) for tally in tallies]
    alike = [
        differs(difference(one, other)) for one, other in zip(means[::2], means[1::2], strict=True)
    ]
    assert fmean(alike) <= 0.2
    assert differs(difference(means[0], Mean("score", 1.5).estimate(tallies[1])))
    assert not differs(difference(Estimate(4.0), Estimate(4.0)))


def test_one_game_knows_nothing_of_the_next() -> None:
    """No interval, or one that says as little."""
    assert Mean("turns").estimate(Tally(1, {"turns": {8: 1}}, {})) == Estimate(8.0)
