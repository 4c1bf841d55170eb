"""A game for somebody who looks: at an open table, or at a new one, with bots after a while."""

from typing import Final

from mauerwerk.games import GAMES
from mauerwerk.server.features.lobby import open_tables, pages
from mauerwerk.server.features.matchmaking.service import PATIENCE, Matchmaking
from mauerwerk.server.games import room, web_game, web_games
from mauerwerk.server.http import errors, seats
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Chair, Order
from mauerwerk.server.tables.errors import RequestError
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui import names, page
from mauerwerk.server.ui.page import Form

PACES: Final = {"": 120, "live": 120, "days": 86_400, "none": 0}
"""Seconds for a decision at a new table, by the clock that somebody wishes."""


async def find(request: page.PageRequest, form: Form) -> Response:
    """Seat the visitor at an open table that fits, or at a new one."""
    seek = open_tables.seek_in(form)
    guest, headers = request.known(names.friendly_name())
    request.app.limiter.table(request.client)
    game = seek.game or next(iter(web_games()))
    spoken = request.language.code
    table = await request.host.service(Matchmaking).find(
        guest, seek, lambda name: order_for(name, seek, spoken), game
    )
    return redirect(f"/t/{table}", headers)


def order_for(game: str, seek: open_tables.Seek, language: str) -> Order:
    """A listed table for people who are looking. It is rated, if it is played by the clock."""
    box = web_game(game).box
    seats = seek.seats if seek.seats in GAMES[game].SEATS else box.seats
    return Order(
        game=game,
        chairs=(Chair("open"),) * seats,
        options={},
        public=True,
        seconds_per_move=PACES[seek.clock],
        bot_delay_ms=box.bot_delay_ms,
        hints=False,
        language=language,
    )


async def join(request: page.PageRequest, form: Form) -> Response:
    """Sit down at a table in the list; where somebody was faster, its row says so."""
    guest, headers = request.known(form.get("name") or names.friendly_name())
    table = request.table
    try:
        await request.host.service(Matchmaking).join(table, guest)
    except RequestError:
        return await pages.show_again(request, table)
    return redirect(f"/t/{table}", headers)


async def fill(request: page.PageRequest, _form: Form) -> Response:
    """Start with bots, after some time in which nobody came."""
    table = await request.host.table(request.table)
    if not seats.own_seats(request, table):
        raise errors.HttpError(403, "this is for people who sit at the table")
    if waits_at(request, table) != "now":
        raise errors.HttpError(409, "wait a little: somebody may come", code="request")
    await request.host.service(Matchmaking).fill(request.table, room.usual_level(table.game))
    return redirect(f"/t/{request.table}")


def waits_at(request: Request, table: Table) -> str:
    """Whether people wait for anybody to come, and may start with bots: `soon` or `now`."""
    free = any(
        chair.kind == "open" and not occupant.taken
        for chair, occupant in zip(table.charter.chairs, table.occupants, strict=True)
    )
    if not free or not table.charter.public or table.status is not Status.OPEN:
        return ""
    return "now" if request.host.now() - table.charter.created >= PATIENCE else "soon"
