"""How long a game can be, and how bots read what they were told."""

import random
from typing import Any

import pytest

from mauerwerk.core import laws
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister import beliefs as burgbaumeister_beliefs
from mauerwerk.games.mauer import beliefs as mauer_beliefs
from mauerwerk.games.mauerbauer import beliefs as mauerbauer_beliefs
from mauerwerk.games.mauerbauer import views

BELIEFS = {
    "mauer": mauer_beliefs,
    "burgbaumeister": burgbaumeister_beliefs,
    "mauerbauer": mauerbauer_beliefs,
}


@pytest.mark.parametrize(
    ("game", "setup", "longest"),
    [
        (mauer, Setup(3, mauer.Options(rounds=1, stall=2)), (3 * 7 + 1) * 2 * 7),
        (mauer, Setup(5, mauer.Options(rounds=4, stall=3)), 4 * (5 * 7 + 1) * 3 * 11),
        (mauer, Setup(3, mauer.Options(stall="off")), None),
        (burgbaumeister, Setup(2, burgbaumeister.Options()), 46 * 90 * 3),
        (burgbaumeister, Setup(2, burgbaumeister.Options(stall=False)), None),
        (mauerbauer, Setup(3, mauerbauer.Options(board="w")), 3 * (10 + 4 * (60 + 6))),
    ],
)
def test_a_game_is_no_longer_than_its_rules_allow(
    game: AnyGame, setup: Setup[Any], longest: int | None
) -> None:
    """A game that need not end has no length."""
    assert game.longest(setup) == longest
    assert game.must_end(setup) == (longest is not None)


@pytest.mark.parametrize("name", GAMES)
def test_steps_are_all_that_was_told_and_none_is_empty(name: str) -> None:
    """From wherever a belief reads on."""
    game = GAMES[name]
    play = laws.Play(game, Setup(game.SEATS[-1], game.OPTIONS()), random.Random(3).randrange)
    told: tuple[Any, ...] = ()
    while game.to_act(play.state) and len(play.moves) < 60:
        told += play.told(play.move()[2], play.seats[0])
    for begin in (0, 1, len(told) // 2, len(told)):
        steps = list(BELIEFS[name].steps(told, begin))
        assert all(steps)
        assert tuple(event for step in steps for event in step) == told[begin:]


def test_a_state_follows_from_its_view_and_table() -> None:
    """Mauerbauer, whatever is to be done; all seats after the first are in their order."""
    setup = Setup(4, mauerbauer.Options(board="small"))
    tasks: set[Any] = set()
    for seed in range(6):
        play = laws.Play(mauerbauer, setup, random.Random(seed).randrange)
        for state in play.positions():
            view = mauerbauer.view(state, None)
            if view.builder is not None and hasattr(state, "table"):
                try:
                    found = views.state_on(view, state.table)
                except ValueError:
                    continue
                tasks.add(view.task)
                assert found == state
    assert len(tasks) > 8
