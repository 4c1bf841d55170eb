"""Two rules compared game by game: what is multiplied, and how sure the difference is."""

from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount

from mauerwerk.core.game import Setup
from mauerwerk.games import mauer
from mauerwerk.lab.intervals import Estimate, student
from mauerwerk.lab.study.comparison import answers_by_name
from mauerwerk.lab.study.figures import Figure, Mean, Part, Quantile, Quotient, Within, difference
from mauerwerk.lab.study.pairing import Shared, change, contrast_of, contrast_of_tables, join
from mauerwerk.lab.study.plan import do, jobs, make_plan, results_of, run_study
from mauerwerk.lab.study.tally import Row, tally_of

COLUMNS = ("gap", "turns")
PAIRS = (("gap", "turns"),)
SHARED = Shared(COLUMNS, PAIRS, (("gap", 3),))

GAMES = st.lists(
    st.tuples(*[st.fixed_dictionaries({column: st.integers(0, 9) for column in COLUMNS})] * 2),
    min_size=1,
    max_size=12,
)


def changed(figure: Figure, games: list[tuple[Row, Row]]) -> Estimate | None:
    """How much larger the figure is in the second of each two games."""
    one, other = (tally_of([pair[place] for pair in games], PAIRS) for place in (0, 1))
    return change((figure, figure), (one, other), contrast_of(games, SHARED))


@settings(max_examples=amount(20, 50, 500), deadline=None)
@given(GAMES)
def test_arrays_and_rows_have_the_same_contrast(games: list[tuple[Row, Row]]) -> None:
    """Whether all at once or in parts."""
    numpy = pytest.importorskip("numpy")
    tables = [
        (COLUMNS, numpy.array([[pair[place][column] for column in COLUMNS] for pair in games]))
        for place in (0, 1)
    ]
    whole = contrast_of(games, SHARED)
    parts = (contrast_of([game], SHARED) for game in games)

    assert contrast_of_tables(tables, SHARED) == whole == join(parts)
    assert whole.same == sum(one == other for one, other in games)


@settings(max_examples=amount(20, 50, 500), deadline=None)
@given(GAMES)
def test_the_interval_is_that_of_the_differences(games: list[tuple[Row, Row]]) -> None:
    """As if every difference had been kept: of means and of shares."""
    for figure, values in (
        (Mean("gap", 2.0), [2 * (other["gap"] - one["gap"]) for one, other in games]),
        (Part("turns", 10), [(other["turns"] - one["turns"]) / 10 for one, other in games]),
        (Within("gap", 3), [(other["gap"] <= 3) - (one["gap"] <= 3) for one, other in games]),
    ):
        more = changed(figure, games)
        assert more is not None
        assert more.mean == pytest.approx(fmean(values))
        if len(set(values)) > 1:
            assert more.high is not None
            reach = student(len(values) - 1) * stdev(values) / len(values) ** 0.5
            assert more.high - more.mean == pytest.approx(reach)


def test_a_quotient_varies_with_all_its_sides() -> None:
    """Games that are the same leave nothing to doubt; one that differs does."""
    same = [({"gap": number, "turns": 5 + number},) * 2 for number in range(6)]
    quotient = Quotient("gap", "turns")
    alike = changed(quotient, [(one, other) for one, other in same])
    assert alike == Estimate(0.0)
    other = changed(quotient, [*same, ({"gap": 1, "turns": 9}, {"gap": 8, "turns": 9})])
    assert other is not None
    assert other.low is not None
    assert other.high is not None
    assert other.low < 0 < other.mean < other.high


def test_a_quotient_that_did_not_vary_is_not_paired() -> None:
    """One game in which it could be measured does not make the difference sure."""
    often = [{"gap": gap, "turns": 9} for gap in (1, 2, 3, 4)]
    games: list[tuple[Row, Row]] = [(one, {}) for one in often[1:]]
    games.append((often[0], {"gap": 9, "turns": 9}))

    assert changed(Quotient("gap", "turns"), games) is None


def test_a_quantile_is_not_paired() -> None:
    """It is compared as in two independent studies."""
    assert changed(Quantile("gap", 0.5), [({"gap": 1}, {"gap": 2})]) is None


@pytest.mark.kernels
def test_a_rule_that_hardly_matters_is_measured_all_the_same() -> None:
    """The length with a shorter stall, ten times as sure as by independent games."""
    setups = [Setup(4, mauer.Options(stall=stall)) for stall in (24, 6)]
    results = run_study("mauer", setups, games=4_000, seed=1)
    turns = answers_by_name(results)["length"]["turns"]["mean"]
    one, other = turns.values
    assert one is not None
    assert other is not None
    assert turns.change is not None
    apart = difference(one, other)
    assert apart.high is not None
    assert turns.change.high is not None
    assert turns.change.high - turns.change.mean < 0.04
    assert apart.high - apart.mean > 0.3
    assert results[1].contrast is not None
    assert results[1].contrast.same > 0.95 * 4_000


@pytest.mark.kernels
@pytest.mark.slow
def test_different_seats_are_two_studies() -> None:
    """There is no twin to a game with another player."""
    setups = [Setup(seats, mauer.Options(rounds=1)) for seats in (3, 4)]
    plan = make_plan("mauer", setups, ["greedy"], seed=2)
    results = results_of(plan, [do(plan, job) for job in jobs(plan, 4, deals=0)])
    assert [each.contrast for each in results] == [None, None]
