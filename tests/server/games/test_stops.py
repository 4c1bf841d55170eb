"""Whether people stop to look is known without a drawing: by phases and events."""

import random

import pytest
from tests.server.games.positions import NAMES

from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import GAMES
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import SeenMove

WITH_MOMENTS = [name for name in GAMES if web_game(name).moments is not None]


@pytest.mark.parametrize("name", WITH_MOMENTS)
@pytest.mark.parametrize("seed", range(2))
def test_no_moment_is_overlooked(name: str, seed: int) -> None:
    """A move that has a moment for anybody is one after which people stop."""
    game, room, draw = GAMES[name], web_game(name), random.Random(seed).randrange
    assert room.moments
    assert room.stops
    setup = Setup(game.SEATS[0], game.OPTIONS())
    names = NAMES[: setup.seats]
    state, past, found = game.start(setup), list[object](), 0
    while waiting := game.to_act(state):
        seat = waiting[0]
        odds = game.odds(state) if seat == NATURE else dict.fromkeys(game.legal(state, seat), 1)
        before, step = state, game.apply(state, seat, draw_lot(odds, draw))
        state = step.state
        stops = room.stops(before, state, step.events)
        for viewer in (None, *map(Seat, range(setup.seats))):
            seen = [each for each in (game.seen(one, viewer) for one in step.events) if each]
            move = SeenMove(
                game.view(before, viewer), game.view(state, viewer), seen, names, ENGLISH, past
            )
            moments = room.moments(move) if stops or viewer is None else ()
            assert stops or not moments
            found += bool(moments)
        past = [*past, *step.events][-24:]

    assert found
