"""The fourth game keeps the laws, and its records replay."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fourth_game.game import BREACH
from tests.fourth_game.values import STONES, Options, State
from tests.support.amounts import amount
from tests.support.game_table import AnyTable, StartTable

from mauerwerk.core import laws, record
from mauerwerk.core.errors import IllegalMoveError, StaleMoveError
from mauerwerk.core.game import AnyGame, Outcome, Setup
from mauerwerk.games import GAMES

GAME = """\
breach/1 seats=3 rounds=2
~:w2
0:1 1:3 2:1
~:w1 0:0 1:2 2:2
= 0:0 1:2 2:0 rounds
"""


@pytest.fixture
def game() -> AnyGame:
    """The game of this module."""
    return BREACH


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_law(law: laws.Law) -> None:
    """From any set-up, by any chance."""
    for seed in range(amount(5, 10, 200)):
        setup = Setup(3 + seed % 3, Options(rounds=1 + seed % 9))
        law(BREACH, setup, random.Random(seed).randrange)


@given(rounds=st.integers(1, 9), seed=st.integers(min_value=0))
def test_stones_are_kept_or_spent(rounds: int, seed: int) -> None:
    """A player never has more stones than before, and never less than none (BR-4)."""
    left = [STONES] * 3

    def shrink(state: State) -> bool:
        now = state.table.stones
        fewer = all(0 <= new <= old for new, old in zip(now, left, strict=True))
        left[:] = now
        return fewer

    laws.conserves(shrink)(BREACH, Setup(3, Options(rounds)), random.Random(seed).randrange)


def test_the_fullest_hand_builds_and_spends_its_stones(table: AnyTable) -> None:
    """Its owner scores; the others keep their stones (BR-3, BR-4)."""
    table.play("~:w2 0:1 1:3 2:1")

    assert table.state.table.scores == (0, 2, 0)
    assert table.state.table.stones == (6, 3, 6)


def test_equal_hands_spend_their_stones_for_nothing(table: AnyTable) -> None:
    """Two hands hold the most: nobody builds (BR-3, BR-4)."""
    table.play("~:w2 0:1 1:3 2:3")

    assert table.state.table.scores == (0, 0, 0)
    assert table.state.table.stones == (6, 3, 3)


def test_a_hand_that_does_not_fill_the_breach_is_spent(table: AnyTable) -> None:
    """The fullest hand is too small for the breach (BR-3, BR-4)."""
    table.play("~:w3 0:0 1:2 2:1")

    assert table.state.table.scores == (0, 0, 0)
    assert table.state.table.stones == (6, 4, 6)


def test_the_game_can_end_before_its_last_round(start_table: StartTable) -> None:
    """When all stones are spent, nobody can build any more (BR-5)."""
    table = start_table(rounds="9")
    table.play("~:w1 0:6 1:6 2:6")

    assert BREACH.outcome(table.state) == Outcome((1, 1, 1), (0, 0, 0), "spent")


def test_stones_break_a_tie(start_table: StartTable) -> None:
    """Of players with the same score, those with more stones rank higher (BR-5)."""
    table = start_table(rounds="1")
    table.play("~:w3 0:2 1:1 2:0")

    assert BREACH.outcome(table.state) == Outcome((3, 1, 1), (0, 0, 0), "rounds")
    with pytest.raises(StaleMoveError):
        table.play("0:0")


def test_nobody_holds_more_than_they_own(start_table: StartTable) -> None:
    """A hand is closed around one's own stones (BR-2)."""
    table = start_table(rounds="2")
    table.play("~:w1 0:5 1:0 2:0 ~:w1")

    with pytest.raises(IllegalMoveError, match=r"\(BR-2\)"):
        table.play("0:2")


def test_a_record_is_found_by_its_name_and_replays() -> None:
    """The game is looked up among all games, as a record names it."""
    kept = record.read(GAME, GAMES)

    assert record.write(GAMES[kept.game], kept) == GAME
    *_, (_, last) = record.replay(GAMES[kept.game], kept)
    assert GAMES[kept.game].outcome(last.state) == Outcome((2, 1, 3), (0, 2, 0), "rounds")
