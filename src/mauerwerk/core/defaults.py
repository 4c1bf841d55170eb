"""What a game is taken to be where it says nothing else, and what is checked before its rules.

A class that inherits from `GameDefaults` writes what only this game knows. Where every game does
the same, that is done here: an option that is not allowed, a player whose turn it is not and a move
after the end are refused before `begin`, `forbids` and `move` are asked.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, TypeVar, get_args, get_origin

from mauerwerk.core import options
from mauerwerk.core.errors import GENERAL_CLAUSES, OVER, TURN, NotAWordError, refusal
from mauerwerk.core.game import NATURE, A, E, Outcome, S, Seat, Setup, Step, V, Value
from mauerwerk.core.language import ENGLISH, Language, listed
from mauerwerk.core.svg import SIGNS, TEXT, Drawing, Symbols, fitting, node, picture

EXAMPLES: Final = 8
"""The number of words that are named where a word is none of them."""


class NoOptions(Value):
    """The options of a game that has none."""


class GameDefaults(ABC, Generic[S, A, E, V]):
    """The base of a game that is a class and brings only the members that every game needs.

    Its types are taken from the brackets: `class Breach(GameDefaults[State, Action, Event, View])`,
    where `State` and `Event` may be unions.
    """

    TITLE: str
    NAME: str
    RULES: int = 1
    """The first revision."""
    SEATS: range
    OPTIONS: type[Value] = NoOptions
    """Nothing can be chosen."""
    CLAUSES: Mapping[str, str] = MappingProxyType({})
    """Only that it is not one's turn, and that the game is over; both are added to any others."""
    STATES: tuple[type[Value], ...]
    EVENTS: tuple[type[Value], ...]
    VIEW: type[Value]
    CHOICES: Sequence[A] = ()
    """All that players can ever do, in canonical order; then `legal`, `parse` and `choices` follow.

    Where this depends on the options: all that they can do at any table."""
    LOTS: Sequence[A] = ()
    """The same for nature."""
    FILES: Mapping[str, Callable[[str], str]] = MappingProxyType({})
    """No option can be given as a file."""
    MESSAGES: Sequence[tuple[str, str]] = ()
    """No text of a table is translated."""
    PIECES: Symbols = SIGNS
    """Drawings use the shared signs only."""
    SERIES: Mapping[type[Value], tuple[str, str]] = MappingProxyType({})
    """Every event is told by itself."""
    beliefs: Any = None
    """Hidden information cannot be sampled."""
    observation: Any = None
    """Learners see who must act, what is legal, and the number of turns."""
    _words: ClassVar[Mapping[str, Any]]

    def __init_subclass__(cls, **more: Any) -> None:  # noqa: ANN401 - for other base classes
        """Take the types from the brackets, and add the clauses of all games."""
        super().__init_subclass__(**more)
        for base in getattr(cls, "__orig_bases__", ()):
            if get_origin(base) is GameDefaults:
                state, _, event, view = get_args(base)
                found = {"STATES": _members(state), "EVENTS": _members(event), "VIEW": view}
                for name, kinds in found.items():
                    if name not in vars(cls) and not _is_open(kinds):
                        setattr(cls, name, kinds)
        cls.CLAUSES = {**GENERAL_CLAUSES, **cls.CLAUSES}

    # --- Rules ------------------------------------------------------------------------------

    def start(self, setup: Setup[Any], /) -> S:
        """Check the setup, then `begin`."""
        options.check(self.NAME, self.SEATS, self.OPTIONS, setup)
        return self.begin(setup)

    def begin(self, setup: Setup[Any], /) -> S:
        """Lay the table, with seats and options that are allowed."""
        raise NotImplementedError(f"{type(self).__name__} has no begin")

    @abstractmethod
    def to_act(self, state: S, /) -> tuple[Seat, ...]:
        """See `Game.to_act`."""

    def legal(self, state: S, seat: Seat, /) -> Sequence[A]:
        """Those of `CHOICES`, or of `LOTS` for nature, that no clause forbids."""
        if seat not in self.to_act(state):
            return ()
        every = self.LOTS if seat == NATURE else self.CHOICES
        return tuple(each for each in every if not self.forbids(state, seat, each))

    def odds(self, state: S, /) -> Mapping[A, int]:
        """All that nature may do is equally likely."""
        return dict.fromkeys(self.legal(state, NATURE), 1)

    def why_not(self, state: S, seat: Seat, action: A, /) -> str:
        """Whose turn it is, then `forbids`."""
        asked = self.to_act(state)
        if not asked:
            return OVER
        own, others = self.CHOICES, self.LOTS
        if seat == NATURE:
            own, others = others, own
        if seat not in asked or (action in others and action not in own):
            return TURN
        return self.forbids(state, seat, action)

    def forbids(self, _state: S, _seat: Seat, _action: A, /) -> str:
        """The clause that forbids it to a seat that must act, such as `BR-2`; here none does."""
        return ""

    def apply(self, state: S, seat: Seat, action: A, /) -> Step[S, E]:
        """Check the move, then `move`."""
        if clause := self.why_not(state, seat, action):
            over = not self.to_act(state)
            raise refusal(seat, self.write(action), clause, self.CLAUSES[clause], over=over)
        return self.move(state, seat, action)

    def move(self, state: S, seat: Seat, action: A, /) -> Step[S, E]:
        """Make a move that is allowed."""
        raise NotImplementedError(f"{type(self).__name__} has no move")

    @abstractmethod
    def outcome(self, state: S, /) -> Outcome | None:
        """See `Game.outcome`."""

    def must_end(self, _setup: Setup[Any], /) -> bool:
        """The game ends whatever is played."""
        return True

    def longest(self, _setup: Setup[Any], /) -> int | None:
        """No bound is known."""
        return None

    # --- What each viewer knows -----------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: Seat | None, /) -> V:
        """See `Game.view`."""

    def open_view(self, state: S, /) -> V:
        """There are no hands to open: all see the same."""
        return self.view(state, None)

    def scores(self, _view: V, /) -> Sequence[int]:
        """No points are shown before the end."""
        return ()

    def reveals(self, _event: E, /) -> bool:
        """Every event is news, so that nothing is taken back unless the others agree."""
        return True

    # --- Words and pictures ---------------------------------------------------------------------

    @abstractmethod
    def write(self, action: A, /) -> str:
        """See `Game.write`."""

    def parse(self, word: str, /) -> A:
        """The one of `CHOICES` and `LOTS` that is written like this."""
        words = vars(type(self)).get("_words")
        if words is None:
            words = {self.write(each): each for each in (*self.CHOICES, *self.LOTS)}
            type(self)._words = words  # noqa: SLF001 - its own
        if word not in words:
            some = [self.write(each) for each in self.CHOICES[:EXAMPLES]]
            more = " …" if len(self.CHOICES) > EXAMPLES else ""
            raise NotAWordError(word, f"one of {listed(some)}{more}")
        found: A = words[word]
        return found

    @abstractmethod
    def say(self, action: A, language: Language = ENGLISH, /) -> str:
        """See `Game.say`."""

    def clause(self, _event: E, /) -> str:
        """No event leads to a clause."""
        return ""

    @abstractmethod
    def text(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """See `Game.text`."""

    def svg(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """The text, as a picture."""
        return plain_picture(self.TITLE, self.text(view, names, language))

    def holds(self, _view: V, _language: Language = ENGLISH, /) -> Sequence[str]:
        """Nobody holds anything."""
        return ()

    def group(self, _action: A, _language: Language = ENGLISH, /) -> str:
        """All actions stand together."""
        return ""

    # --- Numbers, for learners ------------------------------------------------------------------

    def choices(self, _setup: Setup[Any], /) -> Sequence[A]:
        """The numbers of players' actions are their places in `CHOICES`."""
        return self.CHOICES

    def lots(self, _setup: Setup[Any], /) -> Sequence[A]:
        """Nature's numbers follow."""
        return self.LOTS


def draws_itself(game: object) -> bool:
    """Whether a game has a picture of its own, not just its text."""
    base: Any = GameDefaults
    kind: Any = type(game)
    return not issubclass(kind, base) or kind.svg is not base.svg


def holds_nothing(_view: Any, _language: Language = ENGLISH, /) -> Sequence[str]:  # noqa: ANN401
    """`Game.holds` of a module whose own board shows what everybody holds."""
    return ()


def no_group(_action: Any, _language: Language = ENGLISH, /) -> str:  # noqa: ANN401
    """`Game.group` of a module whose own board shows all actions."""
    return ""


def unwritten(game: object) -> list[str]:
    """Which of the members a class has not written that `GameDefaults` calls."""
    base: Any = GameDefaults
    kind: Any = type(game)
    if not issubclass(kind, base):
        return []
    needs = {
        "begin": ("start",),
        "move": ("apply",),
        "CHOICES": ("legal", "parse"),
    }
    return [
        name
        for name, callers in needs.items()
        if getattr(kind, name) is getattr(base, name)
        and any(getattr(kind, each) is getattr(base, each) for each in callers)
    ]


def _members(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a type, or a union of some
    return get_args(kind) or (kind,)


def _is_open(kinds: Any) -> bool:  # noqa: ANN401 - as above
    """Whether a class stands between this one and the brackets."""
    return any(isinstance(each, TypeVar) for each in _members(kinds))


# --- A game without a drawing of its own: its text as a picture ------------------------------

MARGIN: Final = 16
LEADING: Final = 20
"""The height of a line of text."""
LETTER: Final = 9
"""The width that a letter of the fixed-width font takes at most."""


def plain_picture(title: str, text: str) -> Drawing:
    """The table as text."""
    lines = text.splitlines()
    wide = max(map(fitting.columns, lines), default=0) * LETTER + 2 * MARGIN
    high = LEADING * (len(lines) + 1) + MARGIN
    paper = node("rect", width=wide, height=high, fill="var(--paper)")
    look = {"font_family": "monospace", "fill": "var(--ink)", "style": "white-space:pre"}
    written = (
        node("text", line, x=MARGIN, y=MARGIN + LEADING * place, font_size=TEXT, **look)
        for place, line in enumerate(lines, start=1)
    )
    return picture(SIGNS, wide, high, title, paper, *written)
