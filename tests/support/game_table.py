"""A game in progress, for tests: moves go in as words, what everybody sees comes out."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from mauerwerk.core.game import NATURE, Game, Outcome, Seat, Value

S = TypeVar("S", bound=Value)


A = TypeVar("A", bound=Value)


E = TypeVar("E", bound=Value)


V = TypeVar("V", bound=Value)


Kind = TypeVar("Kind", bound=Value)


SPECTATOR: Final = None


class Told(Generic[E]):
    """What every viewer noticed of some moves, in order."""

    def __init__(self, noticed: Mapping[Seat | None, Sequence[E]]) -> None:
        """Keep the events of each seat, and of a spectator."""
        self._noticed = {viewer: tuple(events) for viewer, events in noticed.items()}

    def __getitem__(self, viewer: int | None) -> tuple[E, ...]:
        """All that this viewer noticed."""
        return self._noticed[SPECTATOR if viewer is None else Seat(viewer)]

    def of(self, kind: type[Kind], viewer: int | None = SPECTATOR) -> tuple[Kind, ...]:
        """What this viewer noticed of one kind of event."""
        return tuple(event for event in self[viewer] if isinstance(event, kind))

    def only(self, kind: type[Kind], viewer: int | None = SPECTATOR) -> Kind:
        """The one event of this kind that the viewer noticed."""
        (event,) = self.of(kind, viewer)
        return event


class Table(Generic[S, A, E, V]):
    """A game in progress, driven by words such as `0:T 1:4 2:- 2:*C` (nature is `~`)."""

    def __init__(self, game: Game[S, A, E, V], seats: int, state: S) -> None:
        """Sit down in this state."""
        self.game = game
        self.state = state
        self.viewers: tuple[Seat | None, ...] = (SPECTATOR, *map(Seat, range(seats)))

    def play(self, words: str) -> Told[E]:
        """Make these moves; return what each viewer noticed of them."""
        noticed: dict[Seat | None, list[E]] = {viewer: [] for viewer in self.viewers}
        for word in words.split():
            step = self.game.apply(self.state, *self._read(word))
            self.state = step.state
            for viewer, events in noticed.items():
                told = [self.game.seen(event, viewer) for event in step.events]
                events.extend(event for event in told if event is not None)
        return Told(noticed)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that must move."""
        return self.game.to_act(self.state)

    def legal(self, seat: int) -> str:
        """What this seat may do, as words: `T C 4 -`; empty when it is not asked."""
        return " ".join(map(self.game.write, self.game.legal(self.state, Seat(seat))))

    def why_not(self, word: str) -> str:
        """The clause that forbids a move such as `0:T`; empty when nothing does."""
        return self.game.why_not(self.state, *self._read(word))

    def view(self, viewer: int | None) -> V:
        """The table as this viewer sees it."""
        return self.game.view(self.state, SPECTATOR if viewer is None else Seat(viewer))

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        return self.game.outcome(self.state)

    def _read(self, word: str) -> tuple[Seat, A]:
        who, _, what = word.partition(":")
        return NATURE if who == "~" else Seat(int(who)), self.game.parse(what)


AnyTable: TypeAlias = Table[Any, Any, Any, Any]


class StartTable(Protocol):
    """Lays a table for the test module's game: `start_table(seats=4, first="lot")`."""

    def __call__(self, seats: int = ..., **options: str) -> AnyTable:
        """Start a game; options are words, as in a record."""
        ...
