"""Where the points came from: source by source they are the points of the outcome."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.setups.burgbaumeister import setups as burgbaumeister_setups
from tests.support.setups.mauer import setups as mauer_setups
from tests.support.setups.mauerbauer import setups as mauerbauer_setups

from mauerwerk.core.game import NATURE, AnyGame, Outcome, Setup, draw_lot
from mauerwerk.core.language import ENGLISH
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.server.games import WEB_GAMES
from mauerwerk.server.games.room import Source

SETUPS: dict[str, st.SearchStrategy[Setup[Any]]] = {
    "mauer": mauer_setups(),
    "burgbaumeister": burgbaumeister_setups(),
    "mauerbauer": mauerbauer_setups(),
}
MOST = 4_000
"""The most moves of a game that is looked at; some set-ups need not end."""


def played(game: AnyGame, setup: Setup[Any], seed: int) -> tuple[list[Any], Outcome | None]:
    """All events of a game in which everybody chooses at random."""
    chance = random.Random(seed)
    state: Any = game.start(setup)
    events: list[Any] = []
    for _ in range(MOST):
        asked = game.to_act(state)
        if not asked:
            break
        seat = chance.choice(asked)
        if seat == NATURE:
            action = draw_lot(game.odds(state), chance.randrange)
        else:
            action = chance.choice(game.legal(state, seat))
        step = game.apply(state, seat, action)
        events += step.events
        state = step.state
    return events, game.outcome(state)


def found(name: str, events: list[Any], seats: int) -> tuple[Source, ...]:
    """The sources of a game."""
    sources = WEB_GAMES[name].sources
    assert sources is not None
    return tuple(sources(events, seats, ENGLISH))


@pytest.mark.parametrize("name", SETUPS)
@settings(max_examples=amount(6, 12, 200), deadline=None)
@given(data=st.data(), seed=st.integers(0, 10_000))
def test_the_sources_sum_to_the_points(name: str, data: st.DataObject, seed: int) -> None:
    """Whatever the variant, the options and the number of seats."""
    setup = data.draw(SETUPS[name])
    events, outcome = played(GAMES[name], setup, seed)
    if outcome is None:
        return

    totals = zip(*(source.points for source in found(name, events, setup.seats)), strict=True)

    assert tuple(sum(points) for points in totals) == outcome.points


def test_every_seat_number_and_variant_is_tried() -> None:
    """Each of them once, beside what chance picks."""
    for name, options in (("burgbaumeister", {"variant": "yes"}), ("mauerbauer", {"early": "yes"})):
        game = GAMES[name]
        for seats in game.SEATS:
            setup = Setup(seats, from_words(game.OPTIONS, options))
            events, outcome = played(game, setup, seats)
            assert outcome is not None
            sheet = found(name, events, seats)
            assert len(sheet) > 1
            totals = zip(*(source.points for source in sheet), strict=True)
            assert tuple(sum(points) for points in totals) == outcome.points
