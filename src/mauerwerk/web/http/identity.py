"""Callers: a guest, known by cookie or token; the holder of a seat's token; or nobody known."""

from mauerwerk.core.game import Seat
from mauerwerk.core.language.words import listed
from mauerwerk.play.host.host import Host
from mauerwerk.play.tables.orders import Guest
from mauerwerk.play.tables.table import Table, Viewer
from mauerwerk.web.http.cookies import COOKIE, cookie_in, kept_tokens
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.visit import Visit


class Caller:
    """The person or program that sent a request."""

    __slots__ = ("guest", "kept", "token")

    def __init__(
        self, guest: Guest | None = None, *, token: str = "", kept: tuple[str, ...] = ()
    ) -> None:
        """A guest, or nobody that this server knows."""
        self.guest = guest
        self.token = token
        """The token of a seat that came with the request."""

        self.kept = kept
        """Tokens of seats that the browser keeps; some of them may be out of date."""


def caller_of(host: Host, visit: Visit, table: str) -> Caller:
    """The caller of a request about a table. Raises Fault if a foreign page used the cookie."""
    if (said := visit.headers.get("authorization")) is not None:
        scheme, _, token = said.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise _unknown("say `Authorization: Bearer` and a token")
        # In a guest's token, a point separates the content from the signature.
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
    """The guest who calls. Raises Fault if the caller is none."""
    if caller.guest is None:
        raise _unknown("this is for guests: give yourself a name first, at /api/guests")
    return caller.guest


def own_seats(host: Host, table: Table, caller: Caller) -> tuple[Seat, ...]:
    """The seats that the caller may play. Raises Fault for a token that is no seat's here."""
    if caller.token:
        seat = host.keys.seat_of(table, caller.token)
        if seat is None:
            raise _unknown("this token is not valid here, or no longer")
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
    """The viewer whose view the caller gets. Raises Fault."""
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
