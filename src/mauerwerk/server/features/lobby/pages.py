"""The home page: the games, your tables, open tables, and a game at one click."""

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from typing import Final

from mauerwerk.games import GAMES
from mauerwerk.server.features.evenings.service import Evenings
from mauerwerk.server.features.evenings.view_model import evening_line, is_done
from mauerwerk.server.features.lessons.progress import progress_of
from mauerwerk.server.features.lobby import open_tables, quick_start
from mauerwerk.server.features.results.store import unfinished_of
from mauerwerk.server.features.spectating.pages import followed_games
from mauerwerk.server.games import web_games
from mauerwerk.server.games.room import Box
from mauerwerk.server.games.table_lines import TableLine, ended, line_of
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError
from mauerwerk.server.tables.table import Card, Status
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.page import HOME, HOME_TOP, Form, PageRequest, Panels, html_reply

ICONS: Final = ("i-sliders", "i-search", "i-link", "i-x", "i-book", "i-film", "i-table", "i-pen")

MOST: Final = 6
"""The most tables of a kind that the page lists."""

MOST_ENDED: Final = 50
"""The number of the reader's last tables among which finished games are looked for."""


async def show(request: PageRequest) -> Response:
    """The games, and tables to resume, to join or to watch."""
    return await _page(request)


async def show_again(request: PageRequest, taken: str) -> Response:
    """The same for a visitor who wanted a seat at this table, and came too late."""
    cards: list[Card] = []
    with suppress(NoTableError, OtherRulesError):
        cards.append((await request.host.table(taken)).card())
    return await _page(request, cards)


async def _page(request: PageRequest, taken: Sequence[Card] = ()) -> Response:
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
    evenings = await host.service(Evenings).of(request.guest) if request.guest else ()
    now = int(time.time() * 1_000)
    running = [
        line_of(card, seats.get(card.id, ()), now, language)
        for card in own
        if card.status is not Status.OVER
    ]
    over = [card for card in own if card.status is Status.OVER][:MOST]
    games, panels = web_games(), request.app.service(Panels)
    starts = quick_start.starts_in(request)
    too_late = taken[0].id if taken else ""
    cards = [*taken, *(card for card in public[Status.OPEN] if card.id != too_late)]
    return request.render(
        "lobby/home.html",
        409 if taken else 200,
        games=tuple(games.values()),
        starts={
            name: quick_start.form_for(
                name, starts.get(name) or quick_start.usual_start(name), language
            )
            for name in games
        },
        lessons={name: progress_of(request, name) for name, game in games.items() if game.lesson},
        symbols=(
            *ICONS,
            *panels.symbols(HOME),
            *(symbol for game in games.values() for symbol in game.box.symbols),
        ),
        evenings=[evening_line(each, language) for each in evenings if not is_done(each, now)],
        followed=await followed_games(request),
        running=sorted(running, key=_urgency)[: 2 * MOST],
        lobby=open_tables.lobby_of(cards, open_tables.seek_in(request.query), language, too_late),
        first_panels=await panels.gather(request, HOME_TOP),
        panels=await panels.gather(request, HOME),
        watch=[line_of(card, (), now, language) for card in public[Status.RUNNING][:MOST]],
        over=[ended(card, seats.get(card.id, ()), now, language) for card in over],
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


def _urgency(line: TableLine) -> tuple[bool, float]:
    """Games that wait for the reader come first, those with the least time before the others."""
    return (not line.mine, line.due or math.inf)


async def play_now(request: PageRequest, form: Form) -> Response:
    """Create a table with bots, seat the visitor and show it."""
    box, start = _chosen(request, form)
    guest, headers = request.known(friendly_name())
    table = await request.create_table(quick_start.order_for(box, start), guest)
    return redirect(f"/t/{table}", [*headers, quick_start.remember(request, box.name, start)])


async def choose_start(request: PageRequest, form: Form) -> Response:
    """Remember what "Play now" is to start; the answer is what the button then says."""
    box, start = _chosen(request, form)
    words = escape(quick_start.said(box.name, start, request.language))
    return html_reply(words, headers=[quick_start.remember(request, box.name, start)])


def _chosen(request: PageRequest, form: Form) -> tuple[Box, quick_start.Start]:
    """The game in a form, and what is to be started. Raises HttpError."""
    room = web_games().get(form.get("game", ""))
    if room is None:
        raise HttpError(404, "there is no such game")
    name = room.box.name
    before = quick_start.starts_in(request).get(name) or quick_start.usual_start(name)
    return room.box, quick_start.start_in(form, name, before)


async def change_name(request: PageRequest, form: Form) -> Response:
    """Be known under another name from now on."""
    return redirect(form.way_back, await request.rename(form.get("name", "")))
