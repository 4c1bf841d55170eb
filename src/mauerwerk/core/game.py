"""What every game is made of: seats, values, steps, outcomes, sights, and the protocol `Game`.

A game is a module (or any object) with the members of `Game`. Its rules take values and return
values; no state is kept between two calls.
"""

import reprlib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, Generic, NewType, Protocol, TypeVar, dataclass_transform

import msgspec

from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.core.svg import Symbols

Seat = NewType("Seat", int)
"""A place at the table, counted clockwise from 0."""
NATURE: Final = Seat(-1)
"""The seat that shuffles, deals and rolls. It moves alone, and by `Game.odds`."""

Chance = Callable[[int], int]
"""A source of chance from outside: `draw(n)` is a number from 0 to n - 1, each as likely.

No rule draws for itself. `random.Random(seed).randrange` is a `Chance`."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class _Frozen(msgspec.StructMeta):
    """Tells type checkers that subclasses of `Value` are frozen too."""


class Value(
    msgspec.Struct,
    metaclass=_Frozen,
    frozen=True,
    gc=False,  # a value cannot hold itself, so there are no cycles to collect
    tag=str.lower,
    forbid_unknown_fields=True,
):
    """The base of every state, action, event and view, and of all that is stored or sent.

    Values are compared and hashed by content, cannot be changed, and are their own JSON:
    `msgspec.json.encode(value)`, with the kind of value under `"type"`.
    """


class Ephemeral(Value):
    """An event that is told once, as it happens, and never again: memory is the game.

    Code that keeps or sends events must not serve one of these a second time before the game is
    over: no log, no resume, no replay.
    """


Options = TypeVar("Options", bound=Value)
S = TypeVar("S", bound=Value)
A = TypeVar("A", bound=Value)
T = TypeVar("T")
E = TypeVar("E", bound=Value)
V = TypeVar("V", bound=Value)
A_co = TypeVar("A_co", bound=Value, covariant=True)
E_co = TypeVar("E_co", bound=Value, covariant=True)
S_co = TypeVar("S_co", bound=Value, covariant=True)
V_co = TypeVar("V_co", bound=Value, covariant=True)


class Setup(Value, Generic[Options]):
    """What a table agrees on before the first move: the number of seats, and the options."""

    seats: int
    options: Options


class Step(Value, Generic[S_co, E_co]):
    """What a move leads to: the new state, and what happened, in order."""

    state: S_co
    events: tuple[E_co, ...]


class Outcome(Value):
    """How a game ended, seat by seat.

    Ranks begin at 1; seats that share a rank are equal, and the next rank is left out (1, 2, 2, 4).
    Points are what the score sheet says, and `()` in a game without points; whether many or few are
    good depends on the game, so compare ranks. The reason is one of `Game.ENDINGS`; the pages in
    `docs/games` explain them.
    """

    ranks: tuple[int, ...]
    points: tuple[int, ...]
    reason: str

    @property
    def scores(self) -> tuple[int, ...]:
        """The points, or 0 for every seat in a game without points; for sums and means."""
        return self.points or (0,) * len(self.ranks)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """All seats of rank 1."""
        return tuple(Seat(seat) for seat, rank in enumerate(self.ranks) if rank == 1)


class Game(Protocol[S, A, E, V]):
    """The rules of one game; `laws` checks what they promise.

    A module with all of these names is a game. So is an object, and its class can inherit the
    members that not every game needs from `core.defaults.GameDefaults`.
    """

    # --- What the game is -----------------------------------------------------------------------

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
        """The numbers of players that the game is for."""
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
    def ENDINGS(self) -> tuple[str, ...]:
        """Every reason that an outcome can give, in canonical order."""
        ...

    @property
    def STATES(self) -> tuple[type[Value], ...]:
        """The types of its states."""
        ...

    @property
    def EVENTS(self) -> tuple[type[Value], ...]:
        """The types of its events."""
        ...

    @property
    def VIEW(self) -> type[Value]:
        """The type of its views."""
        ...

    @property
    def FILES(self) -> Mapping[str, Callable[[str], str]]:
        """For each option of kind `file`, the function that turns a file's text into a word."""
        ...

    @property
    def MESSAGES(self) -> Sequence[tuple[str, str]]:
        """The texts of its tables that are translated, each after its context (often empty).

        Clauses and options are found without being listed here.
        """
        ...

    @property
    def PIECES(self) -> Symbols:
        """The symbols of its drawings."""
        ...

    @property
    def SERIES(self) -> Mapping[type[Value], tuple[str, str]]:
        """Events of which several in a row are one decision, such as cards put away one by one.

        Bots make the next of them without a pause, and the history tells them in one sentence, in
        one of two forms: `("{name} swapped {number} card", "{name} swapped {number} cards")`. Each
        such event has a `seat`.
        """
        ...

    @property
    def beliefs(self) -> Any:  # noqa: ANN401 - a module whose types are the game's own
        """The module of what a seat can infer: `believe`, `after`, `sample`; None without one."""
        ...

    @property
    def observation(self) -> Any:  # noqa: ANN401 - an `Observation`, which needs this module
        """What learners see (`core.observation.Observation`); None where only its kernel says so.

        Without either they see who must act, what is legal, and the number of turns.
        """
        ...

    # --- Play -----------------------------------------------------------------------------------

    def start(self, setup: Setup[Any], /) -> S:
        """Lay the table. Raises SetupError where seats or options are not allowed."""
        ...

    def must_end(self, setup: Setup[Any], /) -> bool:
        """Whether such a game ends whatever is played; a table may have switched that off."""
        ...

    def longest(self, setup: Setup[Any], /) -> int | None:
        """An upper bound on the players' moves in a game that must end; None: not known."""
        ...

    def to_act(self, state: S, /) -> tuple[Seat, ...]:
        """The seats that must move: several that choose together, nature alone, () at the end."""
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
        """The number of complete turns so far; each has a line of its own in a record."""
        ...

    def why_not(self, state: S, seat: Seat, action: A, /) -> str:
        """The clause that forbids the move, such as `DM-9`; empty when nothing does."""
        ...

    # --- What each viewer knows -----------------------------------------------------------------

    def view(self, state: S, seat: Seat | None, /) -> V:
        """The table as this seat (None: a spectator) sees it now."""
        ...

    def open_view(self, state: S, /) -> V:
        """The table with every hand open, for a game that is over and shown again."""
        ...

    def scores(self, view: V, /) -> Sequence[int]:
        """The points of each seat so far, as this view shows them; empty where it shows none."""
        ...

    def seen(self, event: E, seat: Seat | None, /) -> E | None:
        """The event less what this seat may not know; None when it does not notice it."""
        ...

    def reveals(self, event: E, /) -> bool:
        """Whether anyone learns from this event what was hidden or undecided before.

        What led to such an event cannot simply be taken back. The same goes for an event that
        hides: there, taking it back would reveal.
        """
        ...

    # --- Words and pictures ---------------------------------------------------------------------

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
        """What the table waits for, as a question to the viewer of this view."""
        ...

    def tell(self, event: E, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """What happened, as a sentence; empty when it goes without saying."""
        ...

    def clause(self, event: E, /) -> str:
        """The clause that explains an event, such as `DM-18`; empty where none is needed."""
        ...

    def text(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """The table drawn for a terminal."""
        ...

    def svg(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """The table as a picture that stands alone, for notebooks and files."""
        ...

    def holds(self, view: V, language: Language = ENGLISH, /) -> Sequence[str]:
        """What each seat holds, in a few words, as far as this viewer may know: `3 cards`, `7 9 J`.

        Empty where nobody holds anything, or where a board of its own shows it.
        """
        ...

    def group(self, action: A, language: Language = ENGLISH, /) -> str:
        """The heading under which an action stands where many are offered; empty: under none."""
        ...

    # --- Numbers, for learners ------------------------------------------------------------------

    def choices(self, setup: Setup[Any], /) -> Sequence[A]:
        """All that players can ever do at such a table; an action's number is its place here.

        Empty where the game does not number its actions; then learners cannot play it.
        """
        ...

    def lots(self, setup: Setup[Any], /) -> Sequence[A]:
        """All that nature can ever do at such a table; its numbers follow those of `choices`."""
        ...


AnyGame = Game[Any, Any, Any, Any]
"""A game whose values the caller passes on without looking into them."""


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
    """One viewer's memory of a game: a seat, or a spectator (None).

    Everything that leaves the rules on its way to a seat goes through here: it asks the game what
    each viewer notices, so that no other code needs to know what is secret.
    """

    def __init__(self, game: AnyGame, seat: Seat | None) -> None:
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


def shown(word: str) -> str:
    """A word from outside, quoted, and cut where it is too long for a message.

    >>> shown("T" * 100)
    "'TTTTTTTTTTTT...TTTTTTTTTTTTT'"
    """
    return reprlib.repr(word)


def name_of(seat: Seat) -> str:
    """The name of a seat where players have no names, or `nature`. People count seats from 1.

    >>> name_of(Seat(0))
    'seat 1'
    """
    return "nature" if seat == NATURE else f"seat {seat + 1}"


def ranked(keys: Sequence[Any]) -> tuple[int, ...]:
    """Ranks for these keys, the smallest first; equal keys share a rank, the next is left out.

    >>> ranked([30, 12, 45, 12])
    (3, 1, 4, 1)
    """
    in_order = sorted(keys)
    return tuple(in_order.index(key) + 1 for key in keys)


def rewards_by_rank(ranks: Sequence[int]) -> list[float]:
    """The share of the others that each seat beat, less the share that beat it: from -1 to 1.

    They add up to zero.

    >>> rewards_by_rank([1, 2, 2])
    [1.0, -0.5, -0.5]
    """
    return [sum((rank > own) - (rank < own) for rank in ranks) / (len(ranks) - 1) for own in ranks]


def draw_lot(odds: Mapping[T, int], draw: Chance) -> T:
    """Let nature move: one of these actions, or of other things, by weight."""
    ticket = draw(sum(odds.values()))
    for action, weight in odds.items():
        if ticket < weight:
            return action
        ticket -= weight
    raise ValueError("nature has nothing to draw")


def revisions(game: AnyGame) -> Sequence[AnyGame]:
    """The rules of a game in each revision that there is, the present one first.

    When rules change so that an old record would no longer replay, `RULES` rises. The rules as they
    were can stay, as a game with the same `NAME` and the old `RULES`, which the game names:

        EARLIER = (breach_1,)

    Tables that were begun under them are played to the end under them, and their records replay.
    New tables are played by the game itself. A game without `EARLIER` has no earlier rules.
    """
    return (game, *getattr(game, "EARLIER", ()))


def of_revision(game: AnyGame, rules: int) -> AnyGame | None:
    """The rules of a game in this revision; None where the game does not bring them."""
    return next((each for each in revisions(game) if rules == each.RULES), None)


def after_forfeits(outcome: Outcome, seats: Sequence[int]) -> Outcome:
    """The outcome where programs at these seats failed: they are behind all others.

    The others keep their order.

    >>> after_forfeits(Outcome((1, 2, 3), (9, 5, 5), "out"), [0]).ranks
    (3, 1, 2)
    """
    ranks = ranked([(seat in seats, rank) for seat, rank in enumerate(outcome.ranks)])
    return msgspec.structs.replace(outcome, ranks=ranks)


class DrawnView(Value):
    """A view that notebooks show as a picture, drawn by the package that holds its class."""

    def _repr_svg_(self) -> str:
        """The table as this view has it, without targets; seats go by their numbers."""
        game: Any = import_module(type(self).__module__.rpartition(".")[0])
        drawing: str = game.svg(self, [name_of(Seat(seat)) for seat in range(game.SEATS[-1])])
        return drawing
