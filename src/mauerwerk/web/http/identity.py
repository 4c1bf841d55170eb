"""Who asks: a guest by cookie or token, a seat by the token of its link, or anybody."""

import unicodedata
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.words import listed
from mauerwerk.play.fairness.keys import new_id
from mauerwerk.play.host.host import Host
from mauerwerk.play.tables.requests import Guest
from mauerwerk.play.tables.table import Table, Viewer
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.visit import Visit
from mauerwerk.web.http.wire import LONGEST_NAME

COOKIE: Final = "mauerwerk"
"""Who a browser's guest is."""

KEPT: Final = "mauerwerk-seats-"
"""With the table's id: seats that a browser may play by their links, whosever they are."""

MOST_KEPT: Final = 8
A_MONTH: Final = 30 * 24 * 3600
A_YEAR: Final = 365 * 24 * 3600

HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Kinds of characters that no name may have: they cannot be seen, or turn others around."""

PILE: Final = 2
"""So many marks may stand on one letter."""


class Caller:
    """Who is behind a request."""

    __slots__ = ("guest", "kept", "token")

    def __init__(
        self, guest: Guest | None = None, *, token: str = "", kept: tuple[str, ...] = ()
    ) -> None:
        """A guest or nobody."""
        self.guest = guest
        self.token = token
        """The token of a seat, that the request shows."""

        self.kept = kept
        """Tokens of seats that the browser keeps, some of which may not be good any more."""


def caller_of(host: Host, visit: Visit, table: str) -> Caller:
    """Who asks something about a table. Raises Fault where a cookie comes without their doing."""
    if (said := visit.headers.get("authorization")) is not None:
        scheme, _, token = said.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise _unknown("say `Authorization: Bearer` and a token")
        # A point stands between what a guest's token says and its signature.
        guest = host.keys.guest_of(token) if "." in token else None
        return Caller(guest) if guest else Caller(token=token)
    if "cookie" not in visit.headers:
        return Caller()
    guest = host.keys.guest_of(cookie_in(visit, COOKIE))
    kept = kept_tokens(visit, table)
    if (guest or kept) and not visit.is_safe and not visit.is_ours:
        raise Fault(403, "only a page of this server may use its cookie", word="origin")
    return Caller(guest, kept=kept)


def guest_in(caller: Caller) -> Guest:
    """The guest who asks. Raises Fault where it is none."""
    if caller.guest is None:
        raise _unknown("this is for guests: give yourself a name first, at /api/guests")
    return caller.guest


def own_seats(host: Host, table: Table, caller: Caller) -> tuple[Seat, ...]:
    """The seats that the caller may play. Raises Fault for a token that opens nothing here."""
    if caller.token:
        seat = host.keys.seat_of(table, caller.token)
        if seat is None:
            raise _unknown("this token is not good here, or not any more")
        return (seat,)
    kept = {host.keys.seat_of(table, token) for token in caller.kept}
    guest = caller.guest.id if caller.guest else None
    return tuple(
        Seat(seat) for seat, owner in enumerate(table.owners) if owner == guest or seat in kept
    )


def seat_for(host: Host, table: Table, caller: Caller, wanted: int | None) -> Seat:
    """The seat that the caller acts for. Raises Fault."""
    own = own_seats(host, table, caller)
    if wanted is None:
        if len(own) == 1:
            return own[0]
        if own:
            raise Fault(422, f"which seat? Yours are {_named(own)}", word="seat")
    elif wanted in own:
        return Seat(wanted)
    if not own and caller.guest is None:
        raise _unknown("this is for who sits here: use your cookie, or the token of the seat")
    raise Fault(403, "that is not your seat" if own else "you do not sit at this table")


def viewer_for(host: Host, table: Table, caller: Caller, wanted: int | str | None) -> Viewer:
    """Through whose eyes the caller looks. Raises Fault."""
    if isinstance(wanted, int):
        return seat_for(host, table, caller, wanted)
    own = own_seats(host, table, caller)
    if wanted is not None or not own:
        return None
    return seat_for(host, table, caller, None)


def _named(seats: tuple[Seat, ...]) -> str:
    return listed([str(seat) for seat in seats])


def _unknown(message: str) -> Fault:
    return Fault(401, message, headers={"www-authenticate": "Bearer"})


# --- Names -----------------------------------------------------------------------------------


def named(wish: str) -> str:
    """A name as others may see it: one line, nothing hidden, not too long. Raises Fault.

    >>> named("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = " ".join(unicodedata.normalize("NFC", wish).split())
    if not name:
        raise Fault(422, "a name has at least one character", word="name")
    if len(name) > LONGEST_NAME:
        raise Fault(422, f"a name has at most {LONGEST_NAME} characters", word="name")
    if any(unicodedata.category(each) in HIDDEN for each in name):
        raise Fault(422, "a name has no characters that cannot be seen", word="name")
    marks = "".join("m" if unicodedata.combining(each) else " " for each in name)
    if "m" * (PILE + 1) in marks:
        raise Fault(422, "a name has at most two marks on a letter", word="name")
    return name


def new_guest(name: str) -> Guest:
    """Somebody who was not here before."""
    return Guest(id=new_id(), name=named(name))


# --- Cookies ---------------------------------------------------------------------------------


def cookie_in(visit: Visit, name: str) -> str:
    """The value of a cookie; empty where there is none."""
    wanted = _cookie_name(visit, name)
    for pair in visit.headers.get("cookie", "").split(";"):
        key, _, value = pair.strip().partition("=")
        if key == wanted:
            return value.strip('"')
    return ""


def set_cookie(visit: Visit, name: str, value: str, seconds: int = A_YEAR) -> tuple[bytes, bytes]:
    """The header that sets a cookie, which no script can read and no foreign page can use."""
    parts = [
        f"{_cookie_name(visit, name)}={value}",
        "Path=/",
        f"Max-Age={seconds}",
        "HttpOnly",
        "SameSite=Lax",
    ]
    if visit.https:
        parts.append("Secure")
    return (b"set-cookie", "; ".join(parts).encode("ascii"))


def _cookie_name(visit: Visit, name: str) -> str:
    """What a cookie is called; over https no other host or path can have set it."""
    return f"__Host-{name}" if visit.https else name


def guest_cookie(host: Host, visit: Visit, guest: Guest) -> tuple[bytes, bytes]:
    """The header by which a browser is known again."""
    return set_cookie(visit, COOKIE, host.keys.guest_token(guest))


def kept_tokens(visit: Visit, table: str) -> tuple[str, ...]:
    """The tokens of this table's seats that a browser keeps."""
    kept = cookie_in(visit, f"{KEPT}{table}").split(".") if table else ()
    return tuple(token for token in kept if token and token.isascii())


def keep_tokens(visit: Visit, table: str, *tokens: str) -> tuple[bytes, bytes]:
    """The header by which a browser keeps the tokens of seats, besides those it has."""
    others = [each for each in kept_tokens(visit, table) if each not in tokens]
    kept = [*others, *tokens][-MOST_KEPT:]
    return set_cookie(visit, f"{KEPT}{table}", ".".join(kept), A_MONTH)
