"""Every game keeps every law, whatever is chosen and drawn."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mauerwerk.core import laws
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.games.mauer.values import Drawing, Piece, State

SEEDS = st.integers(min_value=0, max_value=2**32)


@st.composite
def mauer_setups(draw: st.DrawFn) -> Setup[mauer.Options]:
    seats = draw(st.sampled_from(mauer.SEATS))
    first = st.one_of(st.just("lot"), st.integers(min_value=0, max_value=seats - 1))
    return Setup(
        seats,
        mauer.Options(
            rounds=draw(st.integers(min_value=1, max_value=3)),
            first=draw(first),  # type: ignore[arg-type]  # Hypothesis joins the two kinds to object
            stall=draw(st.sampled_from([1, 2, 5, 24])),
        ),
    )


SETUPS: dict[str, st.SearchStrategy[Setup[Any]]] = {"mauer": mauer_setups()}


def mauer_pieces(state: State) -> Counter[Piece] | None:
    """Every piece in play; a new round brings full sets again."""
    if isinstance(state, Drawing):
        return None
    return Counter([*state.table.wall, *(p for hand in state.table.hands for p in hand)])


def test_every_game_is_held_to_the_laws() -> None:
    """A new game must say here which setups it can be tried with."""
    assert list(SETUPS) == list(GAMES)


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", SETUPS)
def test_law(name: str, law: laws.Law) -> None:
    @settings(max_examples=12, deadline=None)
    @given(setup=SETUPS[name], seed=SEEDS)
    def hold(setup: Setup[Any], seed: int) -> None:
        law(GAMES[name], setup, random.Random(seed).randrange)

    hold()


@pytest.mark.rule("DM-1", "DM-25")
@settings(max_examples=30, deadline=None)
@given(seats=st.sampled_from(mauer.SEATS), seed=SEEDS)
def test_no_piece_of_die_mauer_is_lost(seats: int, seed: int) -> None:
    """Seven pieces a player, on the table or in hands, in every state of every round (DM-1)."""
    setup = Setup(seats, mauer.Options(rounds=2))
    law = laws.conserves(mauer_pieces)
    law(mauer, setup, random.Random(seed).randrange)
    at_first = mauer_pieces(mauer.start(setup))
    assert at_first == Counter(dict.fromkeys(Piece, seats))
