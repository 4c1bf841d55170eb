"""Tables to draw: every state of a few random games."""

from collections.abc import Iterator
from random import Random

import pytest

from mauerwerk.core.game import Setup
from mauerwerk.games import mauer
from mauerwerk.games.mauer.values import Options, State


def played(seats: int, seed: int) -> Iterator[State]:
    """A game by chance, from the drawing of the lot to its end."""
    chance = Random(seed)
    state = mauer.start(Setup(seats, Options(rounds=2, first="lot")))
    yield state
    while asked := mauer.to_act(state):
        who = chance.choice(asked)
        state = mauer.apply(state, who, chance.choice(mauer.legal(state, who))).state
        yield state


@pytest.fixture(scope="session")
def states() -> tuple[State, ...]:
    """States of games of three to six, every ninth of them, and the last one of each."""
    games = [list(played(seats, seats)) for seats in mauer.SEATS]
    return tuple(state for game in games for state in (*game[:-1:9], game[-1]))
