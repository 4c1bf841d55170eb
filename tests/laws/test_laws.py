"""Every game keeps every law, whatever is chosen and drawn."""

import random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.burgbaumeister.setups import setups as burgbaumeister_setups
from tests.mauer.setups import setups as mauer_setups
from tests.mauerbauer.setups import setups as mauerbauer_setups

from mauerwerk.core import laws
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES


class Trial(NamedTuple):
    """How a game is tried: with which set-ups, and how often by each law."""

    setups: st.SearchStrategy[Setup[Any]]
    examples: int


TRIALS = {
    "mauer": Trial(mauer_setups(), 12),
    "burgbaumeister": Trial(burgbaumeister_setups(), 4),
    "mauerbauer": Trial(mauerbauer_setups(), 5),
}


def test_every_game_is_held_to_the_laws() -> None:
    """A new game must say here how it can be tried."""
    assert list(TRIALS) == list(GAMES)


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", TRIALS)
def test_law(name: str, law: laws.Law) -> None:
    """From any set-up, by any chance."""

    @settings(max_examples=TRIALS[name].examples, deadline=None)
    @given(setup=TRIALS[name].setups, seed=st.integers(min_value=0))
    def hold(setup: Setup[Any], seed: int) -> None:
        law(GAMES[name], setup, random.Random(seed).randrange)

    hold()
