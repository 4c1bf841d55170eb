"""Cookies: which guest a browser is, and the tokens of seats that it keeps."""

import re
import secrets
from typing import Final

from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header
from mauerwerk.server.tables.charter import Guest

COOKIE: Final = "mauerwerk"
"""Holds the token of the browser's guest."""

KEPT: Final = "mauerwerk-seats-"
"""Followed by a table's id: the tokens of seats that the browser may play by their links."""

INVITED: Final = "mauerwerk-invited"
"""Tells browsers apart for which a seat is kept; it is random, and forgotten after a day."""

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]+")
"""The form of a token; anything else in a cookie was not written by this server."""

MOST_KEPT: Final = 8
A_DAY: Final = 24 * 3600
A_MONTH: Final = 30 * 24 * 3600
A_YEAR: Final = 365 * 24 * 3600


def cookie_in(request: Request, name: str) -> str:
    """The value of a cookie; empty if there is none."""
    return request.cookies.get(_cookie_name(request, name), "")


def set_cookie(
    request: Request, name: str, value: str, seconds: int = A_YEAR, *, strict: bool = False
) -> Header:
    """The header that sets a cookie, which no script can read and no foreign page can use.

    One that is `strict` is not even sent where somebody follows a link from elsewhere.
    """
    site = "Strict" if strict else "Lax"
    secure = "; Secure" if request.https else ""
    path = request.prefix or "/"
    content = f"{_cookie_name(request, name)}={value}; Path={path}; Max-Age={seconds}"
    return (b"set-cookie", f"{content}; HttpOnly; SameSite={site}{secure}".encode("ascii"))


def _cookie_name(request: Request, name: str) -> str:
    """The cookie's full name. Over https no other host or path can have set it (`__Host-`).

    A server below a path has cookies for that path alone, which that name does not allow.
    """
    if not request.https:
        return name
    return f"__Secure-{name}" if request.prefix else f"__Host-{name}"


def guest_cookie(request: Request, guest: Guest) -> Header:
    """The header by which a browser is recognised as this guest, on the same device as before."""
    keys, before = request.host.keys, cookie_in(request, COOKIE)
    known = keys.guest_of(before)
    same = known is not None and known.id == guest.id
    return device_cookie(request, guest, keys.device_of(before) if same else "")


def device_cookie(request: Request, guest: Guest, device: str) -> Header:
    """The header by which a browser is recognised as a device of this guest."""
    return set_cookie(request, COOKIE, request.host.keys.guest_token(guest, device))


def without_guest(request: Request) -> Header:
    """The header by which a browser forgets which guest it is."""
    return set_cookie(request, COOKIE, "", 0)


def kept_tokens(request: Request, table: str) -> tuple[str, ...]:
    """The tokens of this table's seats that the browser keeps."""
    kept = cookie_in(request, f"{KEPT}{table}").split(".") if table else ()
    return tuple(token for token in kept if TOKEN.fullmatch(token))


def came_by_link(request: Request) -> bool:
    """Whether a visitor may be let in by the token of a seat, which can become invalid."""
    return "authorization" in request.headers or any(KEPT in name for name in request.cookies)


def keep_tokens(request: Request, table: str, *tokens: str) -> Header:
    """The header by which a browser keeps these tokens, and those it had before."""
    others = [each for each in kept_tokens(request, table) if each not in tokens]
    kept = [*others, *tokens][-MOST_KEPT:]
    return set_cookie(request, f"{KEPT}{table}", ".".join(kept), A_MONTH)


def invited_browser(request: Request) -> str:
    """The browser that opened the link of a seat; empty where it has opened none."""
    return cookie_in(request, INVITED)


def new_invited_browser(request: Request) -> tuple[str, Header]:
    """A name for this browser, and the header by which it keeps it."""
    name = invited_browser(request) or secrets.token_urlsafe(9)
    return name, set_cookie(request, INVITED, name, A_DAY)
