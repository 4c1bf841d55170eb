"""A game on trial: it is played at random, and each position is checked.

`core.laws.laws` and its parts `core.laws.secrecy` and `core.laws.news` are written with this.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Chance, Ephemeral, Seat, Setup, draw_lot

Law = Callable[[AnyGame, Setup[Any], Chance], None]

MOST_MOVES: Final = 20_000
"""A game with more moves than this counts as one that does not end."""

MOST_ALIKE: Final = 24
"""The number of actions in a position that are compared, or tried although they are illegal."""

MOST_TWINS: Final = 6
"""The number of games that look alike to a seat and are followed side by side."""

T = TypeVar("T")


class BrokenLawError(AssertionError):
    """A game breaks a law; the message ends with the record that leads there."""


class Play:
    """A game that is played at random, position by position."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """Lay the table."""
        self.game = game
        self.setup = setup
        self.draw = draw
        self.state: Any = game.start(setup)
        self.moves: list[record.Move] = []
        self.actions: list[Any] = []
        self.events: tuple[Any, ...] = ()
        self.words: tuple[Any, ...] = ()
        self.hold(game.must_end(setup), "the laws are for games that must end")

    @property
    def seats(self) -> list[Seat]:
        """All seats."""
        return [Seat(seat) for seat in range(self.setup.seats)]

    @property
    def viewers(self) -> list[Seat | None]:
        """All viewers: the seats, and a spectator."""
        return [*self.seats, None]

    def positions(self) -> Iterator[Any]:
        """The states of the game, the first and the last included."""
        yield self.state
        while self.game.to_act(self.state):
            self.hold(len(self.moves) < MOST_MOVES, f"no end after {MOST_MOVES} moves")
            self.move()
            yield self.state

    def some_positions(self) -> Iterator[Any]:
        """The first states of the game and the last, and of those between fewer and fewer."""
        for number, state in enumerate(self.positions()):
            if self.draw(1 + number // 50) == 0 or not self.game.to_act(state):
                yield state

    def rehearse(self) -> None:
        """Play another game to its end, so that `words` has actions of every kind."""
        rehearsal = Play(self.game, self.setup, self.draw)
        for _ in rehearsal.positions():
            pass
        of_a_kind: dict[str, list[Any]] = {}
        for action in dict.fromkeys(rehearsal.actions):
            of_a_kind.setdefault(type(action).__name__, []).append(action)
        self.words = tuple(
            action for kind in of_a_kind.values() for action in some(kind, self.draw)
        )

    def move(self) -> tuple[Seat, Any, tuple[Any, ...]]:
        """Let a seat that must act make a move; return the seat, the action and the events."""
        seat = pick(self.game.to_act(self.state), self.draw)
        if seat == NATURE:
            action = draw_lot(self.game.odds(self.state), self.draw)
        else:
            action = pick(self.game.legal(self.state, seat), self.draw)
        step = self.game.apply(self.state, seat, action)
        self.state = step.state
        self.moves.append(record.Move(seat, self.game.write(action)))
        self.actions.append(action)
        self.events = step.events
        return seat, action, step.events

    def hold(self, holds: object, otherwise: str) -> None:
        """Raise BrokenLawError unless it holds, with what is wrong and the moves that led there."""
        if not holds:
            raise BrokenLawError(f"{self.game.NAME}: {otherwise}\nafter\n{self.paper()}")

    def paper(self) -> str:
        """The moves so far, in a form that can be played again."""
        moves = " ".join(str(move) for move in self.moves)
        return f"{self.game.NAME}/{self.game.RULES} {self.setup}\n{moves}"

    def told(self, events: Sequence[Any], viewer: Seat | None) -> tuple[Any, ...]:
        """What a viewer notices of these events."""
        noticed = (self.game.seen(event, viewer) for event in events)
        return tuple(event for event in noticed if event is not None)

    def table(self, state: Any, viewer: Seat | None) -> tuple[Any, ...]:  # noqa: ANN401
        """What a viewer sees apart from events: view, legal actions, and why others are illegal."""
        game = self.game
        seen = game.view(state, viewer), game.to_act(state), game.turn(state)
        if viewer is None:
            return seen
        refusals = tuple(game.why_not(state, viewer, action) for action in self.words)
        return *seen, tuple(game.legal(state, viewer)), refusals


def pick(choices: Sequence[T], draw: Chance) -> T:
    """One of these, each as likely."""
    return choices[draw(len(choices))]


def some(choices: Sequence[T], draw: Chance) -> list[T]:
    """All of these where they are few, else some of them, by chance."""
    if len(choices) <= MOST_ALIKE:
        return list(choices)
    return [pick(choices, draw) for _ in range(MOST_ALIKE)]


def lasting(told: Sequence[Any]) -> tuple[Any, ...]:
    """What may be told again: all but `Ephemeral` events."""
    return tuple(event for event in told if not isinstance(event, Ephemeral))
