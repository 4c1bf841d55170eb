"""The page of a position, and the page that brings a record."""

import asyncio
import gzip
import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core import errors, options, record
from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language import Language, sentence
from mauerwerk.core.svg import Drawing
from mauerwerk.games import GAMES, is_current
from mauerwerk.server.features.replay import link_codec
from mauerwerk.server.features.replay.analyses import Analyses, Job
from mauerwerk.server.features.replay.evaluation import evaluate, options_at
from mauerwerk.server.features.replay.frame import frame, link_to
from mauerwerk.server.features.replay.replay import NotOverError, ReplayPage, Replays, Viewpoint
from mauerwerk.server.features.sharing import pages as sharing
from mauerwerk.server.features.sharing import pictures, posters
from mauerwerk.server.games import room, table_lines, web_game, web_games
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.http.static import takes_gzip
from mauerwerk.server.tables.errors import OtherRulesError, TooManyError
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.cache import Drawings
from mauerwerk.server.ui.error_texts import ErrorText
from mauerwerk.server.ui.names import places_of, places_said
from mauerwerk.server.ui.page import LONGEST_WORD, Form, PageRequest

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
        page = await request.host.service(Replays).page_of(request)
    except NotOverError:
        return request.render("replay/not_over.html", 409, table=request.table)
    except OtherRulesError:
        return redirect(f"/t/{request.table}")  # which says why nobody can see the game
    at, viewpoint = page.wanted(*(request.query.get(name, "") for name in ("at", "seat", "to")))
    language = request.language
    job = request.host.service(Analyses).known(page.replay.record)
    found = job.result if job else None  # asked for once: it may come while the page is drawn
    options = options_at(found, page.replay, at, viewpoint) if found else ()
    shown = request.host.service(Drawings).once(
        ("replay", page.path, at, viewpoint, page.people, language.code, options),
        lambda: frame(page.replay, at, viewpoint, page.people, language, options),
    )
    return request.render(
        "replay/live.html" if request.morphs else "replay/page.html",
        page=page,
        shown=shown,
        analysis=AnalysisState(evaluate(found, page.replay, shown, language))
        if found
        else analysis_state(request, job),
        levels=[(name, request.language(level.title)) for name, level in LEVELS.items()],
        level=room.MIDDLE,
        symbols=(*ICONS, *shown.symbols),
        preview=preview_of_replay(request, page, at, viewpoint),
    )


# --- Bringing a record -----------------------------------------------------------------------


async def show_import(
    request: PageRequest, text: str = "", refusal: ErrorText | None = None
) -> Response:
    """The visitor's finished games, and the form for a record."""
    guest, now = request.guest, request.host.now()
    tables = (
        await request.host.store.tables_of(guest.id, before=None, most=MOST_LISTED) if guest else ()
    )
    seats = await request.host.seats_of(guest, tables)
    over = [
        table_lines.finished_line_of(card, seats.get(card.id, ()), now, request.language)
        for card in tables
        if card.status is Status.OVER and card.game in GAMES
    ]
    boxes = (*(line.box for line in over), *(box for box, _ in samples()))
    symbols = tuple(dict.fromkeys(box.thumb for box in boxes))
    status = refusal.status if refusal else 200
    return request.render(
        "replay/bring.html",
        status,
        text=text,
        refusal=refusal,
        over=over,
        samples=samples(),
        symbols=symbols,
    )


@cache
def samples() -> tuple[tuple[room.Box, str], ...]:
    """Whole games of bots to try the replay with, and their links."""
    found: list[tuple[room.Box, str]] = []
    for web in web_games().values():
        if web.sample:
            code = link_codec.encode(link_codec.from_text(web.sample))
            found.append((web.box, f"/replay/{code}"))
    return tuple(found)


async def import_record(request: PageRequest, form: Form) -> Response:
    """Read a record, and redirect to its replay."""
    text = form.get("record", "")
    try:
        code = await request.host.service(Replays).load(
            request, lambda: link_codec.encode(link_codec.from_text(text))
        )
    except (record.RecordError, link_codec.LongLinkError) as fault:
        refusal = ErrorText(422, sentence(_why_not(fault, request.language)))
        return await show_import(request, text, refusal)
    return redirect(f"/replay/{code}")


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
        case errors.SetupError() as cause:
            why = cause.told(language)
        case _:
            why = fault.told(language)
    return language("line {number} of the record: {why}", number=fault.line, why=why)


async def download_record(request: PageRequest) -> Response:
    """The record of a game that came in a link, as a file."""
    page = await request.host.service(Replays).page_of(request)
    copy = link_codec.NamedRecord(page.replay.record, page.replay.names)
    return Response(link_codec.to_text(copy).encode(), PLAIN)


class AnalysisState(Value):
    """An analysis for the page: not asked for, running, failed, or done."""

    evaluation: dict[str, Any] | None = None
    running: bool = False
    percent: int = 0
    left: str = ""
    """How long it will still take, once that is known."""
    fault: str = ""


MINUTE: Final = 60
BUSY: Final = "&busy=1"
"""Added to the link back to a position when the server has no time for an analysis."""


def analysis_state(request: PageRequest, job: Job | None) -> AnalysisState:
    """The progress of a game's analysis, as long as there is no result."""
    language = request.language
    if job is not None and (job.under_way or job.result is not None):
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


def ask_for_analysis(request: PageRequest, played: record.Record, *, public: bool = False) -> None:
    """Have a game analysed for the visitor. Raises TooManyError."""
    client = request.client
    whose = request.guest.id if request.guest else client
    times = request.app.limiter.times(client)
    request.host.service(Analyses).ask(
        played, whose=whose, client=client, times=times, public=public
    )


async def analyse(request: PageRequest, form: Form) -> Response:
    """Have the whole game analysed, and go back to the position where it was asked for."""
    page = await request.host.service(Replays).finished_page_of(request)
    at, viewpoint = page.wanted(form.get("at", ""), form.get("seat", ""))
    back = f"{page.path}{link_to(at, viewpoint)}"
    try:
        ask_for_analysis(request, page.replay.record, public=page.public)
    except TooManyError:
        return redirect(f"{back}{BUSY}")
    return redirect(back)


async def play_on(request: PageRequest, form: Form) -> Response:
    """Create a table that resumes the game from here, or after a move of the visitor's seat."""
    page = await request.host.service(Replays).finished_page_of(request)
    replay, played = page.replay, page.replay.record
    at, seat, level = form.number("at"), form.number("seat"), form.get("level", "")
    if (
        at is None
        or seat is None
        or at > replay.last
        or seat >= replay.seats
        or level not in LEVELS
    ):
        raise HttpError(422, "say from where, at which seat and against whom")
    state, moves = replay.states[at], replay.moves[:at]
    if word := form.get("word", "")[:LONGEST_WORD]:
        try:
            state = replay.game.apply(state, Seat(seat), replay.game.parse(word)).state
        except errors.MoveError as error:
            raise HttpError(422, "this cannot be played here") from error
        moves = (*moves, record.Move(Seat(seat), word))
    if not replay.game.to_act(state):
        raise HttpError(422, "the game is over here")
    if not is_current(replay.game):
        raise HttpError(422, "the rules of this game have changed since; it cannot be played on")
    order = web_game(played.game).box.against_bots(
        level,
        options.to_words(played.setup.options),
        seat=Seat(seat),
        seats=replay.seats,
        moves=map(str, moves),
    )
    return await request.start_table(order, f"{page.path}{link_to(at, Seat(seat))}")


# --- A replay as it is passed on: what a link to a position says, its picture, the game as one ----

SVG: Final = b"image/svg+xml"
AS_MANY: Final = 20
"""A game that moves takes as long to draw as this many other pictures."""


async def show_position(request: PageRequest) -> Response:
    """A position of a replay, after `?at=` moves, as `&seat=` saw it, or `all`."""
    sharing.check_pixels()
    page = await request.host.service(Replays).finished_page_of(request)
    at, viewpoint = page.wanted(request.query.get("at", ""), request.query.get("seat", ""))
    language = sharing.language_in(request)
    content = await request.host.service(pictures.Pictures).get(
        ("position", page.path, at, viewpoint, page.called(language), language.code),
        lambda: pictures.Still(position_card(page, at, viewpoint, language), pictures.WIDE),
        sharing.counted(request),
    )
    return Response(content, sharing.PNG, headers=[sharing.FOR_AN_HOUR])


async def show_game(request: PageRequest) -> Response:
    """A whole game as one picture that moves."""
    return await _packed(request, await _moving(request, "game", pictures.Moving))


async def _packed(request: PageRequest, content: bytes) -> Response:
    """A drawing that is kept compressed; unpacked only for a client that cannot do that."""
    headers = [sharing.FOR_AN_HOUR, (b"vary", b"accept-encoding")]
    if takes_gzip(request) and not request.is_foreign:
        return Response(content, SVG, headers=[*headers, (b"content-encoding", b"gzip")])
    plain = await asyncio.to_thread(gzip.decompress, content)
    return Response(plain, SVG, headers=headers)


async def show_film(request: PageRequest) -> Response:
    """A whole game in ten seconds: the board grows, and then who won."""
    kind = request.path_params["kind"]
    if kind not in {"svg", "gif"}:
        raise HttpError(404, "films are svg or gif")
    if kind == "gif":
        sharing.check_pixels()
        film = await _moving(request, "gif", partial(posters.Film, moves_as="gif"))
        return Response(film, b"image/gif", headers=[sharing.FOR_AN_HOUR])
    film = await _moving(request, "film", partial(posters.Film, moves_as="svg"))
    return await _packed(request, film)


async def _moving(
    request: PageRequest,
    kind: str,
    wanted: Callable[[str, tuple[str, ...], str], pictures.Moving | posters.Film],
) -> bytes:
    """A whole game, drawn as this is wanted from its record, the names and a language."""
    page = await request.host.service(Replays).finished_page_of(request)
    language = sharing.language_in(request)
    names = page.called(language)
    text = link_codec.to_text(link_codec.NamedRecord(page.replay.record))
    return await request.host.service(pictures.Pictures).get(
        (kind, page.path, names, language.code),
        lambda: wanted(text, names, language.code),
        sharing.counted(request, AS_MANY),
        moves=True,
    )


def preview_of_replay(
    request: PageRequest, page: ReplayPage, at: int, viewpoint: Viewpoint
) -> sharing.LinkPreview:
    """The preview of a position in a replay; of the end, where the link names none."""
    language = request.language
    named = "at" in request.query or "to" in request.query
    if not named:
        at = page.replay.last
    here = link_to(at, viewpoint)
    return sharing.preview(
        request,
        f"{page.room.box.title}: {language('Replay')}",
        description_of_position(page, at, language),
        page.path + (here if named else ""),
        f"{page.path}/picture.png{here}",
    )


def description_of_position(page: ReplayPage, at: int, language: Language) -> str:
    """The result where the game is over, otherwise the number of the move and who plays."""
    names = page.called(language)
    if at == page.replay.last and page.replay.outcome:
        return places_said(places_of(page.replay.outcome, names, language))
    where = language("Move {number} of {all}", number=at, all=page.replay.last)
    return f"{where}: {language.listed([language.called(name) for name in names])}."


def position_card(page: ReplayPage, at: int, viewpoint: Viewpoint, language: Language) -> Drawing:
    """The card of a position in a replay; of the last one, the poster of the game."""
    if at == page.replay.last and page.replay.outcome:
        studio = posters.Studio(page.room, page.replay.game, page.called(language), language)
        return studio.final(page.replay.states[at], page.replay.states[at // 2])
    replay, box, names = page.replay, page.room.box, page.called(language)
    drawing = replay.game.svg(replay.view(at, viewpoint), names, language)
    outcome = replay.outcome if at == replay.last else None
    told = "" if outcome else description_of_position(page, at, language).partition(":")[0]
    rows = sharing.rows_of(outcome, names, language)
    shown = pictures.CardContent(box.title, told, rows, drawing, box.thumb)
    return pictures.card(replay.game, shown)
