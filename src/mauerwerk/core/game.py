"""The words in which every game is said: seats, values, steps, outcomes, and the game itself.

A game is a module (or any object) with the members of `Game`. Its rules take values and return
values; nothing here or below a game keeps anything in mind between two calls.
"""

import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, NewType, Protocol, TypeVar, dataclass_transform

import msgspec

from mauerwerk.core.language.translation import ENGLISH, Language

Seat = NewType("Seat", int)
"""A place at the table, counted clockwise from 0."""

NATURE: Final = Seat(-1)
"""Who shuffles, deals and rolls. Nature moves like any other seat, alone, and by `Game.odds`."""

Chance = Callable[[int], int]
"""A source of chance from outside: `draw(n)` is a number from 0 to n - 1, each as likely.

No rule draws for itself. `random.Random(seed).randrange` is a `Chance`."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class _Frozen(msgspec.StructMeta):
    """Tells type checkers that whoever inherits from `Value` is frozen too."""


class Value(
    msgspec.Struct,
    metaclass=_Frozen,
    frozen=True,
    gc=False,  # a value cannot come to hold itself, so nobody needs to look for that
    tag=str.lower,
    forbid_unknown_fields=True,
):
    """What is passed, stored or sent: every state, action, event and view.

    Values are compared and hashed by content, cannot be changed, and are their own JSON:
    `msgspec.json.encode(value)`, with the kind of value under `"type"`.
    """


class Ephemeral(Value):
    """An event that is told once, as it happens, and by no path again: memory is the game.

    Whoever keeps or sends events must not serve one of these a second time before the game is
    over: no log, no resume, no replay.
    """


Options = TypeVar("Options", bound=Value)
S = TypeVar("S", bound=Value)
A = TypeVar("A", bound=Value)
E = TypeVar("E", bound=Value)
V = TypeVar("V", bound=Value)
E_co = TypeVar("E_co", bound=Value, covariant=True)
S_co = TypeVar("S_co", bound=Value, covariant=True)


class Setup(Value, Generic[Options]):
    """What a table agrees on before the first move: how many play, and the game's options."""

    seats: int
    options: Options


class Step(Value, Generic[S_co, E_co]):
    """What a move leads to: the new state, and what happened, in order."""

    state: S_co
    events: tuple[E_co, ...]


class Outcome(Value):
    """How a game ended, seat by seat.

    Ranks begin at 1; who shares a rank is equal, and the next rank is left out (1, 2, 2, 4).
    Points are what the score sheet says; whether many or few are good is the game's affair, so
    compare ranks. The reason is a word of the game's own, explained on its page in `docs/games`.
    """

    ranks: tuple[int, ...]
    points: tuple[int, ...]
    reason: str

    @property
    def winners(self) -> tuple[Seat, ...]:
        """All seats of rank 1."""
        return tuple(Seat(seat) for seat, rank in enumerate(self.ranks) if rank == 1)


class SetupError(ValueError):
    """A game cannot start like this: the message names the option and what is allowed."""

    def __init__(self, template: str, **values: str | int) -> None:
        """With values, the message is a template to translate; without, it stands as it is."""
        super().__init__(template.format_map(values) if values else template)
        self.template = template
        self.values: Mapping[str, str | int] = values


class MoveError(ValueError):
    """A move that was not made. Nothing has changed."""


class NotAWordError(MoveError):
    """Not a word of this game's notation, so no move at all."""

    def __init__(self, word: str, expected: str) -> None:
        """Name the word and what would have been one."""
        super().__init__(f"{shown(word)} is not a move: {expected}")
        self.word = word
        self.expected = expected

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it can come out of another process."""
        return type(self), (self.word, self.expected)


class IllegalMoveError(MoveError):
    """A move of this game that the rules forbid here; `clause` is the one that does."""

    def __init__(self, who: Seat, word: str, clause: str, because: str) -> None:
        """Name who, what, and the clause with its gist."""
        super().__init__(f"{name_of(who)} may not play {shown(word)} here: {because} ({clause})")
        self.seat = who
        self.word = word
        self.clause = clause
        self.because = because

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it can come out of another process."""
        return type(self), (self.seat, self.word, self.clause, self.because)


class StaleMoveError(MoveError):
    """A move that came too late: the game is over, or has moved on since it was thought of."""


def refusal(who: Seat, word: str, clause: str, because: str, *, over: bool) -> MoveError:
    """The error for a move that a clause forbids; once the game is over, any move is too late."""
    if over:
        return StaleMoveError(f"the game is over: {shown(word)} came too late")
    return IllegalMoveError(who, word, clause, because)


class Game(Protocol[S, A, E, V]):
    """The rules of one game. A module of these names is one; `laws` says what they promise."""

    @property
    def NAME(self) -> str:
        """The game's word in records and commands, such as `mauer`."""
        ...

    @property
    def TITLE(self) -> str:
        """The name on the box."""
        ...

    @property
    def RULES(self) -> int:
        """The revision of these rules. It rises when an old record would no longer replay."""
        ...

    @property
    def SEATS(self) -> range:
        """How many can play."""
        ...

    @property
    def OPTIONS(self) -> type[Value]:
        """What a table can choose; see `core.options`."""
        ...

    @property
    def CLAUSES(self) -> Mapping[str, str]:
        """The gist of every clause that `why_not` can name."""
        ...

    @property
    def FILES(self) -> Mapping[str, Callable[[str], str]]:
        """Options that can be given as a file: what makes the word from the file's text."""
        ...

    def start(self, setup: Setup[Any], /) -> S:
        """Lay the table. Raises SetupError where seats or options are not allowed."""
        ...

    def must_end(self, setup: Setup[Any], /) -> bool:
        """Whether such a game ends whatever is played; not so where a table switched that off."""
        ...

    def to_act(self, state: S, /) -> tuple[Seat, ...]:
        """Who must move: several when they choose together, nature alone, () when it is over."""
        ...

    def legal(self, state: S, seat: Seat, /) -> Sequence[A]:
        """All that this seat may do now, in canonical order; empty when it is not asked."""
        ...

    def odds(self, state: S, /) -> Mapping[A, int]:
        """Nature's actions with integer weights; empty when nature is not asked.

        For the engine alone: it can hold what no seat may know.
        """
        ...

    def apply(self, state: S, seat: Seat, action: A, /) -> Step[S, E]:
        """Make the move, always checked. Raises IllegalMoveError or StaleMoveError."""
        ...

    def outcome(self, state: S, /) -> Outcome | None:
        """How it ended; None while it goes on."""
        ...

    def turn(self, state: S, /) -> int:
        """How many complete turns lie behind: a line in a record each."""
        ...

    def view(self, state: S, seat: Seat | None, /) -> V:
        """The table as this seat (None: a spectator) sees it now."""
        ...

    def seen(self, event: E, seat: Seat | None, /) -> E | None:
        """The event less what this seat may not know; None when it does not notice it."""
        ...

    def reveals(self, event: E, /) -> bool:
        """Whether somebody learns from this event what was hidden or undecided before.

        What led to such an event cannot simply be taken back. The same goes for an event that
        hides: there, taking it back would reveal.
        """
        ...

    def why_not(self, state: S, seat: Seat, action: A, /) -> str:
        """The clause that forbids the move, such as `DM-9`; empty when nothing does."""
        ...

    def write(self, action: A, /) -> str:
        """One word per action, without white space."""
        ...

    def parse(self, word: str, /) -> A:
        """Read what `write` wrote. Raises NotAWordError."""
        ...

    def say(self, action: A, language: Language = ENGLISH, /) -> str:
        """The action as a player would say it, such as `build at the left end`."""
        ...

    def ask(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What the table waits for, as a question to whom the view belongs."""
        ...

    def tell(self, event: E, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What happened, as a sentence; empty when it goes without saying."""
        ...

    def text(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """The table drawn for a terminal."""
        ...

    def svg(
        self, view: V, legal: Sequence[A], names: Sequence[str], language: Language = ENGLISH, /
    ) -> str:
        """The table as a picture, with the word of each legal action on its target."""
        ...


AnyGame = Game[Any, Any, Any, Any]
"""A game whose values the caller passes on without looking into them."""


def shown(word: str) -> str:
    """A word from outside, quoted, and cut where it is too long for a message.

    >>> shown("T" * 100)
    "'TTTTTTTTTTTT...TTTTTTTTTTTTT'"
    """
    return reprlib.repr(word)


def name_of(seat: Seat) -> str:
    """How a seat is called where players have no names: `seat 2`, or `nature`."""
    return "nature" if seat == NATURE else f"seat {seat}"


def ranked(keys: Sequence[Any]) -> tuple[int, ...]:
    """Ranks for these keys, the smallest first; equal keys share a rank, the next is left out.

    >>> ranked([30, 12, 45, 12])
    (3, 1, 4, 1)
    """
    in_order = sorted(keys)
    return tuple(in_order.index(key) + 1 for key in keys)


def draw_lot(odds: Mapping[A, int], draw: Chance) -> A:
    """Let nature move: one of these actions, by weight."""
    ticket = draw(sum(odds.values()))
    for action, weight in odds.items():
        if ticket < weight:
            return action
        ticket -= weight
    message = "nature has nothing to draw"
    raise ValueError(message)
