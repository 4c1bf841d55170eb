"""Whether a seat that has to act has anything to decide."""

from typing import Any

from mauerwerk.core.game import AnyGame, Seat


def is_choice(game: AnyGame, state: Any, seat: Seat) -> bool:  # noqa: ANN401 - the game's own
    """Whether it makes a difference what this seat does.

    With one legal move it makes none, nor with two that lead to the same position, such as two
    equal pieces that go to two places in either order.
    """
    match game.legal(state, seat):
        case [_]:
            return False
        case [one, other]:
            return bool(_after(game, state, seat, one) != _after(game, state, seat, other))
        case _:
            return True


def _after(game: AnyGame, state: Any, seat: Seat, action: Any) -> Any:  # noqa: ANN401 - see above
    """The position after a move, and after what this seat must do then."""
    state = game.apply(state, seat, action).state
    while game.to_act(state) == (seat,):
        match game.legal(state, seat):
            case [only]:
                state = game.apply(state, seat, only).state
            case _:
                break
    return state
