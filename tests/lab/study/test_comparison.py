"""Answers side by side: the same questions of two rules, and what differs."""

import pytest

from mauerwerk.core.game import Setup
from mauerwerk.core.language import TITLES, language_of
from mauerwerk.games import GAMES, burgbaumeister, mauer
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study.comparison import (
    Answer,
    AnswerRow,
    Answers,
    all_answers,
    answers_by_name,
    count_changes,
    differences,
)
from mauerwerk.lab.study.figures import Distribution, Mean, Part, Quotient, Rate, Section
from mauerwerk.lab.study.plan import StudyResults, do, jobs, make_plan, results_of, run_study
from mauerwerk.lab.study.rooms import columns_of, room_of, sections
from mauerwerk.lab.study.study import study_of
from mauerwerk.lab.study.sweep import MOST_CHANGES, curves


@pytest.fixture(scope="module")
def rounds() -> tuple[StudyResults, ...]:
    """One round, and two."""
    setups = [Setup(3, mauer.Options(rounds=number)) for number in (1, 2)]
    plan = make_plan("mauer", setups, ["greedy"], seed=2)
    return results_of(plan, [do(plan, job) for job in jobs(plan, 24, deals=0)])


def lines(results: tuple[StudyResults, ...], name: str) -> dict[str, AnswerRow]:
    """The rows of a section."""
    for each in all_answers(results):
        if isinstance(each, Answers) and each.section.name == name:
            return {line.label: line for line in each.lines}
    raise AssertionError(name)


@pytest.mark.kernels
@pytest.mark.slow
def test_two_rounds_are_longer_than_one(rounds: tuple[StudyResults, ...]) -> None:
    """Length about doubles, which is significant; wins by seat hardly differ."""
    turns = lines(rounds, "length")["turns"].answers[0]
    one, two = turns.values
    assert one is not None
    assert two is not None
    assert turns.change is not None
    assert turns.change.mean == pytest.approx(two.mean - one.mean)
    assert 1.5 < two.mean / one.mean < 2.5
    assert turns.marked
    titles = {each.title for each in differences(all_answers(rounds), most=100)}
    assert "Length" in titles
    number, marked = count_changes(all_answers(rounds))
    assert 0 < marked < number


@pytest.mark.kernels
@pytest.mark.slow
def test_a_row_of_one_rule_alone_has_one_answer(rounds: tuple[StudyResults, ...]) -> None:
    """The second round is there, without a difference."""
    (answer,) = lines(rounds, "rounds")["round 2"].answers
    assert answer.values[0] is None or answer.values[0].mean == 0
    assert answer.values[1] is not None
    assert answer.values[1].mean > 0


@pytest.mark.kernels
@pytest.mark.slow
def test_the_surest_difference_comes_first(rounds: tuple[StudyResults, ...]) -> None:
    """And no more come than are asked for."""
    three = differences(all_answers(rounds), most=3)
    assert len(three) == 3
    assert three == differences(all_answers(rounds), most=100)[:3]


@pytest.mark.kernels
@pytest.mark.slow
def test_seats_can_be_compared() -> None:
    """The fourth seat has one answer; the others, two."""
    setups = [Setup(seats, mauer.Options(rounds=1)) for seats in (3, 4)]
    plan = make_plan("mauer", setups, ["greedy"], seed=2)
    results = results_of(plan, [do(plan, job) for job in jobs(plan, 8, deals=0)])
    seats = answers_by_name(results)["seats"]
    assert [None in seats[f"seat {seat}"]["wins"].values for seat in range(1, 5)] == [
        False,
        False,
        False,
        True,
    ]


@pytest.mark.kernels
@pytest.mark.slow
def test_the_variant_adds_its_own_sections() -> None:
    """And the cards are called by both their names."""
    setups = [Setup(2, burgbaumeister.Options(variant=variant)) for variant in (False, True)]
    plan = make_plan("burgbaumeister", setups, ["greedy"], seed=2)
    results = results_of(plan, [do(plan, job) for job in jobs(plan, 8, deals=0)])
    names = [each.section.name for each in all_answers(results) if isinstance(each, Answers)]
    assert {"pictures", "sources", "cannons"} <= set(names)
    assert "44 → 44, the king" in lines(results, "numbers")


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_is_counted_and_said_in_every_language(game: str) -> None:
    """Sections name columns and pairs that there are, the same in all languages."""
    for seats in GAMES[game].SEATS:
        setup = Setup(seats, GAMES[game].OPTIONS())
        study = study_of(game, setup, ["greedy"] * seats, seed=1)
        columns = columns_of(GAMES[game], study.setup)
        english = sections(game, setup)
        for chapter in english:
            if isinstance(chapter, Distribution):
                assert chapter.column in columns
                continue
            for figure in (figure for row in chapter.rows for figure in row.figures):
                match figure:
                    case Quotient(above=above, below=below) | Rate(above=above, below=below):
                        assert {above, below} <= set(columns)
                    case _:
                        assert figure.column in columns
        for code in TITLES:
            said = sections(game, setup, language_of(code))
            assert [each.name for each in said] == [each.name for each in english]
            for one, other in zip(said, english, strict=True):
                if isinstance(one, Section) and isinstance(other, Section):
                    assert len(one.heads) == len(other.heads)
                    figures = [row.figures for row in other.rows]
                    assert [row.figures for row in one.rows] == figures


def test_every_clause_that_is_counted_is_shown() -> None:
    """So that a designer sees what never happens too; of the variant's only there."""
    for game, rules in GAMES.items():
        words = {"variant": True} if game == "burgbaumeister" else {}
        setup = Setup(rules.SEATS[0], rules.OPTIONS(**words))
        (chapter,) = (each for each in sections(game, setup) if each.name == "clauses")
        assert isinstance(chapter, Section)
        assert [row.figures[0] for row in chapter.rows] == [
            Mean(f"clause/{clause}") for clause in room_of(rules).CLAUSES
        ]


def test_a_study_speaks_of_no_picture_and_no_wall_that_house_rules_have_changed() -> None:
    """Damsels that do not count make no pairs either, and a full wall may have five cards."""

    def labels(**house: object) -> set[str]:
        setup = Setup(3, burgbaumeister.Options(variant=True, **house))  # type: ignore[arg-type]
        found = [each for each in sections("burgbaumeister", setup) if isinstance(each, Section)]
        return {row.label for each in found for row in each.rows}

    printed = labels()
    gone = {"Damsels", "A damsel", "Pairs of knight and damsel"}
    assert {label for label in printed - labels(damsels=False) if "damsel, a" not in label} >= gone
    assert not any("cannon" in label.casefold() for label in labels(cannons=False))
    wizardless = labels(wizard=False)
    assert not any("wizard" in label or label.startswith("The spell") for label in wizardless)
    assert labels(wall=5) == printed
    assert not any("nine" in label for label in printed)


def test_the_even_share_is_that_of_the_seats() -> None:
    """A line to compare wins with."""
    (seats, *_) = sections("mauer", Setup(5, mauer.Options()))
    assert isinstance(seats, Section)
    assert seats.even == pytest.approx(0.2)
    assert all(isinstance(row.figures[0], Part) for row in seats.rows)


def test_what_differs_is_named_once() -> None:
    """A clause and a section that count the same, and what one row takes from another."""

    def line(label: str, mean: float, *, reach: float = 0.5, named: bool = True) -> AnswerRow:
        change = Estimate(mean, mean - reach, mean + reach)
        values = (Estimate(1.0), Estimate(1.0 + mean))
        answer = Answer("a game", share=False, values=values, change=change, named=named)
        return AnswerRow(label, (answer,))

    lines = (
        line("steps of 5", 5.0, reach=0.0, named=False),
        line("length", 1.0),
        line("cities closed", 2.0),
        line("clause: a city is closed", 2.0),
        line("cities left open", -2.0),
    )
    answers = [Answers(Section("all", "All", ("a game",), ()), lines)]

    assert [each.label for each in differences(answers, most=9)] == ["cities closed", "length"]

    seats = Section("seats", "Seats", ("a game",), (), even=0.25)
    moves = [line("seat 1", 2.1), line("seat 2", 2.2), line("seat 3", 1.9)]
    answers = [Answers(seats, tuple(moves))]
    assert [each.label for each in differences(answers, most=9)] == ["seat 2"]


@pytest.mark.kernels
def test_a_curve_that_rises_and_falls_changes() -> None:
    """As much as one that only rises, although its ends are the same."""
    setups = [Setup(3, mauer.Options(rounds=rounds)) for rounds in (1, 2)]
    few, many = run_study("mauer", setups, games=400, seed=1)

    rising, back = curves([few, many]), curves([few, many, few])

    assert len(rising) == len(back) == len(curves([few])) + MOST_CHANGES


@pytest.mark.kernels
def test_chance_alone_hardly_changes_a_curve() -> None:
    """However many values there are, of which the largest and the smallest are compared."""
    setup = Setup(3, mauer.Options(rounds=1))
    same = [run_study("mauer", [setup], games=400, seed=seed) for seed in range(12)]

    drawn = curves([each for (each,) in same])

    assert len(drawn) - len(curves([same[0][0]])) <= MOST_CHANGES / 4
