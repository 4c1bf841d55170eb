"""A game that was replayed once: every position of it, and what led there."""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, Ephemeral, Outcome, Seat, Step
from mauerwerk.core.record import Move, Record
from mauerwerk.games import GAMES
from mauerwerk.play.tables.table import Table

MOST: Final = 3_000
"""No record with more moves is shown."""

AT_HAND: Final = 40_000
"""So many positions, of all games together, are kept at hand."""

Viewpoint = Seat | None
"""Through whose eyes a game is looked at: a seat's as it was then, or with every hand open (None).
"""


class Replay:
    """A record, played through once. A position is named by how many moves lie behind it."""

    def __init__(
        self, played: Record, steps: Sequence[Step[Any, Any]], names: tuple[str, ...] = ()
    ) -> None:
        """As it was played, with what each move led to, and how the record names the seats."""
        self.record = played
        self.names = names
        self.game = GAMES[played.game]
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
        """How many play."""
        return self.record.setup.seats

    @property
    def last(self) -> int:
        """The last position."""
        return len(self.steps)

    @property
    def opening(self) -> int:
        """The first position in which somebody is asked, after nature has dealt."""
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
        """Whether what a seat saw in passing is still its own to remember, since play goes on."""
        return self.outcome is None and any(
            isinstance(event, Ephemeral) for step in self.steps for event in step.events
        )


def replay_of(played: Record, names: tuple[str, ...] = ()) -> Replay:
    """The replay of a record."""
    return Replay(played, [step for _, step in record.replay(GAMES[played.game], played)], names)


def replay_at(table: Table) -> Replay:
    """The game of a table, less what was taken back."""
    return Replay(table.record(), [play.step for play in table.plays])


class ReplayCache:
    """Replays in memory; those that were looked at longest ago go first."""

    def __init__(self, most: int = AT_HAND) -> None:
        """Empty, with room for so many positions."""
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
