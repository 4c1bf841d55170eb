"""The home page: the games, your tables, open tables, and a game at one click."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.bots.levels import levels_of, title_of
from mauerwerk.core import options
from mauerwerk.core.game import Value
from mauerwerk.core.language import Language
from mauerwerk.games import GAMES
from mauerwerk.server.features.evenings.store import evenings_of
from mauerwerk.server.features.evenings.view_model import evening_line, is_done
from mauerwerk.server.features.lessons.pages import progress_of
from mauerwerk.server.features.lobby import open_tables
from mauerwerk.server.features.lobby.looking import people_looking
from mauerwerk.server.features.results.store import unfinished_of
from mauerwerk.server.features.spectating.pages import followed_games
from mauerwerk.server.games import web_game, web_games
from mauerwerk.server.games.room import Box, OptionQuestion, usual_level
from mauerwerk.server.games.table_lines import finished_line_of, line_of
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import cookie_in, set_cookie
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.http.response import Header, Response
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError
from mauerwerk.server.tables.table import Card, Status
from mauerwerk.server.ui.page import HOME, HOME_TOP, Chip, Form, PageRequest, Panels, html_reply

ICONS: Final = ("i-sliders", "i-search", "i-link", "i-x", "i-book", "i-film", "i-table", "i-pen")
COOKIE: Final = "mauerwerk-starts"
MOST: Final = 6
"""The most tables of a kind that the page lists."""
MOST_ENDED: Final = 50
"""The number of the reader's last tables among which finished games are looked for."""


async def show_again(request: PageRequest, taken: str) -> Response:
    """The home page for a visitor who wanted a seat at this table, and came too late."""
    cards: list[Card] = []
    with suppress(NoTableError, OtherRulesError):
        cards.append((await request.host.table(taken)).card())
    return await show(request, cards)


async def show(request: PageRequest, taken: Sequence[Card] = ()) -> Response:
    """The games, and tables to resume, to join or to watch."""
    host, language = request.host, request.language
    own = await _own_tables(request)
    seats = await host.seats_of(request.guest, own)
    seated = {card.id for card in own}
    public = {
        status: [
            card
            for card in await host.store.lobby(status, before=None, most=open_tables.LOOKED_AT)
            if card.id not in seated and card.game in GAMES  # its package may be gone
        ]
        for status in (Status.OPEN, Status.RUNNING)
    }
    evenings = await evenings_of(host.store, request.guest.id) if request.guest else ()
    now = request.host.now()
    running = [
        line_of(card, seats.get(card.id, ()), now, language)
        for card in own
        if card.status is not Status.OVER
    ]
    over = [card for card in own if card.status is Status.OVER][:MOST]
    games, panels = web_games(), request.host.service(Panels)
    new = not (request.guest or request.preferences.knows)
    # After a game of their own nobody is new any more, also once it is gone from this list.
    learnt = over and not request.preferences.knows
    headers = [request.preferences.changed({"knows": "1"}).cookie(request)] if learnt else []
    too_late = taken[0].id if taken else ""
    cards = [*taken, *(card for card in public[Status.OPEN] if card.id != too_late)]
    return request.render(
        "lobby/home.html",
        409 if taken else 200,
        headers,
        first=next((game for game in games.values() if new and game.box.first), None),
        games=tuple(games.values()),
        starts={name: _start_form(name, start_of(request, name), language) for name in games},
        lessons={name: progress_of(request, name) for name, game in games.items() if game.lesson},
        symbols=(
            *ICONS,
            *panels.symbols(HOME),
            *(symbol for game in games.values() for symbol in game.box.symbols),
        ),
        evenings=[evening_line(*each, language) for each in evenings if not is_done(each[1], now)],
        followed=await followed_games(request),
        running=sorted(running, key=lambda line: line.urgency)[: 2 * MOST],
        lobby=open_tables.lobby_of(
            cards,
            open_tables.seek_in(request.query),
            language,
            too_late,
            await people_looking(host.store),
        ),
        first_panels=await panels.gather(request, HOME_TOP),
        panels=await panels.gather(request, HOME),
        watch=[line_of(card, (), now, language) for card in public[Status.RUNNING][:MOST]],
        over=[finished_line_of(card, seats.get(card.id, ()), now, language) for card in over],
    )


async def _own_tables(request: PageRequest) -> list[Card]:
    """All tables of the visitor that are not over, and some of the last that are."""
    guest, host = request.guest, request.host
    if guest is None:
        return []
    unfinished = await unfinished_of(host.store, guest.id)
    last = await host.store.tables_of(guest.id, before=None, most=MOST_ENDED)
    over = [card for card in last if card.status is Status.OVER]
    return [card for card in (*unfinished, *over) if card.game in GAMES]


# --- "Play now" ------------------------------------------------------------------------------
#
# The browser remembers the last choice for each game. What is chosen beside the button is
# remembered at once where the script sends it, and otherwise when the game starts.


class Start(Value):
    """What "Play now" starts."""

    level: str
    seats: int
    word: str = ""
    """The answer to the game's own question; empty where it asks none."""


def question_of(game: str) -> OptionQuestion | None:
    """The question of a game that is asked beside "Play now"."""
    return next((each for each in web_game(game).questions if each.short), None)


def starts_in(request: Request) -> Mapping[str, Start]:
    """What this browser remembers of each game; what makes no sense is ignored."""
    starts: dict[str, Start] = {}
    for said in cookie_in(request, COOKIE).split("."):
        match said.split("-"):
            case [game, level, seats, word] if game in GAMES:
                form = Form({"level": level, "seats": seats, "word": word})
                starts[game] = start_in(form, game, _first_start(request, game))
            case _:
                pass
    return starts


def start_of(request: Request, game: str) -> Start:
    """What it starts for this browser."""
    return starts_in(request).get(game) or _first_start(request, game)


def _first_start(request: Request, game: str) -> Start:
    """What it starts where nothing is remembered: somebody new begins with the easiest bots."""
    usual = usual_start(game)
    if request.identity.guest:
        return usual
    return replace(usual, level=next(iter(levels_of(GAMES[game]))))


def usual_start(game: str) -> Start:
    """What it starts for a player of whom nothing is known."""
    question = question_of(game)
    usual = {each.name: each.default for each in options.described(GAMES[game].OPTIONS)}
    return Start(
        level=usual_level(GAMES[game]),
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


def _remember(request: Request, game: str, start: Start) -> Header:
    starts = {**starts_in(request), game: start}
    said = (f"{name}-{each.level}-{each.seats}-{each.word}" for name, each in starts.items())
    return set_cookie(request, COOKIE, ".".join(said))


def _start_form(game: str, start: Start, language: Language) -> dict[str, Any]:
    """What stands beside "Play now"; `says` is the second line of the button."""
    question = question_of(game)
    return {
        "says": said(game, start, language),
        "levels": [
            Chip(name, title_of(level, GAMES[game], language), name == start.level)
            for name, level in levels_of(GAMES[game]).items()
        ],
        "seats": [
            Chip(str(seats), str(seats), seats == start.seats) for seats in GAMES[game].SEATS
        ],
        "label": language(question.short) if question else "",
        "answers": [
            Chip(each.word, language(each.said), each.word == start.word)
            for each in (question.answers if question else ())
        ],
    }


def said(game: str, start: Start, language: Language) -> str:
    """What it starts, in a few words; the answer to the game's question where it is unusual."""
    bots = language.many(start.seats - 1, "{number} bot", "{number} bots")
    parts = [bots, title_of(levels_of(GAMES[game])[start.level], GAMES[game], language)]
    question = question_of(game)
    answer = question.answer(start.word) if question else None
    if answer and start.word != usual_start(game).word:
        parts.append(language(answer.alone))
    return ", ".join(parts)


async def play_now(request: PageRequest, form: Form) -> Response:
    """Create a table with bots, seat the visitor and show it."""
    box, start = _chosen(request, form)
    question = question_of(box.name)
    answers = {question.option: start.word} if question else {}
    order = box.against_bots(start.level, answers, seats=start.seats)
    return await request.start_table(order, "/", _remember(request, box.name, start))


async def choose_start(request: PageRequest, form: Form) -> Response:
    """Remember what "Play now" is to start; the answer is what the button then says."""
    box, start = _chosen(request, form)
    words = escape(said(box.name, start, request.language))
    return html_reply(words, headers=[_remember(request, box.name, start)])


def _chosen(request: PageRequest, form: Form) -> tuple[Box, Start]:
    """The game in a form, and what is to be started. Raises HttpError."""
    room = web_games().get(form.get("game", ""))
    if room is None:
        raise HttpError(404, "there is no such game")
    name = room.box.name
    return room.box, start_in(form, name, start_of(request, name))
