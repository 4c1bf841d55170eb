"""What a replay shows from a viewpoint: a seat's at the time, or that with every hand open.

A seat sees what `view` and `seen` give it, and nothing else; what is told once is told only where
it happened. With every hand open the game's `open_view` is drawn like any other view.
"""

from collections.abc import Iterable
from typing import Any

from mauerwerk.core.game import Ephemeral, Seat
from mauerwerk.server.features.replay.replays import Replay, Viewpoint


def view_at(replay: Replay, at: int, viewpoint: Viewpoint) -> Any:  # noqa: ANN401 - the game's own
    """The table in a position, as these eyes see it."""
    state = replay.states[at]
    if viewpoint is not None:
        return replay.game.view(state, viewpoint)
    return replay.game.open_view(state)


def own_views(replay: Replay, at: int) -> tuple[Any, ...]:
    """The table in a position, as each seat sees it."""
    return tuple(replay.game.view(replay.states[at], Seat(seat)) for seat in range(replay.seats))


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
