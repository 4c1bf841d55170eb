"""What is seen of a game that is shown again: by a seat as it was then, or with every hand open.

A seat sees what `view` and `seen` give it, and nothing else; what is told once is told only where
it happened. With every hand open the table is put together from what each seat sees, so that a
board draws it as it draws any view.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from mauerwerk.core.game import AnyGame, Ephemeral, Seat
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.cards import card, shown
from mauerwerk.games.burgbaumeister.values import Drawing, Lying, Spreading
from mauerwerk.web.replay.replays import Replay, Viewpoint


def view_at(replay: Replay, at: int, viewpoint: Viewpoint) -> Any:  # noqa: ANN401 - the game's own
    """The table in a position, as these eyes see it."""
    state = replay.states[at]
    if viewpoint is not None:
        return replay.game.view(state, viewpoint)
    return opened(replay.game, state, own_views(replay, at))


def own_views(replay: Replay, at: int) -> tuple[Any, ...]:
    """The table in a position, as each seat sees it."""
    return tuple(replay.game.view(replay.states[at], Seat(seat)) for seat in range(replay.seats))


def opened(game: AnyGame, state: Any, own: Sequence[Any]) -> Any:  # noqa: ANN401 - the game's own
    """The table with every hand open."""
    plain = game.view(state, None)
    match plain:
        case mauer.View():
            return msgspec.structs.replace(
                plain,
                hands=tuple(view.hands[seat] for seat, view in enumerate(own)),
                fists=tuple(view.fists[seat] for seat, view in enumerate(own)),
            )
        case mauerbauer.View():
            hands = tuple(view.hands[seat] for seat, view in enumerate(own))
            return msgspec.structs.replace(plain, hands=hands)
        case burgbaumeister.View():
            return msgspec.structs.replace(plain, seen=_turned_so_far(state))
        case _:
            return plain


def _turned_so_far(state: burgbaumeister.State) -> tuple[Lying, ...]:
    """Every card of the depot that somebody has seen, with its number."""
    if isinstance(state, Drawing | Spreading):
        return ()
    faces = shown(state.table.options)
    numbers = ((place, state.table.numbers[place]) for place in state.table.depot)
    return tuple(Lying(place, card(number, faces)) for place, number in numbers if number)


def told_by(replay: Replay, at: int, viewpoint: Viewpoint) -> tuple[Any, ...]:
    """What these eyes notice of the move that leads to a position, as it happens."""
    if not at:
        return ()
    events = replay.steps[at - 1].events
    if viewpoint is None:
        return events
    seen = (replay.game.seen(event, viewpoint) for event in events)
    return tuple(event for event in seen if event is not None)


def remembered(replay: Replay, at: int, viewpoint: Viewpoint) -> tuple[Any, ...]:
    """All that these eyes noticed up to a position, less what was told once and is past."""
    past = tuple(event for place in range(1, at) for event in told_by(replay, place, viewpoint))
    return (*(past if viewpoint is None else lasting(past)), *told_by(replay, at, viewpoint))


def lasting(events: Iterable[Any]) -> tuple[Any, ...]:
    """What may be told again."""
    return tuple(event for event in events if not isinstance(event, Ephemeral))
