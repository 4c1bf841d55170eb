"""Burgbaumeister: no card is lost or made."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.setups.burgbaumeister import setups

from mauerwerk.core import laws
from mauerwerk.core.game import Setup
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.values import Drawing, Spreading, State


def cards(state: State) -> int:
    """How many cards there are, in the depot, in walls and destroyed."""
    if isinstance(state, Drawing | Spreading):
        return 45
    table = state.table
    return len(table.depot) + sum(map(len, table.walls)) + len(table.destroyed)


@pytest.mark.rule("BB-1")
@settings(max_examples=amount(3, 8, 200))
@given(setup=setups(), seed=st.integers(min_value=0))
def test_no_card_is_lost(setup: Setup[bb.Options], seed: int) -> None:
    """There are 45 cards in every state of every game (BB-1)."""
    laws.conserves(cards)(bb, setup, Random(seed).randrange)
