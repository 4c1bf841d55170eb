"""What a game is taken to be where it says nothing else: the optional members of `Game`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Generic

from mauerwerk.core.game import A, E, S, Seat, Setup, V
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.core.svg import SIGNS, TEXT, Drawing, Symbols, fitting, node, picture


class GameDefaults(ABC, Generic[S, A, E, V]):
    """The base of a game that is a class and brings only the members that every game needs."""

    TITLE: str
    FILES: Mapping[str, Callable[[str], str]] = MappingProxyType({})
    """No option can be given as a file."""
    MESSAGES: Sequence[tuple[str, str]] = ()
    """No text of a table is translated."""
    PIECES: Symbols = SIGNS
    """Drawings use the shared signs only."""
    beliefs: Any = None
    """Hidden information cannot be sampled."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None, /) -> V:
        """See `Game.view`."""

    @abstractmethod
    def write(self, action: A, /) -> str:
        """See `Game.write`."""

    @abstractmethod
    def say(self, action: A, language: Language = ENGLISH, /) -> str:
        """See `Game.say`."""

    @abstractmethod
    def text(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """See `Game.text`."""

    def must_end(self, _setup: Setup[Any], /) -> bool:
        """The game ends whatever is played."""
        return True

    def longest(self, _setup: Setup[Any], /) -> int | None:
        """No bound is known."""
        return None

    def open_view(self, state: S, /) -> V:
        """There are no hands to open: all see the same."""
        return self.view(state, None)

    def clause(self, _event: E, /) -> str:
        """No event leads to a clause."""
        return ""

    def svg(self, view: V, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        """The text, as a picture."""
        return plain_picture(self.TITLE, self.text(view, names, language))

    def choices(self, _setup: Setup[Any], /) -> Sequence[A]:
        """Players' actions have no numbers."""
        return ()

    def lots(self, _setup: Setup[Any], /) -> Sequence[A]:
        """Nature's actions have no numbers."""
        return ()


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
