"""A study that goes on until a question is decided."""

import random
from itertools import accumulate

import pytest

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.core.language import TITLES, language_of
from mauerwerk.games import mauer, mauerbauer
from mauerwerk.lab.study import plan as planning
from mauerwerk.lab.study.question import (
    BURN_IN,
    Asking,
    Verdict,
    change_words,
    decide,
    half_width,
    looks,
    question_of,
    sentence,
)

SHORT = Setup(3, mauer.Options(rounds=1))


def test_looking_often_finds_nothing_where_there_is_nothing() -> None:
    """Of 400 studies without an effect, each looked at 200 times, at most 5 in 100 find one."""
    draw = random.Random(1)
    studies, games, wrong = 400, 20_000, 0
    for _ in range(studies):
        wins = 0
        done = 0
        for _ in range(200):
            more = games // 200
            wins += sum(draw.random() < 0.25 for _ in range(more))
            done += more
            share = wins / done
            if done >= BURN_IN and abs(share - 0.25) > half_width(done, share * (1 - share)):
                wrong += 1
                break

    assert wrong <= 0.05 * studies


def test_an_ordinary_interval_would_find_something() -> None:
    """The same looks at intervals for one look are wrong far more often: the test has teeth."""
    draw = random.Random(1)
    wrong = 0
    for _ in range(200):
        totals = accumulate(sum(draw.random() < 0.25 for _ in range(100)) for _ in range(100))
        for number, wins in enumerate(totals, 1):
            games = 100 * number
            if games >= BURN_IN and abs(wins / games - 0.25) > 1.96 * (0.25 * 0.75 / games) ** 0.5:
                wrong += 1
                break

    assert wrong > 0.15 * 200


@pytest.mark.kernels
def test_a_clear_effect_is_found_soon() -> None:
    """Whoever begins a round of Die Mauer among uniform players wins more often."""
    plan = planning.make_plan("mauer", [Setup(4, mauer.Options())], ["uniform"], 1)
    asking = Asking(question_of("begin", "mauer", [Setup(4, mauer.Options())]), plan)
    done: list[planning.Done] = []
    for job in planning.jobs(plan, 40_000, 0):
        done.append(planning.do(plan, job))
        if asking.is_decided(done):
            break

    results, decision = asking.answer(done)

    assert decision.verdict is Verdict.MORE
    assert results[0].tally.games == decision.games < 40_000
    assert sentence(decision).startswith("Beginning helps: the player who begins wins 2")


@pytest.mark.kernels
def test_the_answer_does_not_depend_on_the_order_of_work() -> None:
    """Batches that came early from quick workers do not count before those in between."""
    setups = [SHORT, Setup(3, mauer.Options(rounds=1, stall=3))]
    plan = planning.make_plan("mauer", setups, ["uniform"], 3)
    asked = question_of("length", "mauer", setups)
    done = [planning.do(plan, job) for job in planning.jobs(plan, 8_000, 0)]

    forwards = Asking(asked, plan).answer(done)
    backwards = Asking(asked, plan).answer(done[::-1])

    assert forwards == backwards
    assert forwards[1].verdict is Verdict.LESS
    assert not Asking(asked, plan).is_decided(done[1:])


@pytest.mark.kernels
def test_what_is_too_small_to_matter_is_an_answer_too() -> None:
    """A rule that changes nothing is found to do so."""
    setups = [SHORT, Setup(3, mauer.Options(rounds=1, stall=1000))]
    results = planning.run_study("mauer", setups, games=4_000, seed=1)
    decision = decide(question_of("gap", "mauer", setups), results)

    assert decision.verdict in {Verdict.SAME, Verdict.OPEN}
    assert change_words(results) == "stall=1000"


@pytest.mark.kernels
@pytest.mark.parametrize("code", TITLES)
@pytest.mark.parametrize("name", ["begin", "length", "gap", "shared", "win/2"])
def test_each_answer_is_a_sentence_in_each_language(code: str, name: str) -> None:
    """No template shows through."""
    setups = [SHORT, Setup(3, mauer.Options(rounds=1, stall=3))]
    results = planning.run_study("mauer", setups, games=2_000, seed=1)
    said = sentence(
        decide(question_of(name, "mauer", setups), results), "stall=3", language_of(code)
    )

    assert "stall=3" in said
    assert "{" not in said


def test_questions_that_make_no_sense_are_refused() -> None:
    """There is such a column, and it is compared with something."""
    with pytest.raises(SetupError, match="there is no question 'luck'; there is begin, length"):
        question_of("luck", "mauer", [SHORT])
    with pytest.raises(SetupError, match="length is compared with nothing"):
        question_of("length", "mauerbauer", [Setup(3, mauerbauer.Options())])


def test_looks_become_rarer() -> None:
    """A million games in batches of two thousand are looked at some forty times."""
    assert len(looks(500)) < 50
