"""A replay: every position of a game, and what led there."""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, Ephemeral, Outcome, Seat, Step
from mauerwerk.core.record import Move, Record
from mauerwerk.games import game_in
from mauerwerk.server.tables.table import Table

MOST: Final = 3_000
"""The most moves of a record that is shown."""

AT_HAND: Final = 40_000
"""The number of positions, of all games together, that are kept in memory."""

Viewpoint = Seat | None
"""A seat, which sees what it saw at the time, or None for every hand open."""


class Replay:
    """A record, played through. The number of a position is that of the moves before it."""

    def __init__(
        self, played: Record, steps: Sequence[Step[Any, Any]], names: tuple[str, ...] = ()
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
    def moves(self) -> tuple[Move, ...]:
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


def replay_of(played: Record, names: tuple[str, ...] = ()) -> Replay:
    """The replay of a record."""
    return Replay(played, [step for _, step in record.replay(game_in(played), played)], names)


def replay_at(table: Table) -> Replay:
    """The game of a table, less what was taken back."""
    return Replay(table.record(), [play.step for play in table.plays])


class ReplayCache:
    """Replays in memory; the least recently used go first."""

    def __init__(self, most: int = AT_HAND) -> None:
        """Start empty, with room for this many positions."""
        self._most = most
        self._replays: OrderedDict[str, Replay] = OrderedDict()
        self._positions = 0

    def get(self, name: str) -> Replay | None:
        """The replay of this name, if it is in memory."""
        replay = self._replays.get(name)
        if replay is not None:
            self._replays.move_to_end(name)
        return replay

    def put(self, name: str, replay: Replay) -> Replay:
        """Keep a replay."""
        self._forget([name])
        self._replays[name] = replay
        self._positions += len(replay.states)
        while self._positions > self._most and len(self._replays) > 1:
            self._forget([next(iter(self._replays))])
        return replay

    def __len__(self) -> int:
        return len(self._replays)

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            replay = self._replays.pop(name, None)
            self._positions -= len(replay.states) if replay else 0
