"""A study's games are the same on any workers, in any order, interrupted or not."""

from functools import partial
from pathlib import Path

import pytest

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.lab.jsonl import Content
from mauerwerk.lab.study.plan import RESULTS, Done, Plan, do, jobs, make_plan, results_of, run_study
from mauerwerk.lab.study.study import Batch, Both, play_batch, study_of
from mauerwerk.lab.workers import map_unordered, processes

SHORT = Setup(3, mauer.Options(rounds=1))
HOUSE = Setup(3, mauer.Options(rounds=2, penalties="T:40"))
LONG = Setup(3, mauer.Options(rounds=2))
BOTS = ("greedy", "uniform", "uniform")


@pytest.fixture(scope="module")
def plan() -> Plan:
    """One rule and another."""
    return make_plan("mauer", [SHORT, LONG], BOTS, seed=3)


@pytest.fixture(scope="module")
def done(plan: Plan) -> list[Done]:
    """All that is to be done for ten games."""
    return [do(plan, job) for job in jobs(plan, 10, deals=3)]


@pytest.mark.kernels
@pytest.mark.process
def test_any_order_and_any_crew_find_the_same(plan: Plan, done: list[Done]) -> None:
    """Two processes, or this one backwards."""
    with processes(2) as workers:
        at_once = list(map_unordered(partial(do, plan), jobs(plan, 10, deals=3), workers))
    assert results_of(plan, at_once) == results_of(plan, done) == results_of(plan, done[::-1])
    assert [one.tally.games for one in results_of(plan, done)] == [10, 10]


@pytest.mark.kernels
def test_more_games_are_those_and_others(plan: Plan, done: list[Done]) -> None:
    """The first ten of twelve are the ten; only the last batch, the only one, is played again."""
    first = {each.job for each in done}
    more = jobs(plan, 12, deals=3)
    again = [job for job in more if job not in first]
    assert {(job.work, job.games) for job in again} == {(Both(0, 12), 24)}


def test_whoever_stops_half_way_has_half_of_all(plan: Plan) -> None:
    """Both rules, games and deals are mixed."""
    first = jobs(plan, 80, deals=4)[:20]
    kinds = {(job.study, type(job.work).__name__) for job in first}
    assert kinds == {(0, "Both"), (0, "Deal"), (1, "Deal")}


@pytest.mark.kernels
def test_a_study_in_one_call() -> None:
    """As scripts make it; uniform games are the kernels'."""
    (one,) = run_study("mauer", [SHORT], games=50, seed=1)
    assert one.study.compiled
    assert (one.tally.games, one.luck) == (50, None)
    bots = ["uniform"] * 3
    assert one.tally == play_batch(study_of("mauer", SHORT, bots, 1), one_batch(50)).tally


def one_batch(games: int) -> Batch:
    """All games from the first."""
    return Batch(0, games)


@pytest.mark.parametrize(
    ("setup", "bots", "fault"),
    [
        (Setup(3, mauer.Options(stall="off")), ["uniform"], "need not end"),
        (SHORT, ["uniform", "greedy"], "3 seats need as many bots, not 2"),
        (SHORT, ["nobody"], "there is no bot 'nobody'"),
        (SHORT, ["greedy:memory=perfect"], "there is nothing to remember in mauer"),
    ],
)
def test_what_cannot_be_studied_is_refused(
    setup: Setup[mauer.Options], bots: list[str], fault: str
) -> None:
    """Before anything is played."""
    with pytest.raises(SetupError, match=fault):
        make_plan("mauer", [setup], bots, seed=1)


# --- In a file -------------------------------------------------------------------------------


@pytest.mark.kernels
def test_a_study_outlives_whoever_keeps_it(plan: Plan, done: list[Done], tmp_path: Path) -> None:
    """Cut anywhere, the file is read and written on, and comes to the same."""
    path = tmp_path / "study.jsonl"
    with RESULTS.append_to(path, plan) as add:
        for each in done:
            add(each)
    whole = path.read_bytes()
    assert RESULTS.read(path) == Content(plan, tuple(done))
    for cut in range(0, len(whole), 997):
        path.write_bytes(whole[:cut])
        there = RESULTS.read(path)
        RESULTS.check(path, there, plan)
        left = [each for each in done if each not in there.lines]
        with RESULTS.append_to(path, plan) as add:
            for each in left:
                add(each)
        assert results_of(plan, RESULTS.read(path).lines) == results_of(plan, done)


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        (
            make_plan("mauer", [SHORT], BOTS, seed=3),
            "a comparison of two rules, not a study of one",
        ),
        (make_plan("mauer", [SHORT, LONG], BOTS, seed=4), "seed='3', not '4'"),
        (make_plan("mauer", [LONG, LONG], BOTS, seed=3), "rounds='1', not '2'"),
        (make_plan("mauer", [SHORT, LONG], ["greedy"], seed=3), "bots='greedy,uniform,uniform'"),
        (make_plan("mauer", [SHORT, HOUSE], BOTS, seed=3), "penalties='printed', not 'T:40'"),
    ],
)
def test_a_file_of_another_study_is_refused(
    plan: Plan, tmp_path: Path, other: Plan, fault: str
) -> None:
    """With what differs."""
    path = tmp_path / "study.jsonl"
    with RESULTS.append_to(path, plan):
        pass
    with pytest.raises(SetupError, match=fault):
        RESULTS.check(path, RESULTS.read(path), other)


@pytest.mark.parametrize("content", [b"dear diary\n", b'{"type":"contest","game":"mauer"}\n', b"x"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    """And left as it is."""
    path = tmp_path / "other.txt"
    path.write_bytes(content)
    with pytest.raises(SetupError, match="is no file of a study"):
        RESULTS.read(path)
    assert path.read_bytes() == content


@pytest.mark.kernels
@pytest.mark.slow
def test_bots_change_seats_from_game_to_game() -> None:
    """So that a seat's figures are not those of one bot that always has it."""
    one = study_of("mauer", SHORT, BOTS, seed=3)
    wins = play_batch(one, Batch(0, 60)).tally
    seats = [
        sum(value * games for value, games in wins.counts[f"win/{seat}"].items())
        for seat in range(3)
    ]
    assert max(seats) < 0.62 * sum(seats)


@pytest.mark.kernels
def test_every_game_can_be_studied() -> None:
    """By rules and by kernels."""
    for name, game in GAMES.items():
        setup = Setup(game.SEATS[0], game.OPTIONS())
        for bot in ("uniform", "greedy"):
            study = study_of(name, setup, [bot] * setup.seats, seed=1)
            assert study.compiled == (bot in {"uniform", "greedy"})
            assert play_batch(study, Batch(0, 1)).tally.games == 1
