"""The protocol of this layer: what a game can bring to the pages.

Each game has a package here, its room, that makes one `WebGame`. Only the box is required; the
generic pages do something plain where a part is missing, or leave it out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, Literal

from mauerwerk.core.game import AnyGame, Chance, Seat, Value
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.svg.drawing import Node
from mauerwerk.server.games.box import Box, plain_box
from mauerwerk.server.games.chance_form import ChanceFields
from mauerwerk.server.games.ended import Ended
from mauerwerk.server.games.moments import Happened, Moment
from mauerwerk.server.games.parts import Board
from mauerwerk.server.games.places import AuditEntry, Touched
from mauerwerk.server.games.plain_board import PlainBoard
from mauerwerk.server.games.preview import Preview
from mauerwerk.server.games.questions import CHANCE, OptionQuestion
from mauerwerk.server.games.real_table import RealTable
from mauerwerk.server.games.scenes import Painter
from mauerwerk.server.games.sources import Source
from mauerwerk.server.games.tally import Tally

if TYPE_CHECKING:  # pages are made with rooms, so rooms know them by name alone
    from starlette.routing import BaseRoute

    from mauerwerk.server.http.request import AppState


Sound = Literal["piece", "dice", "card"]
"""What a page can let sound: a piece is set down, dice are rolled, a card is laid or turned."""


class Door(Value):
    """A link on the home page to pages that only one game has."""

    link: str
    title: str
    line: str


def no_routes(_: "AppState") -> "Sequence[BaseRoute]":
    """The routes of a game without pages of its own."""
    return ()


@dataclass(frozen=True, eq=False)
class WebGame:
    """One game on the pages."""

    box: Box
    board: Board
    files: Traversable | None = None
    """The room's folder: texts, pictures, templates and styles are found in it."""

    chance_form: Callable[[Any, Sequence[str], Language], ChanceFields | None] | None = None
    """The form for what nature does in a state, in which seats have these names."""

    chance: OptionQuestion | None = CHANCE
    """How players are asked who rolls and deals; None where nothing but a lot is drawn."""

    hand: Callable[[Any, Seat, Language], Sequence[Node]] | None = None
    """What a seat holds, small, as list items, drawn from the view of that seat."""

    private: Callable[[Any], str] | None = None
    """What one chooses that others at the same device must not see, from a spectator's view.

    It is another word for each choice before which all have looked, and empty for a choice in front
    of all. Without this, every choice is private if the box says that there are secrets.
    """

    gate: Callable[[Any, Seat, Sequence[str], Language], str] | None = None
    """What stands on a gate that is shut before a seat, from a spectator's view; may be empty."""

    preview: Callable[[Any, Any, Sequence[str], Language, Sequence[Any]], Preview | None] | None = (
        None
    )
    """What an action would do, from the view of the seat that may choose it, for these names, and
    from the last events that it was told."""

    places: Callable[[Any, Sequence[Any]], Sequence[tuple[str, ...]]] | None = None
    """What each of these events touched on the board of this view: ids of its elements. The events
    are all that stand of the last ones that the viewer was told, oldest first."""

    deeds: (
        Callable[[Any, Sequence[Touched], Sequence[str], Language], Sequence[AuditEntry]] | None
    ) = None
    """What others did, told again in short for the seat of this view."""

    moments: Callable[[Happened], Sequence[Moment]] | None = None
    """The stops after a move at which everybody looks (`server.games.moments`)."""

    forced: tuple[type[Value], ...] = ()
    """Actions that play themselves where nothing else is legal. That nothing else is must follow
    from what lies open: if it depended on a hand, the pause would tell what the hand holds."""

    sounds: Mapping[type[Value], Sound] = field(default_factory=dict[type[Value], Sound])
    """What can be heard of events; most are silent."""

    painters: Mapping[str, Painter] = field(default_factory=dict[str, Painter])
    """What the scenes of its rulebook can show."""

    sources: Callable[[Sequence[Any], int, Language], Sequence[Source]] | None = None
    """Where the points came from, from all events so far and the number of seats."""

    tally: Tally = field(default_factory=Tally)
    """What it counts for its players, beside places and points."""

    questions: tuple[OptionQuestion, ...] = ()
    """How its options are asked; a plain form has a field for each, if there are none."""

    ended: Callable[[Any, Sequence[str], Language], Ended] | None = None
    """Who won and why the game is over, from the view of a finished game."""

    last_view: Callable[[Any, Seat | None, Chance | None], Any] | None = None
    """The view of a finished game with all that lay face down; chance deals what nobody saw."""

    final: Painter | None = None
    """Paints the table small, as it lies when the game is over."""

    keeps_stage: bool = False
    """Whether the end of a game shows the table itself instead of towers."""

    real_table: RealTable | None = None
    doors: tuple[Door, ...] = ()
    routes: "Callable[[AppState], Sequence[BaseRoute]]" = no_routes
    """The routes of pages that only this game has."""

    @cached_property
    def rulebook(self) -> Traversable | None:
        """The folder with the text of the rules in each language, and their scenes."""
        return self._folder("rulebook")

    @cached_property
    def lesson(self) -> Traversable | None:
        """The folder with the record of a first game, and what is said in each language."""
        return self._folder("lesson")

    @cached_property
    def picture(self) -> str:
        """The picture on its box, as SVG; empty without one."""
        file = self.files.joinpath("picture.svg") if self.files else None
        return file.read_text(encoding="utf-8").rstrip() if file and file.is_file() else ""

    def _folder(self, name: str) -> Traversable | None:
        folder = self.files.joinpath(name) if self.files else None
        return folder if folder and folder.is_dir() else None


def plain_game(game: AnyGame) -> WebGame:
    """What the pages show of a game that has no room."""
    return WebGame(plain_box(game), PlainBoard(game))


def text_in(folder: Traversable, code: str) -> str:
    """The text of a rulebook or lesson in this language, or in English where it has none."""
    file = folder.joinpath(f"{code}.md")
    chosen = file if file.is_file() else folder.joinpath(f"{ENGLISH.code}.md")
    return chosen.read_text(encoding="utf-8")
