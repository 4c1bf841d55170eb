"""What a player knows: the table now, all that was told, and what may be done.

Everything that leaves the rules on its way to a seat goes through `Observer`: it asks the game what
each viewer notices, so that no other code needs to know what is secret.
"""

from typing import Any, Generic, TypeVar

from mauerwerk.core.game import AnyGame, Seat, Step, Value

A_co = TypeVar("A_co", bound=Value, covariant=True)
E_co = TypeVar("E_co", bound=Value, covariant=True)
V_co = TypeVar("V_co", bound=Value, covariant=True)


class Sight(Value, Generic[A_co, E_co, V_co]):
    """All that a bot or a person at this seat is given.

    `view` is what lies on the table now, `told` is memory: every event since the start, less what
    this seat could not notice.
    """

    seat: Seat
    view: V_co
    told: tuple[E_co, ...]
    legal: tuple[A_co, ...]


class Observer:
    """One viewer's memory of a game: a seat, or a spectator (None)."""

    def __init__(self, game: AnyGame, seat: Seat | None) -> None:
        """Begin with nothing seen."""
        self._game = game
        self.seat = seat
        self.told: tuple[Any, ...] = ()

    def follow(self, step: Step[Any, Any]) -> tuple[Any, ...]:
        """Remember what this viewer notices of a step, and return it."""
        noticed = tuple(
            event
            for event in (self._game.seen(event, self.seat) for event in step.events)
            if event is not None
        )
        self.told += noticed
        return noticed

    def sight(self, state: Any) -> Sight[Any, Any, Any]:  # noqa: ANN401
        """What this seat may know in this state."""
        if self.seat is None:
            raise ValueError("a spectator has nothing to decide")
        legal = tuple(self._game.legal(state, self.seat))
        return Sight(self.seat, self._game.view(state, self.seat), self.told, legal)
