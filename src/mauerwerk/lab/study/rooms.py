"""The study room of each game: what is counted in it, and what a study shows of it.

A room is a package of `lab.study` with two modules, `measures` and `sections`. `plain` is that of a
game without one.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol

from mauerwerk.core.game import AnyGame, Outcome, Seat, Setup, Step
from mauerwerk.core.language.translation import Language
from mauerwerk.core.registry import Registry, lacking
from mauerwerk.lab.study import burgbaumeister, figures, mauer, mauerbauer, plain, tally


class Count(Protocol):
    """Counts in one game as it is played."""

    def see(self, before: Any, step: Step[Any, Any], /) -> None:  # noqa: ANN401 - the game's own
        """Count the next move."""
        ...

    def row(self, over: Any, outcome: Outcome, /) -> tally.Row:  # noqa: ANN401 - the game's own
        """The game's own columns, once the game is over."""
        ...


class Measures(Protocol):
    """What is counted in a game, in addition to what is counted in all of them."""

    @property
    def CLAUSES(self) -> tuple[str, ...]:
        """The clauses that are counted."""
        ...

    @property
    def MEANINGS(self) -> Mapping[str, str]:
        """What the stems of its own columns mean."""
        ...

    def began(self, state: Any, seat: Seat, /) -> Seat:  # noqa: ANN401 - the game's own
        """The seat that begins the game, in the first state in which a seat decides: this one."""
        ...

    def Count(self, setup: Setup[Any], /) -> Count:
        """A new count, for one game."""
        ...

    def columns(self, setup: Setup[Any], /) -> tuple[str, ...]:
        """Its own columns, in their order."""
        ...

    def pairs(self, setup: Setup[Any], /) -> tuple[tally.Pair, ...]:
        """Columns that are divided by others."""
        ...


class Sections(Protocol):
    """What a study shows of a game, in addition to what it shows of all of them."""

    @property
    def ENDINGS(self) -> Mapping[str, str]:
        """A phrase for each of the game's endings."""
        ...

    @property
    def ENDINGS_NOTE(self) -> str:
        """What readers should know about the endings; may be empty."""
        ...

    def sections(self, setup: Setup[Any], language: Language, /) -> tuple[figures.Chapter, ...]:
        """Its own sections, in their order."""
        ...


class StudyRoom(Protocol):
    """What a package of `lab.study` says about one game."""

    @property
    def measures(self) -> Measures:
        """What is counted."""
        ...

    @property
    def sections(self) -> Sections:
        """What is shown."""
        ...


ROOMS: Final = Registry[StudyRoom](
    "mauerwerk.studies",
    {
        "mauer": mauer,
        "burgbaumeister": burgbaumeister,
        "mauerbauer": mauerbauer,
    },
    fault=lambda _name, room: lacking(room, StudyRoom, "study room"),
)
"""The study room of every game that has one, by the game's word."""


def measures_of(game: AnyGame) -> Measures:
    """What is counted in this game."""
    return ROOMS[game.NAME].measures if game.NAME in ROOMS else plain


def sections_of(game: AnyGame) -> Sections:
    """What a study shows of this game."""
    return ROOMS[game.NAME].sections if game.NAME in ROOMS else plain


def pictured(game: AnyGame, setup: Setup[Any], language: Language) -> tuple[str, str, str] | None:
    """What these games are played on, where it is not the printed one and the room can draw it.

    Its word in the options, its title and its drawing. A room need not have `pictured`.
    """
    draw = getattr(sections_of(game), "pictured", None)
    drawn: tuple[str, str, str] | None = None if draw is None else draw(setup, language)
    return drawn
