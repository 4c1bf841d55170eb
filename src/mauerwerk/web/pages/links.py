"""Personal links: how a seat is offered, by an address or a QR code, and how it is taken.

A personal link gives its seat to anyone who has it, so it must not stay in the address bar, appear
in a log, or be passed on by the browser: a cookie keeps its token instead. Opening a link alone
changes nothing at the table, because programs open links too (previews in messages, scanners). A
known guest who certainly clicked gets a free seat at once. All others are asked first: new visitors
for a name, and players of the table because they may only have checked a link before sending it.
"""

from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.play.tables.table import Table
from mauerwerk.web.acting import linked, take_seat
from mauerwerk.web.api.lobby import link_to
from mauerwerk.web.games import web_game
from mauerwerk.web.http.cookies import keep_tokens
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.identity import seat_for
from mauerwerk.web.http.replies import Header, Reply, redirect
from mauerwerk.web.http.visit import Visit
from mauerwerk.web.pages.form import Form
from mauerwerk.web.pages.people import friendly_name
from mauerwerk.web.pages.viewpoint import seats_of
from mauerwerk.web.pages.visitor import Visitor

NO_REFERRER: Final[Header] = (b"referrer-policy", b"no-referrer")


def is_free(table: Table, seat: Seat) -> bool:
    """Whether this seat has no owner."""
    return not table.occupants[seat].guest


async def open_link(visitor: Visitor) -> Reply:
    """Take the secret out of the address; take the seat, if that is surely wanted."""
    call = visitor.call
    table = await call.host.table(call.table)
    token = call.path["token"]
    seat = call.host.keys.seat_of(table, token)
    if seat is None or str(seat) != call.path["seat"]:
        raise Fault(403, "this link is not good any more", word="link")
    guest = visitor.guest
    headers: list[Header] = [NO_REFERRER]
    comes = is_free(table, seat) and not seats_of(call, table) and _surely_clicked(call.visit)
    if guest is not None and comes:
        await call.host.claim(call.table, seat, guest)
    elif guest is None or guest.id != table.occupants[seat].guest:
        headers.append(keep_tokens(call.visit, call.table, token))
    return redirect(f"/t/{call.table}", headers)


def _surely_clicked(visit: Visit) -> bool:
    """Whether a browser says that a person opens this page, and not in advance."""
    return (
        visit.method == "GET"
        and visit.headers.get("sec-fetch-mode") == "navigate"
        and visit.headers.get("sec-fetch-dest") == "document"
        and not visit.headers.get("sec-purpose")
    )


async def claim(visitor: Visitor, form: Form) -> Reply:
    """Take a seat whose personal link was opened before."""
    call = visitor.call
    table = await call.host.table(call.table)
    seat = seat_for(call.host, table, call.caller, form.number("seat"))
    name = form.get("name", "").strip() or friendly_name()
    _, headers = await take_seat(call, table, seat, name)
    return redirect(f"/t/{call.table}", headers)


async def show(visitor: Visitor) -> Reply:
    """The personal link to a seat, to be copied, sent or photographed."""
    table, seat = await linked(visitor.call)
    return visitor.paint(
        "link.html",
        box=web_game(table.charter.game).box,
        table=visitor.call.table,
        seat=seat,
        own=not is_free(table, seat),
        link=link_to(visitor.call, table, seat).link,
    )
