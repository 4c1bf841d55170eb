"""The pages of a lesson: where it begins, each of its stops, and the real game after it."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import Ephemeral, Value
from mauerwerk.core.language import YOU, Language, capital
from mauerwerk.games import GAMES
from mauerwerk.server.features.lessons.lesson import LEARNER, Course, Stop, course, script
from mauerwerk.server.games import web_game, web_games
from mauerwerk.server.games.room import Parts, buttons
from mauerwerk.server.http import errors, identity, response
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.ui import error_texts, history
from mauerwerk.server.ui.names import BOTS
from mauerwerk.server.ui.page import LONGEST_WORD, Form, PageRequest

EASY: Final = "apprentice"
"""The level of bots for a player who has just learnt the rules."""
LATEST: Final = 3
"""The number of lines of news that are shown at once; the rest can be opened."""


class Extra(Value):
    """What is said once, in answer to a move."""

    answer: str = ""
    refusal: error_texts.ErrorText | None = None


# --- What a stop shows -----------------------------------------------------------------------


def stop_page(lesson: Course, stop: Stop, language: Language, extra: Extra) -> dict[str, Any]:
    """A stop in the words of a language, for the template."""
    game, note = lesson.rules, stop.note
    names = names_at(stop)
    view = game.view(stop.state, LEARNER)
    legal = tuple(game.legal(stop.state, LEARNER)) if note.word else ()
    board = web_game(lesson.game).board
    before = [event for event in stop.told if not isinstance(event, Ephemeral)]
    parts = board.parts(view, legal, names, language, before)
    hidden = note.riddle and extra == Extra()
    glowing = "" if hidden else note.word
    news = told(lesson, stop, language)
    return {
        "number": stop.number,
        "steps": len(lesson.stops),
        "part": script(lesson.game, language.code).parts[note.key],
        "clauses": note.clauses,
        "earlier": news[:-LATEST],
        "told": news[-LATEST:],
        "parts": point_at(parts, glowing, note.looks),
        "lines": () if board.SEATED else parts.rows(names, language, LEARNER),
        # What the learner is to play, also where that is still a riddle; as a player would say it.
        "word": note.word,
        "glowing": glowing,
        "move": capital(game.say(game.parse(note.word), language)) if note.word else "",
        "choices": buttons(game, legal, language),
    }


def names_at(stop: Stop) -> tuple[str, ...]:
    """The names of the seats: the learner, and bots by their names at any table."""
    return (YOU, *BOTS[1 : stop.setup.seats])


def told(lesson: Course, stop: Stop, language: Language) -> tuple[history.HistoryLine, ...]:
    """What happened since the stop before, in words."""
    names, game = names_at(stop), lesson.rules
    lines = (
        history.history_line(game, each.events, names, language, number=0, mark=each.mark)
        for each in stop.news
    )
    return tuple(filter(None, lines))


# --- Pages -----------------------------------------------------------------------------------


async def begin(request: PageRequest) -> response.Response:
    """What the lesson is about, and links to begin or resume it."""
    lesson = lesson_at(request)
    box = web_game(lesson.game).box
    text = script(lesson.game, request.language.code)
    contents = [(stop.number, text.parts[stop.note.key].title) for stop in lesson.stops]
    return request.render(
        "lessons/begin.html",
        box=box,
        preface=text.preface,
        contents=contents,
        progress=progress_of(request, lesson.game),
        others=_others(lesson),
        symbols=box.symbols,
    )


async def show(request: PageRequest) -> response.Response:
    """A stop."""
    lesson = lesson_at(request)
    return _page(request, lesson, _stop(request, lesson), Extra())


async def answer(request: PageRequest, form: Form) -> response.Response:
    """Continue after the move that the lesson expects; answer any other move."""
    lesson = lesson_at(request)
    stop = _stop(request, lesson)
    word = form.get("word", "")[:LONGEST_WORD]
    if not stop.note.word:
        raise errors.HttpError(409, "there is nothing to play here")
    if word == stop.note.word:
        following = lesson.stops[stop.number]
        if not request.morphs:
            return response.redirect(f"/learn/{lesson.game}/{following.number}")
        return _page(request, lesson, following, Extra())
    try:
        lesson.rules.apply(stop.state, LEARNER, lesson.rules.parse(word))
    except MoveError as error:
        refusal = error_texts.refusal_of(error, request.language)
        return _page(request, lesson, stop, Extra(refusal=refusal), refusal.status)
    part = script(lesson.game, request.language.code).parts[stop.note.key]
    return _page(request, lesson, stop, Extra(answer=part.answer(word)))


async def play(request: PageRequest, form: Form) -> response.Response:
    """A real table, against bots that are beginners too."""
    del form
    box = web_game(lesson_at(request).game).box
    return await request.start_table(box.against_bots(EASY, {}), f"/learn/{box.name}")


def _page(
    request: PageRequest, lesson: Course, stop: Stop, extra: Extra, status: int = 200
) -> response.Response:
    seen = stop_page(lesson, stop, request.language, extra)
    room = web_game(lesson.game)
    return request.render(
        "lessons/step_live.html" if request.morphs else "lessons/lesson.html",
        status,
        progress_cookie(request, lesson.game, stop.number),
        seen=seen,
        extra=extra,
        box=room.box,
        look=room.board.LOOK,
        aside=room.board.ASIDE,
        others=_others(lesson),
        symbols=room.board.SYMBOLS,
    )


def lesson_at(request: PageRequest) -> Course:
    """The lesson that a path is about. Raises HttpError."""
    room = web_games().get(request.path_params["game"])
    if room is None or room.lesson is None:
        raise errors.HttpError(404, "there is no such game, or it has no lesson here")
    return course(room.box.name)


def _stop(request: PageRequest, lesson: Course) -> Stop:
    number = whole_number(request.path_params["step"])
    if number is None or not 1 <= number <= len(lesson.stops):
        raise errors.HttpError(404, "the lesson does not stop there")
    return lesson.stops[number - 1]


def _others(lesson: Course) -> list[tuple[str, str]]:
    return [
        (name, room.box.title)
        for name, room in web_games().items()
        if room.lesson and name != lesson.game
    ]


# --- Drawings with what a lesson speaks of marked in them ------------------------------------


ASKED: Final = "asked"
"""The class of what the learner is to press."""
SHOWN: Final = "shown"
"""The class of what is spoken of."""


def point_at(parts: Parts, word: str, looks: Iterable[str]) -> Parts:
    """The same parts: the target of this word is `asked`, and what has one of these ids `shown`."""
    words = {word: ASKED} if word else {}
    return parts.marked(words, dict.fromkeys(looks, SHOWN))


# --- A visitor's progress in the lessons, as the browser remembers it -----------------------------


COOKIE: Final = "mauerwerk-lessons"


class Progress(Value):
    """A visitor's progress in the lesson of a game."""

    game: str
    step: int
    """The furthest stop they saw, from 1; 0 before they have begun."""
    steps: int

    @property
    def begun(self) -> bool:
        """Whether there is a lesson to resume."""
        return 1 < self.step < self.steps

    @property
    def done(self) -> bool:
        """Whether they have reached the end."""
        return self.step == self.steps

    @property
    def link(self) -> str:
        """The link to begin, resume, or look back at the lesson as a whole."""
        return f"/learn/{self.game}" if self.done else f"/learn/{self.game}/{max(self.step, 1)}"


def progress_of(request: PageRequest, game: str) -> Progress:
    """A visitor's progress in the lesson of a game."""
    steps = len(course(game).stops)
    return Progress(game, min(_steps(request).get(game, 0), steps), steps)


def progress_cookie(request: PageRequest, game: str, step: int) -> list[response.Header]:
    """The cookie that remembers this stop, unless they were further already."""
    steps = _steps(request)
    if steps.get(game, 0) >= step:
        return []
    said = ".".join(f"{name}-{number}" for name, number in {**steps, game: step}.items())
    return [identity.set_cookie(request, COOKIE, said)]


def _steps(request: Request) -> Mapping[str, int]:
    """The furthest stop in each lesson; invalid parts of the cookie are ignored."""
    steps: dict[str, int] = {}
    for each in identity.cookie_in(request, COOKIE).split("."):
        game, _, said = each.partition("-")
        number = whole_number(said)
        if game in GAMES and number:
            steps[game] = number
    return steps
