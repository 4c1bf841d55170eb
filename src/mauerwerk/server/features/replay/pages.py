"""The page of a position, and the page that brings a record."""

import time
from typing import Final

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.errors import IllegalMoveError, MoveError, explained
from mauerwerk.core.game import NATURE
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import sentence
from mauerwerk.core.record import RecordError
from mauerwerk.games import GAMES
from mauerwerk.server.features.replay import link_codec
from mauerwerk.server.features.replay.analysis_pages import analysing
from mauerwerk.server.features.replay.frame import frame
from mauerwerk.server.features.replay.replay_page import NotOverError, ReplayPage, Replays
from mauerwerk.server.features.replay.shared import preview_of_replay
from mauerwerk.server.games.room import MIDDLE
from mauerwerk.server.games.table_lines import ended
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.errors import OtherRulesError
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.error_texts import ErrorText
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.page import PageRequest

PLAIN: Final = b"text/plain; charset=utf-8"

MOST_LISTED: Final = 50
"""The number of tables among which finished games are looked for."""

ICONS: Final = (
    *("i-first", "i-turnb", "i-back", "i-fwd", "i-turnf", "i-last", "i-play", "i-pause"),
    *("i-pennant", "i-share"),
)


async def show(replays: Replays, request: PageRequest) -> Response:
    """A position: after `?at=` moves, as `&seat=` saw it at the time, or `all`."""
    try:
        page = await replays.page_of(request)
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
        analysis=analysing(request, page, shown),
        levels=levels_in(request.language),
        level=MIDDLE,
        symbols=(*ICONS, *shown.symbols),
        preview=preview_of_replay(request, page, at, viewpoint),
    )


def levels_in(language: Language) -> list[tuple[str, str]]:
    """The levels of bots, in words."""
    return [(name, language(level.title)) for name, level in LEVELS.items()]


# --- Bringing a record -----------------------------------------------------------------------


async def ask(request: PageRequest) -> Response:
    """The visitor's finished games, and the form for a record."""
    return await _choice(request)


async def _choice(
    request: PageRequest, text: str = "", refusal: ErrorText | None = None
) -> Response:
    guest, now = request.guest, int(time.time() * 1_000)
    tables = await request.host.tables_of(guest, before=None, most=MOST_LISTED) if guest else ()
    seats = await request.host.seats_of(guest, tables)
    over = [
        ended(card, seats.get(card.id, ()), now, request.language)
        for card in tables
        if card.status is Status.OVER and card.game in GAMES
    ]
    symbols = tuple(dict.fromkeys(line.box.thumb for line in over))
    status = refusal.status if refusal else 200
    return request.render(
        "replay/bring.html", status, text=text, refusal=refusal, over=over, symbols=symbols
    )


async def bring(replays: Replays, request: PageRequest, form: Form) -> Response:
    """Read a record, and redirect to its replay."""
    text = form.get("record", "")
    try:
        code = await replays.load(request, _code_of, text)
    except (RecordError, link_codec.LongLinkError) as fault:
        refusal = ErrorText(422, sentence(_why_not(fault, request.language)))
        return await _choice(request, text, refusal)
    return redirect(f"/replay/{code}")


def _code_of(text: str) -> str:
    return link_codec.written(link_codec.from_text(text))


def _why_not(fault: RecordError | link_codec.LongLinkError, language: Language) -> str:
    """What is wrong with a record: where, and in the reader's language why, if that is known."""
    if isinstance(fault, link_codec.LongLinkError):
        return language("this record is too long to be shown here")
    match fault.__cause__:
        case IllegalMoveError(seat=seat) as cause:
            number = seat + 1  # a record counts seats from 0, its readers from 1
            who = language("nature") if seat == NATURE else language("seat {number}", number=number)
            why = explained(cause, language, who)
        case MoveError() as cause:
            why = explained(cause, language)
        case _:
            why = str(fault).removeprefix(f"line {fault.line}: ")
    return language("line {number} of the record: {why}", number=fault.line, why=why)


async def copy(replays: Replays, request: PageRequest) -> Response:
    """The record of a game that was brought, as a file."""
    page = await replays.page_of(request)
    brought = link_codec.Brought(page.replay.record, page.replay.names)
    return Response(link_codec.to_text(brought).encode(), PLAIN)
