"""How long a game can be, and what bots and open tables know of it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from mauerwerk.core import laws, options
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup
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
            if view.builder is not None:
                tasks.add(view.task)
                assert views.state_on(view, state.table) == state
    assert len(tasks) > 8


@pytest.mark.parametrize("name", GAMES)
def test_before_the_lot_nobody_has_had_a_turn(name: str) -> None:
    """Whoever begins."""
    game = GAMES[name]
    state = game.start(Setup(game.SEATS[0], options.from_words(game.OPTIONS, {"first": "lot"})))

    assert game.to_act(state) == (NATURE,)
    assert game.turn(state) == 0


@pytest.mark.parametrize("name", GAMES)
def test_an_open_table_shows_what_every_seat_sees(name: str) -> None:
    """Each hand and each fist as its owner sees it, from the first to the last move."""
    for state, _ in played(name):
        view = GAMES[name].open_view(state)
        for part in {"hands", "fists"} & set(view.__struct_fields__):
            seats = range(len(getattr(view, part)))
            own = [getattr(GAMES[name].view(state, Seat(seat)), part)[seat] for seat in seats]
            assert list(getattr(view, part)) == own


@pytest.mark.parametrize("name", GAMES)
def test_whoever_sees_all_hands_imagines_them(name: str) -> None:
    """As long as a game lasts; what a closed fist holds may be something else."""
    game, beliefs = GAMES[name], BELIEFS[name]
    for state, told in played(name):
        for seat in (Seat(0), Seat(1)) if game.to_act(state) else ():
            belief = beliefs.certain(state, told, seat)
            imagined = beliefs.sample(
                belief, game.view(state, seat), SETUPS[name].options, random.Random(1).randrange
            )
            assert game.view(imagined, seat) == game.view(state, seat)
            if name != "burgbaumeister":
                assert game.open_view(imagined).hands == game.open_view(state).hands


SETUPS: dict[str, Setup[Any]] = {
    "mauer": Setup(3, mauer.Options(rounds=1, first="lot", stall=3)),
    "burgbaumeister": Setup(2, burgbaumeister.Options(variant=True, first="lot")),
    "mauerbauer": Setup(3, mauerbauer.Options(board="wme/wme", first="lot")),
}


def played(name: str) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """The states of a random game, each with all that happened before it."""
    play = laws.Play(GAMES[name], SETUPS[name], random.Random(7).randrange)
    told: tuple[Any, ...] = ()
    yield play.state, told
    while GAMES[name].to_act(play.state):
        told += play.move()[2]
        yield play.state, told
