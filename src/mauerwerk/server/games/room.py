"""The protocol of this layer: what a game can bring to the pages.

Each game has a package here, its room, that makes one `WebGame`. Only the box and the board are
required; the generic pages do something plain where a part is missing, or leave it out. The values
that rooms and pages exchange come first, and the protocol itself last.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal, NamedTuple, Protocol

import msgspec

from mauerwerk.bots.levels import levels_of
from mauerwerk.core.game import AnyGame, Chance, Seat, Step, Value
from mauerwerk.core.language import ENGLISH, Language, capital, message
from mauerwerk.core.svg import Node, node
from mauerwerk.games import GAMES
from mauerwerk.server.tables.charter import Chair, Order
from mauerwerk.server.ui.markup import with_classes
from mauerwerk.server.ui.names import SeatRow
from mauerwerk.server.ui.page import PageRoute

# --- The board -------------------------------------------------------------------------------


Aside = Literal["board", "side"]
"""Where a page puts what else lies on the table: below the board, or beside it."""


class SeatLine(Value):
    """What the game adds to a line of the list of seats."""

    points: str
    note: str
    """What the seat is doing, such as `builds, 5 cards`."""


class Button(Value):
    """A legal choice that is offered beside the board."""

    word: str
    text: str
    main: bool = False
    """Whether this is the usual choice; at most one button of a question is."""
    sign: str = ""
    """The symbol of its piece, such as `tower-white`; empty for most buttons."""
    key: str = ""
    """The key that presses it as well, shown on the button; empty for most."""


def buttons(game: AnyGame, actions: Iterable[Any], language: Language) -> tuple[Button, ...]:
    """A button for each of these actions."""
    return tuple(
        Button(game.write(action), capital(game.say(action, language))) for action in actions
    )


class Parts(Value):
    """A table, drawn for one viewer, in parts that each page arranges in its own way.

    Each part is complete HTML, with classes for `board.css`. Elements that can be pressed have
    `data-word`, the role of a button, a tab index, and their words as a label. Pieces keep their
    ids from one drawing to the next. There is no style attribute and no script.
    """

    stage: str
    """The board: a `section.stage`, or a `div.onboard` with one and with what lies beside it."""
    tray: str
    """The viewer's own hand, pieces or wall: a `section.tray`; empty for a spectator."""
    aside: str
    """What else lies on the table: sections; may be empty."""
    figure: str
    """A picture for the question, such as the card that was turned up; may be empty."""
    when: str
    """How far the game is: `Round 3 of 4, turn 12`."""
    seats: tuple[SeatLine, ...]
    buttons: tuple[Button, ...]
    """The answers beside the board. An action with a target on board or tray is among them where
    the question would be odd without it (add it, or leave it)."""
    consequence: str = ""
    """What the choice in question would do: paragraphs below the question; may be empty."""
    act: str = ""
    """What the button says that confirms a choice on the board or in the tray: `Build here`.

    A narrow page has that button from the beginning. Empty where the answers are buttons anyway.
    """

    def marked(self, words: Mapping[str, str], ids: Mapping[str, str]) -> "Parts":
        """The same parts with classes added: to targets by their words, to elements by ids."""
        return msgspec.structs.replace(
            self,
            stage=with_classes(self.stage, words, ids),
            tray=with_classes(self.tray, words, ids),
            aside=with_classes(self.aside, words, ids),
        )

    def rows(
        self,
        names: Sequence[str],
        language: Language,
        you: Seat | None,
        waiting: Collection[Seat] = (),
        notes: Sequence[str] = (),
    ) -> tuple[SeatRow, ...]:
        """The list of seats, for the player who has this one, and what else is noted of each."""
        more = notes or [""] * len(names)
        return tuple(
            SeatRow(
                seat=Seat(seat),
                name=capital(language.called(names[seat])),
                points=each.points,
                note=" · ".join(filter(None, (each.note, more[seat]))),
                you=seat == you,
                now=seat in waiting,
            )
            for seat, each in enumerate(self.seats)
        )


class Board(Protocol):
    """A module that draws one game for the page."""

    @property
    def LOOK(self) -> str:  # noqa: N802 - a constant of the module
        """The class of the page, by which its styles are chosen."""
        ...

    @property
    def SEATED(self) -> bool:  # noqa: N802 - a constant of the module
        """Whether the parts show who sits where, so that a page needs no list of seats."""
        ...

    @property
    def ASIDE(self) -> Aside:  # noqa: N802 - a constant of the module
        """Where a lesson puts `Parts.aside`."""
        ...

    @property
    def SYMBOLS(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the module
        """The symbols of `pieces.svg` that its parts use."""
        ...

    def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
        self,
        view: Any,  # noqa: ANN401 - the game's own
        legal: Sequence[Any],
        names: Sequence[str],
        language: Language,
        before: Sequence[Any] = (),
        notes: Sequence[str] = (),
        /,
    ) -> Parts:
        """The table as this view has it.

        `before` are the events that this viewer was told, oldest first, less those that must not
        be told again. `notes` say of each seat what the game does not know: `bot`, `away`.
        """
        ...


# --- The box, and how a table is set up ------------------------------------------------------


MIDDLE: Final = "journeyman"
"""The level of bots for a player of whom nothing is known."""


def usual_level(game: AnyGame) -> str:
    """The same for a game that may have other levels."""
    levels = levels_of(game)
    return MIDDLE if MIDDLE in levels else next(iter(levels))


BOT_DELAY_MS: Final = 1_000


WALLS: Final = "walls"
"""The theme of the games that come with this program."""


FIRST: Final = Seat(0)
"""The seat of somebody who plays against bots."""


class Box(Value):
    """A game, described in a few words and numbers."""

    name: str
    title: str
    seats: int
    """The number of players, unless another is chosen."""
    line: str = ""
    """What the game is about, in one line."""
    minutes: str = ""
    """How long it takes, in words; empty where that is not known."""
    usual_minutes: str = ""
    """How long it takes with the usual options, where `minutes` says it of a part of the game."""
    moves: int = 0
    """How many moves it takes for each player, about; 0 where that is not known."""
    age: int | None = None
    """The age from which children can play it."""
    bot_delay_ms: int = BOT_DELAY_MS
    """Milliseconds that a bot waits before it moves, so that people can follow."""
    secrets: bool = True
    """Whether a seat holds what others at the same device must not see."""
    thumb: str = "i-people"
    """The symbol that stands for it in lists."""
    theme: str = ""
    """What it is about, in one word; pages say it where all games are about the same."""
    symbols: tuple[str, ...] = ()
    """The symbols of its picture."""
    goal: str = ""
    """What one plays for, in a few words, said in the first turns of somebody's first game."""
    house_goal: str = ""
    """The same at a table with house rules, where these could make it untrue."""
    first: str = ""
    """For a game that people should begin with, why, in a sentence or two; empty for others."""

    @property
    def players(self) -> str:
        """The numbers of players that the game is for."""
        seats = GAMES[self.name].SEATS
        return f"{seats[0]}\N{EN DASH}{seats[-1]}"

    def against_bots(
        self,
        level: str,
        options: Mapping[str, str],
        *,
        seat: Seat = FIRST,
        seats: int = 0,
        moves: Iterable[str] = (),
    ) -> Order:
        """A table at which one person, who has this seat, plays against bots of this level."""
        chairs = [Chair("bot", level)] * (seats or self.seats)
        chairs[seat] = Chair("human")
        return Order(
            game=self.name,
            chairs=tuple(chairs),
            options={**options},
            mine=(seat,),
            bot_delay_ms=self.bot_delay_ms,
            moves=tuple(moves),
        )

    def lasts(self, language: Language) -> str:
        """How long it takes."""
        return language(self.minutes)

    def usually_lasts(self, language: Language) -> str:
        """How long a whole game takes with the usual options; empty where that is not known."""
        return language(usual) if (usual := self.usual_minutes or self.minutes) else ""


class Answer(Value):
    """One answer to a question."""

    word: str
    """What the option is set to, as it is typed."""
    said: str
    """What stands on the chip."""
    told: str = ""
    """What a player should know who is invited: `with ravens and wizards`. Usual answers need
    no words."""
    brief: str = ""
    """The answer without its question, where the chip alone would be a riddle: `six rounds`."""

    @property
    def alone(self) -> str:
        """The answer without its question."""
        return self.brief or self.said


class OptionQuestion(Value):
    """A question about one option, in words that a player understands.

        OptionQuestion("rounds", message("How many rounds?"), (Answer("1", message("One")), …))

    A game that brings no questions gets a plain form with a field for each option. An option that
    is not asked keeps its default, or what a link names.
    """

    option: str
    ask: str
    answers: tuple[Answer, ...]
    """What can be answered; the option's default is chosen at first. There are none where the
    option names a seat: then the players are the answers."""
    short: str = ""
    """Its name beside "Play now"; empty where it is not asked there."""
    why: str = ""
    """What the answer decides, in a sentence."""
    expert: bool = False
    """Whether it is asked only of those who unfold it."""

    def answer(self, word: str) -> Answer | None:
        """The answer with this word; None where the option has a value that nobody is offered."""
        return next((each for each in self.answers if each.word == word), None)


DICE: Final = OptionQuestion(
    "dice",
    message("Who rolls and deals?"),
    (
        Answer("server", message("The server"), brief=message("the server rolls and deals")),
        Answer("players", message("You roll real dice"), brief=message("you roll real dice")),
        Answer(
            "scribe",
            message("You roll and deal everything"),
            brief=message("you roll and deal everything"),
        ),
    ),
    why=message(
        "Real dice and cards are entered by hand; the player who enters a card sees it.",
    ),
    expert=True,
)
"""Who rolls at the table, where a game has dice and cards."""


def unusual(questions: Sequence[OptionQuestion], words: Mapping[str, str]) -> tuple[str, ...]:
    """What is unusual about options with these words, to be translated."""
    answers = (each.answer(words.get(each.option, "")) for each in questions)
    return tuple(answer.told for answer in answers if answer and answer.told)


# --- Dice, cards and lots that people enter by hand ------------------------------------------


PART: Final = "part-"
"""Fields whose values together are one word, in the order of their numbers."""


class Die(Value):
    """A row of faces, one of which is chosen."""

    name: str
    label: str
    faces: tuple[Button, ...]


class Cards(Value):
    """A kind of cards in a list."""

    label: str
    cards: tuple[Button, ...]


class ChanceFields(Value):
    """A form in which people enter what they rolled, drew or dealt themselves.

    It offers what the printed game could show, not what `odds` allows: that may hold what no player
    may know, such as which cards have been seen.
    """

    legend: str
    buttons: tuple[Button, ...] = ()
    begin: str = ""
    """The beginning of a word that is put together from faces."""
    dice: tuple[Die, ...] = ()
    several: int = 0
    """The number of lists of cards."""
    cards: tuple[Cards, ...] = ()
    numbers: tuple[int, int] | None = None
    """The lowest and the highest number on a card."""


def lots(game: AnyGame, state: Any, names: Sequence[str], language: Language) -> ChanceFields:  # noqa: ANN401 - the game's own
    """A button for each seat that can be drawn by lot; nature's words are in the order of seats."""
    odds = game.odds(state)
    return ChanceFields(
        language("Whose lot was drawn?"),
        buttons=tuple(
            Button(game.write(action), name, sign=f"mark-{place}")
            for place, (action, name) in enumerate(zip(odds, names, strict=True), start=1)
        ),
    )


# --- What a choice would do, and what others did ---------------------------------------------


class Preview(Value):
    """What a viewer sees of a choice that they only think about, made from their view alone."""

    sentence: str
    """What it does: `closes a city of 3 fields`; shown below the question, and said to screen
    readers."""
    act: str = ""
    """What the button says that confirms it: `Build here`; empty: what the action says."""
    label: str = ""
    """A few words in a bubble at the target; may be empty."""
    drawing: str = ""
    """SVG that goes into the board's `<g id="preview">`, or HTML for an element of that id."""
    aloud: str = ""
    """What screen readers are told besides: the badges in words, for these are not read."""
    badges: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """A short text for elements of the page, by their id: `{"card-3": "+8"}`."""


class PreviewMessage(Preview, kw_only=True):
    """A preview as the page's script gets it."""

    said: str
    """The action, as a player would say it."""


class Pays(Value):
    """A column of a table of points."""

    count: str
    points: str
    mark: Literal["", "may", "now"] = ""
    """Whether it applies now, or could."""


class PaysNow(Value):
    """Something on the board that a card would pay for, or pays for already."""

    words: str
    points: str
    number: int = 0
    """The number of its mark on the board; 0 for none."""


class Explanation(Value):
    """What a card, a piece or a figure is for, made from the viewer's view alone."""

    title: str
    sentence: str
    clause: str
    """The clause of the rules that says so."""
    head: str = ""
    """What the columns of its table count: `Towers`."""
    pays: str = ""
    """What they pay: `Points`."""
    table: tuple[Pays, ...] = ()
    now: tuple[PaysNow, ...] = ()
    more: str = ""
    """What else there is to know, such as that dice may still change it."""
    drawing: str = ""
    """SVG that goes into the board, beside its `<g id="preview">`."""
    marks: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """A few letters for elements of the page that count, by their id; empty: only a ring."""
    aloud: str = ""
    """What screen readers are told besides: which places count."""


class Touched(NamedTuple):
    """An event, and the ids of the elements of the board that it touched."""

    event: Any
    places: tuple[str, ...]


class Recap(Value):
    """What one player did, in a sentence: a wall with all that was put beside it."""

    seat: Seat | None
    """Who did it; None where it was nobody, or everybody."""
    sentence: str
    places: tuple[str, ...] = ()
    """The ids of elements of the board, the most important first."""
    brief: str | None = None
    """The same in a few words, for a page with one line for all that happened; the sentence itself,
    if there are no fewer; nothing, where another one says it."""


# --- Moments ---------------------------------------------------------------------------------


class Moment(Value):
    """A stop at which everybody looks, such as open fists or a city that is scored.

    A room that has such stops brings a function, `WebGame.moments`, in its file `moments.py`:

        def moments(move: SeenMove) -> Sequence[Moment]:
            for event in move.events:
                if isinstance(event, Revealed):
                    return (_reveal(move, event),)
            return ()

    It is asked about each move that stands, for each viewer, and answers from the views and events
    of that viewer alone. A page plays a moment once, between the picture before the move and the
    newest one. What a room has to know to make one:

    - `content` is one element, or several in a row. Each is morphed into the element of the page
      with the same id (`stage`, `tray`, `where`, …), so pieces that keep their ids move; one
      without an id stands in place of the stage. What the page does not have, as behind a gate, is
      added beside the stage. Nothing can be pressed meanwhile: draw without legal actions.
    - `main` has the classes `moment` and `moment-KIND` meanwhile. Styles are in the room's
      `moments.css`, which is appended to the page's own sheet of that name. They animate *from* a
      state (`@keyframes rise { from { … } }`, `animation: rise .36s ease-out var(--at) both`):
      without the animation, as with reduced motion, the end state shows. When the motion is over or
      was skipped, `main` has the class `moment-done` too.
    - No style attribute is allowed. `data-at="700"` sets `--at` to 700 ms, a delay from the
      beginning.
    - `<b data-count="4 1000 300">12</b>` counts from 4 to 12, beginning after 1000 ms, for 300 ms.
    - `says` is announced when the motion is over. The sentences of the history about this move are
      not.
    """

    kind: str
    """`reveal`, `round`, `scoring`, `end`: a part of the class by which styles are chosen."""
    content: str
    """HTML that stands in place of the stage, and of whatever else it has the ids of."""
    prompt: str
    """The sentence in the prompt meanwhile."""
    says: str
    """The one announcement for screen readers, in one or a few sentences."""
    go_on: str
    """The label of the button, such as `Go on` or `Next round`."""
    rest: int
    """Milliseconds from the end of the motion until it goes on by itself; 0: it waits."""
    motion: int
    """Milliseconds that its animation takes."""
    more: str = ""
    """A second sentence in the prompt, smaller."""


class SeenMove(NamedTuple):
    """A move that stands, as one viewer may know it."""

    before: Any
    """The viewer's view just before the move."""
    after: Any
    """The viewer's view just after it."""
    events: Sequence[Any]
    """What the viewer was told of it, less what is told only once."""
    names: Sequence[str]
    """The names of the seats in sentences; the viewer is `you`."""
    language: Language
    past: Sequence[Any] = ()
    """What the viewer was told of the moves before it, as far back as a page plays moments."""
    shared: bool = False
    """Whether several people look together at one device, which each of them had alone before."""


# --- The end, and what is counted ------------------------------------------------------------


class Ended(Value):
    """Who won and why the game is over, as one viewer reads it."""

    headline: str
    """A sentence, such as `You won with 70 points.`"""
    reason: str
    """Why it is over, in a sentence or two."""
    notes: tuple[str, ...] = ()
    """What each seat achieved, in a few words; empty where the points say it all."""


class Source(Value):
    """Something that gave each seat points, or took some; all sources make the outcome's points."""

    title: str
    points: tuple[int, ...]


class TallyLine(Value):
    """A figure in words."""

    label: str
    value: str
    note: str = ""
    """What to compare it with."""


class Tally(NamedTuple):
    """What only this game counts, beside places and points."""

    counts: Callable[[Sequence[Step[Any, Any]], int], Sequence[Mapping[str, float]]] | None = None
    """From all moves that stand and the number of seats: numbers by name, for each seat."""
    lines: Callable[[Mapping[str, float], Language], Sequence[TallyLine]] | None = None
    """What the sums over a player's games say."""
    fewest: bool = False
    """Whether the fewest points win."""


# --- Scenes of rulebooks ---------------------------------------------------------------------


NAMES: Final = ("Ada", "Bo", "Cem", "Dina")
"""The players in the scenes."""


class SceneView(NamedTuple):
    """The table of a scene, as one viewer sees it."""

    view: Any
    offers: Mapping[Any, tuple[str, str]]
    whose: Seat
    language: Language


class Canvas(NamedTuple):
    """A drawing: its left and top, its width and height, and what is on it."""

    box: tuple[float, float, float, float]
    content: Sequence[Node]


Painter = Callable[[SceneView], Canvas]
"""Draws one part of the table."""


def ground(colour: str, wide: float, high: float) -> Node:
    """An area in a colour of the palette, on which a scene is drawn."""
    return node("rect", width=wide, height=high, fill=f"var(--{colour})")


POSTER: Final = (1200.0, 630.0)
"""The size of a poster: what is shown of a game where a link to it is passed on."""
BAND: Final = 90.0
"""How much of a poster's foot is covered by the players; words stand at the upper left."""


def country(foot: float) -> list[Node]:
    """Sky, sun and hills of a poster, down to the ground at this height."""
    wide, high = POSTER
    hills = (
        ("hill-1", "M-20 382C160 296 330 296 520 350S860 392 1010 310 1160 270 1230 298V640H-20Z"),
        ("hill-2", "M-20 446C160 388 360 380 560 426S940 446 1230 372V640H-20Z"),
    )
    return [
        ground("sky", wide, high),
        node("circle", cx=980, cy=118, r=62, fill="var(--sun)"),
        *(node("path", d=path, fill=f"var(--{colour})") for colour, path in hills),
        node("rect", y=foot, width=wide, height=high - foot, fill="var(--ground)"),
    ]


# --- Pages of its own ------------------------------------------------------------------------


class RealTable(Value):
    """A line on the page for real tables."""

    link: str
    action: str
    """The words on the link."""
    line: str
    """What it does, in one line."""
    dice: tuple[str, ...] = ()
    """Who of `players` and `scribe` may roll in this game, instead of the server."""
    keeps: tuple[str, ...] = ()
    """What its page asks for without a network, and an installed app keeps."""


Sound = Literal["piece", "dice", "card"]
"""What a page can let sound: a piece is set down, dice are rolled, a card is laid or turned."""


class HomeLink(Value):
    """A link on the home page to pages that only one game has."""

    link: str
    title: str
    line: str


# --- The protocol ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class WebGame:
    """One game on the pages."""

    box: Box
    board: Board
    files: Traversable | None = None
    """The room's folder: texts, pictures, templates and styles are found in it."""
    chance_form: Callable[[Any, Sequence[str], Language], ChanceFields | None] | None = None
    """The form for what nature does in a state, in which seats have these names."""
    dice: OptionQuestion | None = DICE
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
    recap: Callable[[Any, Sequence[Touched], Sequence[str], Language], Sequence[Recap]] | None = (
        None
    )
    """What others did, told again in short for the seat of this view."""
    explain: Callable[[Any, str, Sequence[str], Language], Explanation | None] | None = None
    """What a thing on the page is for: the view, the thing's word in `data-explains`, the names."""
    digest: Callable[[Sequence[Any], Sequence[str], Language], str] | None = None
    """The events of a whole turn in a sentence or two, under which the story folds the turn."""
    moments: Callable[[SeenMove], Sequence[Moment]] | None = None
    """The stops after a move at which everybody looks (`Moment`)."""
    stops: Callable[[Any, Any, Sequence[Any]], bool] | None = None
    """Whether a move may have such a stop, by the phases before and after it and its events alone.

    Without this, `moments` is asked about each move.
    """
    rounds: Callable[[Any], int] | None = None
    """How many rounds are over in a state; None where a game is not played in rounds. Between two
    rounds a person may take over a bot's seat."""
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
    poster: Painter | None = None
    """Paints what lies open on a table in the size `POSTER`, to the edges, for a seat's win."""
    poster_ink: Literal["ink", "chalk"] = "ink"
    """The colour of words on its poster."""
    poster_words: float = 640
    """How wide they may be."""
    keeps_stage: bool = False
    """Whether the end of a game shows the table itself instead of towers."""
    real_table: RealTable | None = None
    home_links: tuple[HomeLink, ...] = ()
    pages: tuple[PageRoute, ...] = ()
    """Pages that only this game has."""

    @cached_property
    def rulebook(self) -> Traversable | None:
        """The folder with the text of the rules in each language, and their scenes."""
        return self._folder("rulebook")

    @cached_property
    def lesson(self) -> Traversable | None:
        """The folder with the record of a first game, and what is said in each language."""
        return self._folder("lesson")

    @cached_property
    def sample(self) -> str:
        """The record of a whole game to try the replay with; empty without one."""
        file = self.files.joinpath("sample.txt") if self.files else None
        return file.read_text(encoding="utf-8") if file and file.is_file() else ""

    @cached_property
    def picture(self) -> str:
        """The picture on its box, as SVG; empty without one."""
        file = self.files.joinpath("picture.svg") if self.files else None
        return file.read_text(encoding="utf-8").rstrip() if file and file.is_file() else ""

    def _folder(self, name: str) -> Traversable | None:
        folder = self.files.joinpath(name) if self.files else None
        return folder if folder and folder.is_dir() else None


_HEAD: Final = re.compile(r"^[a-z]+/\d+ ", re.MULTILINE)


def chapters(lesson: str) -> list[str]:
    """The games of a lesson's text: another head begins another one."""
    begins = [found.start() for found in _HEAD.finditer(lesson)]
    return [lesson[begin:end] for begin, end in zip(begins, [*begins[1:], None], strict=True)]


def text_in(folder: Traversable, code: str) -> str:
    """The text of a rulebook or lesson in this language, or in English where it has none."""
    file = folder.joinpath(f"{code}.md")
    chosen = file if file.is_file() else folder.joinpath(f"{ENGLISH.code}.md")
    return chosen.read_text(encoding="utf-8")
