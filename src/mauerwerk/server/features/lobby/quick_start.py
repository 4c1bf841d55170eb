"""What "Play now" starts: how many bots of which level, and one option of the game.

The browser remembers the last choice for each game. What is chosen beside the button is remembered
at once where the script sends it, and otherwise when the game starts.
"""

from collections.abc import Mapping
from typing import Final

from mauerwerk.bots.levels import levels_of, title_of
from mauerwerk.core import options
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.games import GAMES
from mauerwerk.server.games import room, web_game
from mauerwerk.server.http import identity, response
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.tables.charter import Chair, Order
from mauerwerk.server.ui.page import Chip, Form

COOKIE: Final = "mauerwerk-starts"


class Start(Value):
    """What "Play now" starts."""

    level: str
    seats: int
    word: str = ""
    """The answer to the game's own question; empty where it asks none."""


class StartForm(Value):
    """What stands beside "Play now"."""

    says: str
    """The second line of the button: `2 bots, Journeyman`."""

    levels: tuple[Chip, ...]
    seats: tuple[Chip, ...]
    label: str
    """The name of the game's own question."""

    answers: tuple[Chip, ...]


def question_of(game: str) -> room.OptionQuestion | None:
    """The question of a game that is asked beside "Play now"."""
    return next((each for each in web_game(game).questions if each.short), None)


def starts_in(request: Request) -> Mapping[str, Start]:
    """What this browser remembers of each game; what makes no sense is ignored."""
    starts: dict[str, Start] = {}
    for said in identity.cookie_in(request, COOKIE).split("."):
        match said.split("-"):
            case [game, level, seats, word] if game in GAMES:
                form = Form({"level": level, "seats": seats, "word": word})
                starts[game] = start_in(form, game, usual_start(game))
            case _:
                pass
    return starts


def usual_start(game: str) -> Start:
    """What it starts for a player of whom nothing is known."""
    levels = levels_of(GAMES[game])
    question = question_of(game)
    usual = {each.name: each.default for each in options.described(GAMES[game].OPTIONS)}
    return Start(
        level=room.MIDDLE if room.MIDDLE in levels else next(iter(levels)),
        seats=web_game(game).box.seats,
        word=usual[question.option] if question else "",
    )


def start_in(form: Form, game: str, before: Start) -> Start:
    """The choice in a form; what it leaves open, or cannot be, stays as it was before."""
    level, word = form.get("level", ""), form.get("word", "")
    seats = whole_number(form.get("seats", ""))
    question = question_of(game)
    return Start(
        level=level if level in levels_of(GAMES[game]) else before.level,
        seats=seats if seats is not None and seats in GAMES[game].SEATS else before.seats,
        word=word if question and question.answer(word) else before.word,
    )


def remember(request: Request, game: str, start: Start) -> response.Header:
    """The header that makes the browser remember it."""
    starts = {**starts_in(request), game: start}
    said = (f"{name}-{each.level}-{each.seats}-{each.word}" for name, each in starts.items())
    return identity.set_cookie(request, COOKIE, ".".join(said))


def order_for(box: room.Box, start: Start) -> Order:
    """The table that it sets up: the first seat is the visitor's."""
    bots = (Chair("bot", start.level) for _ in range(start.seats - 1))
    question = question_of(box.name)
    return Order(
        game=box.name,
        chairs=(Chair("human"), *bots),
        options={question.option: start.word} if question else {},
        mine=(Seat(0),),
        bot_delay_ms=box.bot_delay_ms,
    )


def form_for(game: str, start: Start, language: Language) -> StartForm:
    """What stands beside the button, in words."""
    question = question_of(game)
    return StartForm(
        says=said(game, start, language),
        levels=tuple(
            Chip(name, title_of(level, GAMES[game], language), name == start.level)
            for name, level in levels_of(GAMES[game]).items()
        ),
        seats=tuple(
            Chip(str(seats), str(seats), seats == start.seats) for seats in GAMES[game].SEATS
        ),
        label=language(question.short) if question else "",
        answers=tuple(
            Chip(each.word, language(each.said), each.word == start.word)
            for each in (question.answers if question else ())
        ),
    )


def said(game: str, start: Start, language: Language) -> str:
    """What it starts, in a few words; the answer to the game's question where it is unusual."""
    bots = language.many(start.seats - 1, "{number} bot", "{number} bots")
    parts = [bots, title_of(levels_of(GAMES[game])[start.level], GAMES[game], language)]
    question = question_of(game)
    answer = question.answer(start.word) if question else None
    if answer and start.word != usual_start(game).word:
        parts.append(language(answer.alone))
    return ", ".join(parts)
