"""What a search takes a game of Mauerbauer for: cards in hand, points, and how people build."""

import numpy as np
import pytest
from tests.support.positions import setup_of

from mauerwerk.core.game import Seat
from mauerwerk.games import mauerbauer
from mauerwerk.kernels import pack_setup
from mauerwerk.kernels.contract import Record
from mauerwerk.kernels.mauerbauer.advice import evaluate, rollout_action
from mauerwerk.kernels.mauerbauer.moves import build
from mauerwerk.kernels.mauerbauer.records import BUILDING, NO_HOUSE
from mauerwerk.kernels.mauerbauer.rules import count
from mauerwerk.kernels.search.worlds import packed

PAIR = setup_of(mauerbauer, 2, first="0")
SETUP = pack_setup(mauerbauer, PAIR).view(np.recarray)[0]
CITY_1, CITY_2 = 1 << 0, 1 << 2
"""Hands of one card."""


def begun() -> Record:
    """An empty board, and nobody has any card."""
    state: Record = packed(mauerbauer, PAIR, mauerbauer.start(PAIR)).view(np.recarray)[0]
    state.phase = BUILDING
    return state


def shares_of(state: Record) -> tuple[float, float]:
    """What the search takes the chances for."""
    shares = np.zeros(2)
    evaluate(SETUP, state, shares)
    return float(shares[0]), float(shares[1])


def test_equals_have_equal_chances() -> None:
    """Points and cards alike."""
    state = begun()
    state.points[:2] = 20
    state.hands[:2] = CITY_1

    assert shares_of(state) == pytest.approx((0.5, 0.5))


def test_a_card_in_hand_counts_as_long_as_it_can_be_played() -> None:
    """As much as some points; once the last piece is built, nothing (MB-70)."""
    state = begun()
    state.hands[0] = CITY_1 | CITY_2
    state.hands[1] = CITY_1
    state.points[1] = 3
    assert shares_of(state)[0] > 0.5

    state.ending = NO_HOUSE
    assert shares_of(state)[0] < 0.5


def test_a_lead_counts_more_towards_the_end() -> None:
    """A player who is behind may swap cards at every future city (MB-47)."""
    state = begun()
    state.points[0] = 10
    early = shares_of(state)[0]
    state.walls_left = 2
    late = shares_of(state)[0]

    assert 0.5 < early < late


def test_by_habit_people_close_what_can_be_closed() -> None:
    """More often than chance does: they look at several lines (MB-31)."""
    state = begun()
    first, second, last = SETUP.around[:3].tolist()
    for line in (first, second):
        build(SETUP, state, line)
    state.phase = BUILDING

    with np.errstate(over="ignore"):  # compiled code wraps around and says nothing
        choices = count(SETUP, state, Seat(0))
        closed = sum(
            rollout_action(SETUP, state, Seat(0), 1, turn, 0) == last for turn in range(1_000)
        )

    assert closed > 2 * 1_000 / choices
