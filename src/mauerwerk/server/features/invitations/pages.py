"""Personal links: how a seat is offered, by an address or a QR code, and how it is taken.

A personal link gives its seat to anyone who has it, so it must not stay in the address bar, appear
in a log, or be passed on by the browser: a cookie keeps its token instead. Opening a link alone
changes nothing at the table, because programs open links too (previews in messages, scanners). An
invited friend is welcomed, and the seat is kept for their browser meanwhile (`reservations`). A
link that leads to no free seat says why, and leads to watching the table.
"""

from typing import Final

from mauerwerk.bots.levels import levels_of
from mauerwerk.core.game import Seat
from mauerwerk.server.features.invitations.reservations import Reservations
from mauerwerk.server.features.lobby.api import link_to
from mauerwerk.server.games import viewpoint, web_game
from mauerwerk.server.games.room import MIDDLE
from mauerwerk.server.http import identity
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.http.seats import hands_out_links, linked, take_seat
from mauerwerk.server.tables import charter, errors
from mauerwerk.server.tables.table import Table
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.page import PageRequest

NO_REFERRER: Final[Header] = (b"referrer-policy", b"no-referrer")


def is_free(table: Table, seat: Seat) -> bool:
    """Whether this seat has no owner."""
    return not table.occupants[seat].guest


async def open_link(request: PageRequest) -> Response:
    """Take the secret out of the address, and keep the seat for this browser for a while."""
    try:
        table = await request.host.table(request.table)
    except errors.NoTableError:
        return request.render("invitations/link_over.html", 404, [NO_REFERRER], table=None)
    token = request.path_params["token"]
    seat = request.host.keys.seat_of(table, token)
    if seat is None or str(seat) != request.path_params["seat"]:
        return _used(request, table)
    guest = request.guest
    headers: list[Header] = [NO_REFERRER]
    if guest is None or guest.id != table.occupants[seat].guest:
        headers.append(identity.keep_tokens(request, request.table, token))
    if is_free(table, seat) and not viewpoint.seats_of(request, table) and _surely_clicked(request):
        browser, cookie = identity.new_invited_browser(request)
        request.app.service(Reservations).keep(request.table, seat, browser)
        headers.append(cookie)
    return redirect(f"/t/{request.table}", headers)


def _used(request: PageRequest, table: Table) -> Response:
    """Why a link leads to no seat, in one sentence, and where to go instead."""
    opener = table.charter.opener
    hosts = [each.name for each in table.occupants if each.guest == opener and each.name]
    room = web_game(table.charter.game, table.charter.rules)
    return request.render(
        "invitations/link_over.html",
        403,
        [NO_REFERRER],
        table=request.table,
        state=table.status,
        full=all(each.taken for each in table.occupants),
        host=hosts[0] if hosts else "",
        room=room,
        symbols=(*room.box.symbols, "i-eye"),
    )


def _surely_clicked(request: Request) -> bool:
    """Whether a browser says that a person opens this page, and not in advance."""
    return (
        request.method == "GET"
        and request.headers.get("sec-fetch-mode") == "navigate"
        and request.headers.get("sec-fetch-dest") == "document"
        and not request.headers.get("sec-purpose")
    )


async def claim(request: PageRequest, form: Form) -> Response:
    """Take a seat whose personal link was opened before."""
    table = await request.host.table(request.table)
    seat = identity.seat_for(request, table, form.number("seat"))
    browser = identity.invited_browser(request)
    if is_free(table, seat) and request.app.service(Reservations).is_others(
        request.table, seat, browser
    ):
        raise HttpError(409, "this seat is kept for somebody else who opened the link", word="kept")
    name = form.get("name", "").strip() or friendly_name()
    guest, headers = request.guest, list[Header]()
    if guest is not None and name != guest.name and is_free(table, seat) and "name" in form:
        headers = request.renamed(name)
        guest = charter.Guest(guest.id, identity.named(name))
        await request.host.claim(request.table, seat, guest)
    else:
        _, headers = await take_seat(request, table, seat, name)
    return redirect(f"/t/{request.table}", headers)


async def put_bot(request: PageRequest, form: Form) -> Response:
    """Let a bot have a free seat, as the player who set up the table wishes."""
    table = await request.host.table(request.table)
    own = identity.own_seats(request, table)
    number = form.number("seat")
    if number is None or number >= table.setup.seats:
        raise HttpError(422, "which seat?", word="seat")
    if not hands_out_links(table, own, request.guest):
        raise HttpError(403, "only the player who set up the table fills its seats")
    levels = levels_of(table.game)
    level = MIDDLE if MIDDLE in levels else next(iter(levels))
    await request.host.put_bot(request.table, Seat(number), level)
    return redirect(f"/t/{request.table}")


async def show(request: PageRequest) -> Response:
    """The personal link to a seat, to be copied, sent or photographed."""
    table, seat = await linked(request)
    return request.render(
        "invitations/link.html",
        box=web_game(table.charter.game, table.charter.rules).box,
        table=request.table,
        seat=seat,
        own=not is_free(table, seat),
        link=link_to(request, table, seat).link,
    )
