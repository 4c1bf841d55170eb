"""A lesson's game: a record with stops, played through by the rules.

    GAME/1 seats=3 rounds=1
    #: pieces DM-1 @tray         # what is said, its clauses, and what it points at
    #: fist DM-5
    0:4 1:T 2:T                  # played when the learner, seat 0, has chosen the 4
    #: alone DM-13

What stands between two stops is played from one to the other. If it begins with a move of seat 0,
the learner makes that move; all the rest happens by itself. It is a record as any other: the
remarks are remarks to `core.record`. Another head begins another chapter, a game of its own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Observer, Seat, Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.server.games import room, web_game

LEARNER: Final = Seat(0)
STOP: Final = "#:"
"""What the remark of a stop begins with."""
RIDDLE: Final = "?"


class Note(Value):
    """A stop as the record has it."""

    key: str
    """The key of its part in the texts."""
    clauses: tuple[str, ...]
    looks: tuple[str, ...]
    """The ids of the elements on the board that the text is about."""
    moves: int
    """The number of moves before it."""
    riddle: bool = False
    """Whether the target of the task glows only after a wrong move."""
    word: str = ""
    """What the learner is to play here; empty where there is only something to see."""


class NewsItem(Value):
    """The events of a move that the learner saw."""

    move: record.Move
    events: tuple[Any, ...]

    @property
    def mark(self) -> int:
        """The mason's mark of the player, from 1; 0 for nature."""
        return self.move.seat + 1  # nature is -1


class Stop(Value):
    """A stop of a lesson: the state of the game, and what led to it."""

    number: int
    """From 1."""
    setup: Setup[Any]
    note: Note
    state: Any
    told: tuple[Any, ...]
    """All events that the learner saw since the beginning."""
    news: tuple[NewsItem, ...]
    """What happened since the stop before."""


class Course(Value):
    """A lesson's game."""

    game: str
    stops: tuple[Stop, ...]

    @property
    def rules(self) -> AnyGame:
        """The game itself."""
        return GAMES[self.game]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its stops, in order."""
        return tuple(stop.note.key for stop in self.stops)


@cache
def course(game: str) -> Course:
    """The lesson of a game, played through. Raises ValueError where it cannot be."""
    lesson = web_game(game).lesson
    if lesson is None:
        raise ValueError(f"{game} has no lesson")
    return read(lesson.joinpath("game.txt").read_text(encoding="utf-8"))


def read(source: str) -> Course:
    """Records with stops, played through. Raises ValueError, also where a move is not allowed."""
    chapters = [(record.read(each, GAMES), _notes(each)) for each in room.chapters(source)]
    (game,) = {kept.game for kept, _ in chapters}
    made = [stop for kept, notes in chapters for stop in _stops(kept, notes)]
    keys = [stop.note.key for stop in made]
    if twice := {key for key in keys if keys.count(key) > 1}:
        raise ValueError(f"a lesson stops at {', '.join(sorted(twice))} twice")
    return Course(
        game,
        tuple(
            msgspec.structs.replace(stop, number=number)
            for number, stop in enumerate(made, start=1)
        ),
    )


def _stops(kept: record.Record, notes: list[Note]) -> Iterator[Stop]:
    game = GAMES[kept.game]
    observer = Observer(game, LEARNER)
    state: Any = game.start(kept.setup)
    steps = record.replay(game, kept)
    played = 0
    for note in notes:
        news: list[NewsItem] = []
        while played < note.moves:
            move, step = next(steps)
            state = step.state
            news.append(NewsItem(move, observer.follow(step)))
            played += 1
        # The moves before the first stop only set up the table, so they are not told.
        yield Stop(
            0, kept.setup, note, state, observer.told, tuple(news) if note != notes[0] else ()
        )


# --- Reading ---------------------------------------------------------------------------------


def _notes(source: str) -> list[Note]:
    notes: list[Note] = []
    moves = 0
    for line in _lines(source):
        if line.startswith(STOP):
            notes.append(_note(line.removeprefix(STOP), moves))
            continue
        words = line.split()
        if words[0] == "=":
            continue
        seat, _, word = words[0].partition(":")
        if notes and notes[-1].moves == moves and seat == str(LEARNER):
            notes[-1] = msgspec.structs.replace(notes[-1], word=word)
        moves += len(words)
    if not notes or notes[-1].moves < moves:
        raise ValueError("a chapter ends with a stop")
    return notes


def _lines(source: str) -> Iterator[str]:
    """The lines of moves and stops, less the head and what else is remarked."""
    headed = False
    for line in source.split("\n"):
        text = line.strip()
        if not text.startswith(STOP):
            text = text.partition("#")[0].strip()
        if text and headed:
            yield text
        headed = headed or bool(text)


def _note(said: str, moves: int) -> Note:
    """A stop: its key, `?` for a riddle, clauses such as `DM-9`, and places such as `@tray`."""
    key, *rest = said.partition("#")[0].split()
    places = tuple(each.removeprefix("@") for each in rest if each.startswith("@"))
    clauses = tuple(each for each in rest if each != RIDDLE and not each.startswith("@"))
    return Note(key, clauses, places, moves, RIDDLE in rest)


# --- The texts of a lesson: one per language, with a part for every stop --------------------------

#   Guess what the others hide.              the preface: what the lesson is about
#
#   ## {fist} A fist for the 4               the key of the stop, and its title
#
#   Everybody plans at once.                 what is said
#
#   > Press the 4 on your shelf.             what the learner is asked to do
#
#   - `T` `C`: Too early.                    the answer to other moves that are allowed
#   - `*`: Not wrong, but …                  the answer to all the rest
#
# Every language has the same stops with the same answers.

REST: Final = "*"
"""Stands for every other move."""
_HEADING: Final = re.compile(r"\{([a-z0-9-]+)\} (.+)")
_ANSWER: Final = re.compile(r"((?:`[^`]+`\s*)+): (.+)", re.DOTALL)


class StopText(Value):
    """What is said at a stop, as HTML."""

    title: str
    """As plain text."""
    text: str
    task: str = ""
    answers: Mapping[str, str] = {}
    """The answers to words that the lesson does not expect; `*` stands for the rest."""

    def answer(self, word: str) -> str:
        """What is said to a legal word."""
        return self.answers.get(word) or self.answers.get(REST, "")


class Script(Value):
    """A lesson's text in one language."""

    preface: str
    parts: Mapping[str, StopText]
    """By the key of the stop, in order."""


@cache
def script(game: str, code: str) -> Script:
    """The text of a game's lesson in a language. Raises ValueError where it has none."""
    lesson = web_game(game).lesson
    if lesson is None:
        raise ValueError(f"{game} has no lesson")
    return read_script(room.text_in(lesson, code))


def read_script(source: str) -> Script:
    """The text of a lesson. Raises ValueError."""
    markdown = MarkdownIt("commonmark", {"html": False})
    tokens = markdown.parse(source)
    begins = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    parts: dict[str, StopText] = {}
    for first, end in zip(begins, [*begins[1:], len(tokens)], strict=True):
        heading = tokens[first + 1].content
        found = _HEADING.fullmatch(heading)
        if found is None or tokens[first].tag != "h2":
            raise ValueError(f"a heading is like `## {{key}} Title`, not {heading!r}")
        if found[1] in parts:
            raise ValueError(f"{found[1]} is said twice")
        parts[found[1]] = _part(markdown, found[2], tokens[first + 3 : end])
    preface = tokens[: begins[0]] if begins else tokens
    return Script(_html(markdown, preface), parts)


def _part(markdown: MarkdownIt, title: str, tokens: Sequence[Token]) -> StopText:
    """A part: the quotation in it is the task, the list are the answers."""
    text: list[Token] = []
    task: list[Token] = []
    answers: list[Token] = []
    into = text
    for token in tokens:
        match token.type:
            case "blockquote_open":
                into = task
            case "bullet_list_open":
                into = answers
            case "blockquote_close" | "bullet_list_close":
                into = text
            case _:
                into.append(token)
    said = (token.content for token in answers if token.type == "inline")
    return StopText(
        title,
        _html(markdown, text),
        _html(markdown, task),
        {word: words for each in said for word, words in _answer(markdown, each).items()},
    )


def _answer(markdown: MarkdownIt, said: str) -> Mapping[str, str]:
    found = _ANSWER.fullmatch(said)
    if found is None:
        raise ValueError(f"an answer begins with words like `T` `C`: and not {said!r}")
    html: str = markdown.renderInline(found[2])
    return dict.fromkeys(re.findall(r"`([^`]+)`", found[1]), html)


def _html(markdown: MarkdownIt, tokens: Sequence[Token]) -> str:
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    return html
