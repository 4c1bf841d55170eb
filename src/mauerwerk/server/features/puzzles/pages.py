"""The pages of puzzles: the three of a day, one of them, its answer, and the game from there."""

from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

import msgspec

from mauerwerk.core import options
from mauerwerk.core.game import Value
from mauerwerk.core.language import Language
from mauerwerk.lab.analysis.puzzles import Puzzle
from mauerwerk.server.features.puzzles import service
from mauerwerk.server.features.puzzles.question import (
    answer_to,
    marks_after,
    position_of,
    question_of,
)
from mauerwerk.server.games.room import Preview, PreviewMessage, usual_level
from mauerwerk.server.http import errors, response
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.ui.dates import MONTHS
from mauerwerk.server.ui.page import LONGEST_WORD, Form, PageRequest


class Place(Value):
    """Which puzzle a page is about."""

    day: date
    number: int
    """From 1."""
    of: int
    is_today: bool

    @property
    def path(self) -> str:
        """The page of the puzzle."""
        return f"/puzzles/{self.day}/{self.number}"

    def answer(self, word: str) -> str:
        """The page of the answer to a word."""
        return f"{self.path}?{urlencode({'word': word})}"

    @property
    def following(self) -> str:
        """The page of the next puzzle of the day; empty after the last."""
        return f"/puzzles/{self.day}/{self.number + 1}" if self.number < self.of else ""


async def _puzzles(request: PageRequest, day: date) -> tuple[Puzzle, ...]:
    return await request.host.service(service.Puzzles).of(day)


async def _found(request: PageRequest) -> tuple[Place, Puzzle]:
    """The puzzle that a path is about. Raises HttpError."""
    day, number = _day(request.path_params["day"]), whole_number(request.path_params["number"])
    puzzles = await _puzzles(request, day) if day else ()
    if day is None or number is None or not 1 <= number <= len(puzzles):
        raise errors.HttpError(404, "there is no such puzzle")
    return Place(day, number, len(puzzles), day == service.today()), puzzles[number - 1]


def _day(said: str) -> date | None:
    """The day in an address, if it has puzzles: not one that is still to come."""
    try:
        day = date.fromisoformat(said)
    except ValueError:
        return None
    return day if said == str(day) and service.FIRST <= day <= service.today() else None


def said_of(day: date, language: Language) -> str:
    """A day in words."""
    return language(MONTHS[day.month - 1], day=day.day)


async def panel(request: PageRequest) -> str | None:
    """The day of today's puzzles, for the home page; nothing where there are none."""
    day = service.today()
    return str(day) if await _puzzles(request, day) else None


async def show_today(request: PageRequest) -> response.Response:
    """The three puzzles of today, and the way to those of yesterday."""
    return await _list(request, service.today())


async def show_day(request: PageRequest) -> response.Response:
    """The puzzles of another day."""
    day = _day(request.path_params["day"])
    if day is None:
        raise errors.HttpError(404, "there are no puzzles for this day")
    return await _list(request, day)


async def _list(request: PageRequest, day: date) -> response.Response:
    puzzles = await _puzzles(request, day)
    rooms = [position_of(each).room for each in puzzles]
    yesterday = day - timedelta(days=1)
    return request.render(
        "puzzles/day.html",
        day=day,
        when=said_of(day, request.language),
        is_today=day == service.today(),
        yesterday=yesterday if yesterday >= service.FIRST else None,
        puzzles=[
            (f"/puzzles/{day}/{number}", room, position_of(each).turn + 1)
            for number, (room, each) in enumerate(zip(rooms, puzzles, strict=True), start=1)
        ],
        symbols=tuple(dict.fromkeys(symbol for room in rooms for symbol in room.box.symbols)),
    )


async def show(request: PageRequest) -> response.Response:
    """A puzzle; with `?word=` its answer. Raises MoveError for a word that is no choice."""
    place, puzzle = await _found(request)
    word = request.query.get("word", "")[:LONGEST_WORD]
    language = request.language
    marks = marks_after(puzzle, word) if word else None
    asked = question_of(puzzle, language, marks)
    return request.render(
        "puzzles/puzzle.html",
        place=place,
        when=said_of(place.day, language),
        asked=asked,
        answer=answer_to(puzzle, word, language) if word else None,
        symbols=position_of(puzzle).room.board.SYMBOLS,
    )


async def preview(request: PageRequest) -> response.Response:
    """What a word would do, by what the seat knows. Raises HttpError or MoveError."""
    _, puzzle = await _found(request)
    word = request.query.get("word", "")[:LONGEST_WORD]
    position = position_of(puzzle)
    made = position.preview(word, request.language) or Preview(sentence="")
    shown: dict[str, Any] = msgspec.structs.asdict(made)
    return response.reply(PreviewMessage(said=position.said(word, request.language), **shown))


async def play_on(request: PageRequest, form: Form) -> response.Response:
    """Create a table that resumes the game from here, with the visitor at the seat asked."""
    place, puzzle = await _found(request)
    position = position_of(puzzle)
    order = position.room.box.against_bots(
        usual_level(position.game),
        options.to_words(position.setup.options),
        seat=puzzle.seat,
        seats=position.setup.seats,
        moves=position.moves,
    )
    return await request.start_table(order, place.answer(form.get("word", "")))
