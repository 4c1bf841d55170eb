"""What a network learns about hands is what the rules say about them."""

import random
from typing import Any

import pytest

from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.games.mauer.values import FULL_SET
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.kernels import KERNELS, actions_of, kernel_of
from mauerwerk.kernels.play.single import SingleGame
from mauerwerk.learn.rooms import ROOMS

pytestmark = pytest.mark.kernels

THINGS: dict[str, tuple[Any, ...]] = {"mauer": FULL_SET, "mauerbauer": KINDS}


@pytest.mark.parametrize("name", THINGS)
def test_hands_are_read_as_the_rules_hold_them(name: str) -> None:
    """Bit by bit, through a whole game."""
    game, draw = GAMES[name], random.Random(1)
    position = SingleGame(game, Setup(3, game.OPTIONS()))
    held = kernel_of(name).HELD
    assert len(held) == len(THINGS[name])
    while seats := position.to_act:
        record, state = position.record[0], position.state
        table = getattr(state, "table", state)
        for seat, hand in enumerate(getattr(table, "hands", ())):
            bits = int(record["hands"][seat])
            told = [thing for thing, mask in zip(THINGS[name], held, strict=True) if bits & mask]
            assert set(told) == set(hand)
        seat = seats[0]
        position.apply(seat, draw.choice(position.legal(seat)))


@pytest.mark.parametrize("name", KERNELS)
def test_one_network_fits_all_that_it_is_to_learn(name: str) -> None:
    """Whatever options and number of seats, observations and actions have the same places."""
    game, kernel = GAMES[name], kernel_of(name)
    setups = [
        Setup(seats, from_words(game.OPTIONS, dict(words)))
        for words in ROOMS[name].OPTIONS
        for seats in game.SEATS
    ]

    assert len({str(kernel.OBSERVATION.layout(setup)) for setup in setups}) == 1
    assert len({actions_of(game, setup) for setup in setups}) == 1
