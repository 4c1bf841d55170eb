"""Mauerbauer: no piece and no card is lost or made."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.setups.mauerbauer import setups

from mauerwerk.core import laws
from mauerwerk.core.game import Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.guild import DECK
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    TOWERS,
    Adding,
    Appointing,
    Choosing,
    Finishing,
    Options,
    Scoring,
    State,
)


def pieces(state: State) -> tuple[object, ...]:
    """All pieces, colour by colour, and all cards, wherever they are."""
    if isinstance(state, Appointing):
        return 33, [10] * 3, [12] * 5, [3] * 5, Counter(DECK)
    table, supply = state.table, state.table.supply
    towers = Counter(tower for _, tower in table.towers)
    houses = Counter(colour for _, colour in table.houses)
    palaces = Counter(colour for city in table.cities for colour in city.palaces)
    houses.update(colour for city in table.cities for colour in city.houses)
    laid = state.laid if isinstance(state, Scoring | Adding | Choosing | Finishing) else ()
    cards = Counter([*table.pile, *table.discard, *(card for hand in table.hands for card in hand)])
    cards.update(card for each in laid for card in each.cards)
    for counts in (supply.towers, supply.houses, supply.palaces, (supply.walls,)):
        assert min(counts) >= 0
    return (
        supply.walls + len(table.walls),
        [left + towers[tower] for left, tower in zip(supply.towers, TOWERS, strict=True)],
        [left + houses[colour] for left, colour in zip(supply.houses, COLOURS, strict=True)],
        [left + palaces[colour] for left, colour in zip(supply.palaces, COLOURS, strict=True)],
        cards,
    )


@pytest.mark.rule("MB-2", "MB-7", "MB-34", "MB-35", "MB-41", "MB-45", "MB-46")
@settings(max_examples=amount(3, 8, 300))
@given(setup=setups(), seed=st.integers(min_value=0))
def test_no_piece_and_no_card_is_lost(setup: Setup[Options], seed: int) -> None:
    """Pieces are on the board or in supply, cards in hands, piles or before the players."""
    laws.conserves(pieces)(mauerbauer, setup, Random(seed).randrange)
