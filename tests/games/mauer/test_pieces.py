"""Die Mauer: no piece is lost or made."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount

from mauerwerk.core import laws
from mauerwerk.core.game import Setup
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import Drawing, Piece, State


def pieces(state: State) -> Counter[Piece]:
    """Every piece in play; a new round brings full sets again."""
    assert not isinstance(state, Drawing)
    return Counter([*state.table.wall, *(piece for hand in state.table.hands for piece in hand)])


@pytest.mark.rule("DM-1", "DM-25")
@settings(max_examples=amount(4, 12, 300))
@given(seats=st.sampled_from(mauer.SEATS), seed=st.integers(min_value=0))
def test_no_piece_is_lost(seats: int, seed: int) -> None:
    """Seven pieces a player, on the table or in hands, in every state of every round (DM-1)."""
    setup = Setup(seats, mauer.Options(rounds=2))
    laws.conserves(pieces)(mauer, setup, random.Random(seed).randrange)
    assert pieces(mauer.start(setup)) == Counter(dict.fromkeys(Piece, seats))
