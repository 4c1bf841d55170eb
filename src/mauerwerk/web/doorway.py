"""Personal links, and the plainest of pages: the way in for people.

A personal link opens a seat to whoever has it, so it must not stay in the address bar, nor in a
log, nor be passed on by the browser: a cookie keeps its token instead. Opening a link changes
nothing at the table by itself: programs that look at links for people (previews in messages,
scanners) open them too. A guest who is known and surely clicked gets a free seat at once; anybody
else is asked for a name first.
"""

from collections.abc import Awaitable, Callable, Mapping
from html import escape
from typing import Final
from urllib.parse import parse_qsl

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.game import Seat
from mauerwerk.play.table import Table
from mauerwerk.web.faults import Fault
from mauerwerk.web.identity import caller_of, keep_token, own_seats, seat_for
from mauerwerk.web.operation import Call, Site, body_of, check_media
from mauerwerk.web.playing import take_seat
from mauerwerk.web.replies import Header, Reply, fault_of, headers_of, redirect
from mauerwerk.web.visit import Visit
from mauerwerk.web.wire import LONGEST_NAME

FORM: Final = "application/x-www-form-urlencoded"

Action = Callable[[Call, Receive], Awaitable[ASGIApp]]


class Page:
    """What a browser gets at one path."""

    def __init__(self, site: Site, actions: Mapping[str, Action]) -> None:
        """Answer for these methods."""
        self._site = site
        self._actions = {**actions, "HEAD": actions["GET"]} if "GET" in actions else {**actions}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, in the worst case with a page that says what is wrong."""
        visit: Visit = scope["mauerwerk.visit"]
        try:
            answer = await self._answer(visit, scope, receive)
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                raise
            answer = _page(f"<h1>{escape(fault.message.capitalize())}.</h1>", fault)
        await answer(scope, receive, send)

    async def _answer(self, visit: Visit, scope: Scope, receive: Receive) -> ASGIApp:
        action = self._actions.get(visit.method)
        if action is None:
            allowed = ", ".join(sorted(self._actions))
            raise Fault(405, f"here you can {allowed}", headers={"allow": allowed})
        path = scope["path_params"]
        caller = caller_of(self._site.house, visit, path.get("table", ""))
        return await action(Call(self._site, visit, caller, path), receive)


def routes(site: Site) -> list[Route]:
    """Where people come in."""
    return [
        Route("/", Page(site, {"GET": _home})),
        Route("/t/{table}", Page(site, {"GET": _table})),
        Route("/t/{table}/claim", Page(site, {"POST": _claim})),
        Route("/t/{table}/s/{seat}/{token}", Page(site, {"GET": _personal_link})),
    ]


async def _home(call: Call, receive: Receive) -> Reply:
    del call, receive
    return _page(
        "<h1>Mauerwerk</h1><p>Three board games about building walls. Programs play "
        '<a href="/api/openapi.json">here</a>.</p>'
    )


async def _table(call: Call, receive: Receive) -> Reply:
    del receive
    table = await call.house.table(call.table)
    about = f"<h1>{escape(table.game.TITLE)}</h1>"
    free = [seat for seat in own_seats(call.house, table, call.caller) if _is_free(table, seat)]
    if not free:
        return _page(about)
    name = escape(call.caller.guest.name if call.caller.guest else "")
    action = escape(f"/t/{call.table}/claim")
    return _page(
        f'{about}<form method="post" action="{action}"><label>Your name '
        f'<input name="name" required maxlength="{LONGEST_NAME}" value="{name}"></label> '
        f'<button name="seat" value="{free[0]}">Take seat {free[0]}</button></form>'
    )


def _is_free(table: Table, seat: Seat) -> bool:
    return not table.sitters[seat].guest


async def _personal_link(call: Call, receive: Receive) -> Reply:
    """Take the secret out of the address; take the seat, if that is surely wanted."""
    del receive
    table = await call.house.table(call.table)
    token = call.path["token"]
    seat = call.house.keys.seat_of(table, token)
    if seat is None or str(seat) != call.path["seat"]:
        raise Fault(403, "this link is not good any more", word="link")
    guest = call.caller.guest
    headers = [NO_REFERRER]
    if guest is not None and _is_free(table, seat) and _surely_clicked(call.visit):
        await call.house.claim(call.table, seat, guest)
    elif guest is None or guest.id != table.sitters[seat].guest:
        headers.append(keep_token(call.visit, call.table, token))
    return redirect(f"/t/{call.table}", headers)


NO_REFERRER: Final[Header] = (b"referrer-policy", b"no-referrer")


def _surely_clicked(visit: Visit) -> bool:
    """Whether a browser says that a person opens this page, and not in advance."""
    return (
        visit.method == "GET"
        and visit.headers.get("sec-fetch-mode") == "navigate"
        and visit.headers.get("sec-fetch-dest") == "document"
        and not visit.headers.get("sec-purpose")
    )


async def _claim(call: Call, receive: Receive) -> Reply:
    """Take a seat whose personal link was opened before."""
    check_media(call.visit, FORM)
    if not call.visit.is_ours:
        raise Fault(403, "a page from elsewhere may not change anything here", word="origin")
    fields = dict(parse_qsl((await body_of(call.visit, receive)).decode(errors="replace")))
    table = await call.house.table(call.table)
    said = fields.get("seat", "")
    wanted = int(said) if said.isascii() and said.isdecimal() else None
    seat = seat_for(call.house, table, call.caller, wanted)
    _, _, headers = await take_seat(call, table, seat, fields.get("name", ""))
    return redirect(f"/t/{call.table}", headers)


def _page(content: str, fault: Fault | None = None) -> Reply:
    html = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Mauerwerk</title>'
        f"<main>{content}</main></html>"
    )
    media = b"text/html; charset=utf-8"
    if fault is None:
        return Reply(html.encode(), media)
    return Reply(html.encode(), media, fault.status, headers_of(fault))
