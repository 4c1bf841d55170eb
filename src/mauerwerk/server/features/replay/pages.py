"""The page of a position, and the page that brings a record."""

import math
import time
from typing import Final

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core import errors, options, record
from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import sentence
from mauerwerk.games import GAMES, is_current
from mauerwerk.server.features.replay import link_codec, pictures
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.replay.evaluation import Evaluation, evaluate
from mauerwerk.server.features.replay.frame import ALL, Frame, frame, link_to
from mauerwerk.server.features.replay.replay import Replay
from mauerwerk.server.features.replay.replays import NotOverError, ReplayPage, Replays
from mauerwerk.server.games import room, table_lines, web_game
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Chair, Order
from mauerwerk.server.tables.errors import OtherRulesError, TooManyError
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.error_texts import ErrorText
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.page import Form, PageRequest

PLAIN: Final = b"text/plain; charset=utf-8"

MOST_LISTED: Final = 50
"""The number of tables among which finished games are looked for."""

ICONS: Final = (
    *("i-first", "i-turnb", "i-back", "i-fwd", "i-turnf", "i-last", "i-play", "i-pause"),
    *("i-pennant", "i-share"),
)


async def show(request: PageRequest) -> Response:
    """A position: after `?at=` moves, as `&seat=` saw it at the time, or `all`."""
    try:
        page = await request.app.service(Replays).page_of(request)
    except NotOverError:
        return request.render("replay/not_over.html", 409, table=request.table)
    except OtherRulesError:
        return redirect(f"/t/{request.table}")  # which says why nobody can see the game
    return _page_of(request, page)


def _page_of(request: PageRequest, page: ReplayPage) -> Response:
    """The whole page, or what is morphed into it where the script asks."""
    at, viewpoint = page.wanted(*(request.query.get(name, "") for name in ("at", "seat", "to")))
    shown = frame(page.replay, at, viewpoint, page.people, request.language)
    return request.render(
        "replay/live.html" if request.morphs else "replay/page.html",
        page=page,
        shown=shown,
        analysis=analysis_state(request, page, shown),
        levels=levels_in(request.language),
        level=room.MIDDLE,
        symbols=(*ICONS, *shown.symbols),
        preview=pictures.preview_of_replay(request, page, at, viewpoint),
    )


def levels_in(language: Language) -> list[tuple[str, str]]:
    """The levels of bots, in words."""
    return [(name, language(level.title)) for name, level in LEVELS.items()]


# --- Bringing a record -----------------------------------------------------------------------


async def show_import(request: PageRequest) -> Response:
    """The visitor's finished games, and the form for a record."""
    return await _import_page(request)


async def _import_page(
    request: PageRequest, text: str = "", refusal: ErrorText | None = None
) -> Response:
    guest, now = request.guest, int(time.time() * 1_000)
    tables = (
        await request.host.store.tables_of(guest.id, before=None, most=MOST_LISTED) if guest else ()
    )
    seats = await request.host.seats_of(guest, tables)
    over = [
        table_lines.ended(card, seats.get(card.id, ()), now, request.language)
        for card in tables
        if card.status is Status.OVER and card.game in GAMES
    ]
    symbols = tuple(dict.fromkeys(line.box.thumb for line in over))
    status = refusal.status if refusal else 200
    return request.render(
        "replay/bring.html", status, text=text, refusal=refusal, over=over, symbols=symbols
    )


async def import_record(request: PageRequest, form: Form) -> Response:
    """Read a record, and redirect to its replay."""
    text = form.get("record", "")
    try:
        code = await request.app.service(Replays).load(request, _code_of, text)
    except (record.RecordError, link_codec.LongLinkError) as fault:
        refusal = ErrorText(422, sentence(_why_not(fault, request.language)))
        return await _import_page(request, text, refusal)
    return redirect(f"/replay/{code}")


def _code_of(text: str) -> str:
    return link_codec.encode(link_codec.from_text(text))


def _why_not(fault: record.RecordError | link_codec.LongLinkError, language: Language) -> str:
    """What is wrong with a record: where, and in the reader's language why, if that is known."""
    if isinstance(fault, link_codec.LongLinkError):
        return language("this record is too long to be shown here")
    match fault.__cause__:
        case errors.IllegalMoveError(seat=seat) as cause:
            number = seat + 1  # a record counts seats from 0, its readers from 1
            who = language("nature") if seat == NATURE else language("seat {number}", number=number)
            why = errors.explained(cause, language, who)
        case errors.MoveError() as cause:
            why = errors.explained(cause, language)
        case _:
            why = str(fault).removeprefix(f"line {fault.line}: ")
    return language("line {number} of the record: {why}", number=fault.line, why=why)


async def download_record(request: PageRequest) -> Response:
    """The record of a game that came in a link, as a file."""
    page = await request.app.service(Replays).page_of(request)
    copy = link_codec.NamedRecord(page.replay.record, page.replay.names)
    return Response(link_codec.to_text(copy).encode(), PLAIN)


class AnalysisState(Value):
    """An analysis for the page: not asked for, running, failed, or done."""

    evaluation: Evaluation | None = None
    running: bool = False
    percent: int = 0
    left: str = ""
    """How long it will still take, once that is known."""

    fault: str = ""


MINUTE: Final = 60

BUSY: Final = "&busy=1"
"""Added to the link back to a position when the server has no time for an analysis."""


def analysis_state(request: PageRequest, page: ReplayPage, shown: Frame) -> AnalysisState:
    """The progress of a game's analysis, and what it says about this position."""
    job = request.host.service(Analyses).known(page.replay.record)
    language = request.language
    if job is not None and job.result is not None:
        return AnalysisState(evaluate(job.result, page.replay, shown, language))
    if job is not None and job.under_way:
        left = job.seconds_left
        words = "" if left is None else _left(left, language)
        return AnalysisState(running=True, percent=round(100 * job.progress), left=words)
    if request.query.get("busy"):
        busy = language("bots look at other games right now; ask again in a few minutes")
        return AnalysisState(fault=sentence(busy))
    if job is not None:
        return AnalysisState(fault=sentence(language("the bot did not finish; try again")))
    return AnalysisState()


def _left(seconds: float, language: Language) -> str:
    """How long it still takes, in steps that do not jump about."""
    if seconds > MINUTE:
        minutes = math.ceil(seconds / MINUTE)
        return language.many(minutes, "about {number} minute left", "about {number} minutes left")
    return language("about {number} seconds left", number=max(5, 5 * math.ceil(seconds / 5)))


async def analyse(request: PageRequest, form: Form) -> Response:
    """Have the whole game analysed, and go back to the position where it was asked for."""
    page = await request.app.service(Replays).finished_page_of(request)
    at, viewpoint = page.wanted(form.get("at", ""), form.get("seat", ""))
    back = f"{page.path}{link_to(at, ALL if viewpoint is None else str(viewpoint))}"
    client = request.client
    whose = request.guest.id if request.guest else client
    times = request.app.limiter.times(client)
    try:
        request.host.service(Analyses).ask(
            page.replay.record, whose=whose, client=client, times=times
        )
    except TooManyError:
        return redirect(f"{back}{BUSY}")
    return redirect(back)


async def play_on(request: PageRequest, form: Form) -> Response:
    """Create a table that resumes the game from here, with the visitor at the seat they choose."""
    page = await request.app.service(Replays).finished_page_of(request)
    order = _ordered(page.replay, form)
    guest, headers = request.known(friendly_name())
    return redirect(f"/t/{await request.create_table(order, guest)}", headers)


def _ordered(replay: Replay, form: Form) -> Order:
    """What the form asks for. Raises HttpError."""
    at, seat, level = form.number("at"), form.number("seat"), form.get("level", "")
    if (
        at is None
        or seat is None
        or at > replay.last
        or seat >= replay.seats
        or level not in LEVELS
    ):
        raise HttpError(422, "say from where, at which seat and against whom")
    if not replay.game.to_act(replay.states[at]):
        raise HttpError(422, "the game is over here")
    if not is_current(replay.game):
        raise HttpError(422, "the rules of this game have changed since; it cannot be played on")
    played = replay.record
    return Order(
        game=played.game,
        chairs=tuple(
            Chair("human") if each == seat else Chair("bot", level) for each in range(replay.seats)
        ),
        options=options.to_words(played.setup.options),
        mine=(Seat(seat),),
        bot_delay_ms=web_game(played.game).box.bot_delay_ms,
        moves=tuple(str(move) for move in replay.moves[:at]),
    )
