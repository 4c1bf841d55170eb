"""A replay: every position of a game, what led there, and what it shows from a viewpoint.

A seat sees what `view` and `seen` give it, and nothing else; what is told once is told only where
it happened. With every hand open the game's `open_view` is drawn like any other view.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, Final

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, Ephemeral, Outcome, Seat, Step
from mauerwerk.games import game_in
from mauerwerk.server.tables.table import Table

MOST: Final = 3_000
"""The most moves of a record that is shown."""

Viewpoint = Seat | None
"""A seat, which sees what it saw at the time, or None for every hand open."""


class Replay:
    """A record, played through. The number of a position is that of the moves before it."""

    def __init__(
        self, played: record.Record, steps: Sequence[Step[Any, Any]], names: tuple[str, ...] = ()
    ) -> None:
        """Take a record, the step of each move, and the names of the seats in the record."""
        self.record = played
        self.names = names
        self.game = game_in(played)
        self.steps = tuple(steps)
        first: Any = self.game.start(played.setup)
        self.states = (first, *(step.state for step in self.steps))
        self.outcome: Outcome | None = self.game.outcome(self.states[-1])
        turns = [self.game.turn(state) for state in self.states]
        self._beginnings = [at for at in range(1, len(turns)) if turns[at] != turns[at - 1]]

    @property
    def moves(self) -> tuple[record.Move, ...]:
        """All moves; the one at a position is the one that was made there."""
        return self.record.moves

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.record.setup.seats

    @property
    def last(self) -> int:
        """The last position."""
        return len(self.steps)

    @property
    def opening(self) -> int:
        """The first position in which a seat is to move, after nature has dealt."""
        asked = (at for at, move in enumerate(self.moves) if move.seat != NATURE)
        return next(asked, self.last)

    def turn_before(self, at: int) -> int:
        """Where the turn begins that lies before this position."""
        place = bisect_left(self._beginnings, at)
        return self._beginnings[place - 1] if place else 0

    def turn_after(self, at: int) -> int:
        """Where the next turn begins."""
        place = bisect_right(self._beginnings, at)
        return self._beginnings[place] if place < len(self._beginnings) else self.last

    @property
    def is_memory(self) -> bool:
        """Whether a seat still has to remember what it was told once, since play goes on."""
        return self.outcome is None and any(
            isinstance(event, Ephemeral) for step in self.steps for event in step.events
        )

    def view(self, at: int, viewpoint: Viewpoint) -> Any:  # noqa: ANN401 - the game's own
        """The table in a position, as this viewpoint shows it."""
        state = self.states[at]
        return self.game.open_view(state) if viewpoint is None else self.game.view(state, viewpoint)

    def own_views(self, at: int) -> tuple[Any, ...]:
        """The table in a position, as each seat sees it."""
        return tuple(self.game.view(self.states[at], Seat(seat)) for seat in range(self.seats))

    def events(self, at: int, viewpoint: Viewpoint) -> tuple[Any, ...]:
        """What this viewpoint notices of the move that leads to a position, as it happens."""
        if not at:
            return ()
        events = self.steps[at - 1].events
        if viewpoint is None:
            return events
        seen = (self.game.seen(event, viewpoint) for event in events)
        return tuple(event for event in seen if event is not None)

    def remembered(self, at: int, viewpoint: Viewpoint) -> tuple[Any, ...]:
        """All that was noticed up to a position, less what was told once and is past."""
        past = tuple(event for place in range(1, at) for event in self.events(place, viewpoint))
        return (*(past if viewpoint is None else lasting(past)), *self.events(at, viewpoint))


def lasting(events: Iterable[Any]) -> tuple[Any, ...]:
    """What may be told again."""
    return tuple(event for event in events if not isinstance(event, Ephemeral))


def replay_of(played: record.Record, names: tuple[str, ...] = ()) -> Replay:
    """The replay of a record."""
    return Replay(played, [step for _, step in record.replay(game_in(played), played)], names)


def replay_at(table: Table) -> Replay:
    """The game of a table, less what was taken back."""
    return Replay(table.record(), [play.step for play in table.plays])
