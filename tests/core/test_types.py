"""What type checkers must know: `make check` reads these, pytest runs them too."""

from typing import Any, assert_type

from mauerwerk.core.game import AnyGame, Game, Outcome, Seat, Setup, Step
from mauerwerk.games import GAMES, mauer


def test_the_module_is_the_game() -> None:
    """A module satisfies the protocol, with its own kinds of values."""
    game: Game[mauer.State, mauer.Action, mauer.Event, mauer.View] = mauer
    whatever: AnyGame = mauer
    assert GAMES["mauer"] is game is whatever


def test_a_move_keeps_its_kinds() -> None:
    """From start to outcome nothing becomes Any."""
    state = mauer.start(Setup(3, mauer.Options()))
    assert_type(state, mauer.State)
    step = mauer.apply(state, Seat(0), mauer.parse("T"))
    assert_type(step, Step[mauer.State, mauer.Event])
    assert_type(mauer.outcome(step.state), Outcome | None)
    assert mauer.view(step.state, None).counts == (7, 7, 7)


def test_values_cannot_be_changed() -> None:
    """Neither by accident nor on purpose."""
    options: Any = mauer.Options()
    try:
        options.rounds = 9
    except AttributeError:
        assert options == mauer.Options()
    else:
        raise AssertionError(options)
