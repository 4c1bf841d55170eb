"""Every game keeps every law, whatever is chosen and drawn."""

import random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.setups.burgbaumeister import setups as burgbaumeister_setups
from tests.support.setups.mauer import setups as mauer_setups
from tests.support.setups.mauerbauer import setups as mauerbauer_setups

from mauerwerk.core import laws
from mauerwerk.core.game import NATURE, Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES


class Trial(NamedTuple):
    """How a game is tried: with which set-ups, how often by each law, and by which it is slow."""

    setups: st.SearchStrategy[Setup[Any]]
    examples: int
    slow: frozenset[laws.Law] = frozenset()


TRIALS = {
    "mauer": Trial(
        mauer_setups(),
        amount(3, 5, 60),
        frozenset({laws.alike_moves_leave_alike_tables, laws.tables_can_be_drawn}),
    ),
    "burgbaumeister": Trial(
        burgbaumeister_setups(),
        amount(2, 2, 20),
        frozenset({laws.alike_moves_leave_alike_tables, laws.tables_can_be_drawn}),
    ),
    "mauerbauer": Trial(
        mauerbauer_setups(),
        amount(2, 1, 12),
        frozenset(
            {
                laws.alike_moves_leave_alike_tables,
                laws.a_seat_sees_no_more_than_it_was_told,
                laws.no_news_rules_nothing_out,
                laws.taking_back_shows_nothing_again,
                laws.tables_can_be_drawn,
            }
        ),
    ),
}
EACH = [
    pytest.param(
        name,
        law,
        id=f"{name}-{law.__name__}",
        marks=[pytest.mark.slow] if law in trial.slow else [],
    )
    for name, trial in TRIALS.items()
    for law in laws.LAWS
]


def test_every_game_is_held_to_the_laws() -> None:
    """A new game must say here how it can be tried."""
    assert list(TRIALS) == list(GAMES)


@pytest.mark.parametrize(("name", "law"), EACH)
def test_law(name: str, law: laws.Law) -> None:
    """From any set-up, by any chance."""

    @settings(max_examples=TRIALS[name].examples)
    @given(setup=TRIALS[name].setups, seed=st.integers(min_value=0))
    def hold(setup: Setup[Any], seed: int) -> None:
        law(GAMES[name], setup, random.Random(seed).randrange)

    hold()


@pytest.mark.parametrize("name", GAMES)
def test_at_a_small_table_no_lot_falls_on_an_empty_seat(name: str) -> None:
    """Few set-ups that chance draws have a lot and an empty seat."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], from_words(game.OPTIONS, {"first": "lot"}))
    state = game.start(setup)
    lots = [
        each for each in game.lots(setup) if isinstance(each, type(game.legal(state, NATURE)[0]))
    ]
    empty = set(lots) - set(game.legal(state, NATURE))

    assert len(empty) == game.SEATS[-1] - game.SEATS[0]
    assert all(game.why_not(state, NATURE, each) in game.CLAUSES for each in empty)
