"""A game that has no bots, no kernel and no study of its own is played and studied by its rules."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.support.positions import setup_of

from mauerwerk.core.errors import SetupError
from mauerwerk.core.record import Record
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels.play.batch import run
from mauerwerk.lab.analysis import analyse, gather
from mauerwerk.lab.match.contest import contest, lineup_of, play_fixture, rotations
from mauerwerk.lab.match.match import simulate
from mauerwerk.lab.study.comparison import answers_by_name
from mauerwerk.lab.study.plan import run_study

NIM: Any = SimpleNamespace(**{**vars(mauer), "NAME": "nim", "beliefs": None})
"""Die Mauer by another name."""
SETUP = setup_of(NIM, 3, rounds="1")


@pytest.fixture(autouse=True)
def _nim(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game more."""
    games: Any = GAMES
    monkeypatch.setitem(games, "nim", NIM)


def test_it_is_simulated_by_the_rules() -> None:
    """The same seed gives the same games."""
    one, other = (list(simulate(NIM, SETUP, ["greedy"] * 3, 2, seed=1)) for _ in range(2))
    assert one == other
    assert {played.record.game for played in one} == {"nim"}


def test_it_has_contests() -> None:
    """With every bot that there is."""
    games = contest("nim", SETUP, seed=1)
    lineup = lineup_of(["greedy", "uniform", "apprentice"])
    finished = [play_fixture(games, fixture) for fixture in rotations(lineup, range(1))]
    assert [min(each.result.ranks) for each in finished] == [1, 1, 1]


def test_a_study_counts_what_all_games_have() -> None:
    """Seats, length, endings and closeness, and nothing else."""
    (study,) = run_study("nim", [SETUP], bots=["uniform"], games=8, seed=1)
    answers = answers_by_name([study])

    assert not study.study.compiled
    assert list(answers) == ["seats", "order", "length", "endings", "closeness", "margins"]
    assert list(answers["endings"]) == ["Out", "Deadlock", "Stall"]
    wins = (row["wins"].values[0] for row in answers["seats"].values())
    assert sum(each.mean for each in wins if each is not None) == pytest.approx(1)


def test_it_is_analysed_without_rules_of_thumb() -> None:
    """All choices are equal, so that no move is a mistake."""
    (played,) = simulate(NIM, SETUP, ["uniform"] * 3, 1, seed=1)
    record = Record("nim", 1, SETUP, played.record.moves[:12])
    analysis = gather(record, analyse(record, seconds=1))

    assert analysis.by == "greedy"
    assert analysis.lost == (0.0, 0.0, 0.0)
    assert all(sum(each.chances) == pytest.approx(1) for each in analysis.positions)


def test_what_needs_a_kernel_says_so_in_one_line() -> None:
    """And names the games that have one."""
    with pytest.raises(SetupError, match=r"^there is no kernel for nim, only for [a-z, ]+$"):
        run(NIM, SETUP, 1, seed=1)
