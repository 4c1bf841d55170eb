"""Who sent a request: a guest, by cookie or token; the holder of a seat's token; or nobody."""

from datetime import UTC, datetime

from mauerwerk.core.game import Seat
from mauerwerk.core.language.words import listed
from mauerwerk.server.engine.blocklist import Block
from mauerwerk.server.engine.host import Host
from mauerwerk.server.http.cookies import COOKIE, cookie_in, keep_tokens, kept_tokens
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import Identity, Request
from mauerwerk.server.http.response import Header
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.table import Table, Viewer


class BlockedError(HttpError):
    """A client or a guest whom the people who run the server have blocked."""

    def __init__(self, block: Block) -> None:
        """Say until when, and why."""
        self.until = "" if block.until is None else day_and_time(block.until)
        self.reason = block.reason
        until = f" until {self.until}" if self.until else ""
        reason = f": {block.reason}" if block.reason else ""
        super().__init__(403, f"you are blocked here{until}{reason}", word="blocked")


def day_and_time(at: int) -> str:
    """A time for people anywhere, such as `2026-01-31 18:00 UTC`."""
    return f"{datetime.fromtimestamp(at / 1_000, UTC):%Y-%m-%d %H:%M} UTC"


def check_block(request: Request, identity: Identity) -> None:
    """Refuse those who are blocked. Raises BlockedError."""
    guest = identity.guest.id if identity.guest else ""
    block = request.host.blocklist.block_of(request.client, guest)
    if block is not None:
        raise BlockedError(block)


def identify(request: Request) -> Identity:
    """The sender of a request. Raises HttpError if a foreign page used the cookie."""
    keys = request.host.keys
    if (said := request.headers.get("authorization")) is not None:
        scheme, _, token = said.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise _unknown("say `Authorization: Bearer` and a token")
        # In a guest's token, a point separates the content from the signature.
        guest = keys.guest_of(token) if "." in token else None
        return Identity(guest) if guest else Identity(token=token)
    if "cookie" not in request.headers:
        return Identity()
    cookie = cookie_in(request, COOKIE)
    guest = keys.guest_of(cookie)
    kept = kept_tokens(request, request.path_params.get("table", ""))
    if (guest or kept) and not request.is_safe and not request.is_ours:
        raise HttpError(403, "only a page of this server may use its cookie", word="origin")
    return Identity(
        guest, kept=kept, outdated=keys.is_outdated(cookie), device=keys.device_of(cookie)
    )


def is_unwelcome(request: Request) -> bool:
    """Whether a visitor who was let in would not be now: blocked, or logged out."""
    try:
        caller = identify(request)
        check_block(request, caller)
    except HttpError:
        return True
    # In a seat's token there is no point: this was a guest's.
    return caller.guest is None and (bool(cookie_in(request, COOKIE)) or "." in caller.token)


def guest_in(request: Request) -> Guest:
    """The guest who sent a request. Raises HttpError if the sender is none."""
    if request.identity.guest is None:
        raise _unknown("this is for guests: give yourself a name first, at /api/guests")
    return request.identity.guest


def own_seats(request: Request, table: Table) -> tuple[Seat, ...]:
    """The seats that the sender may play. Raises HttpError for a token that is no seat's here."""
    host, caller = request.host, request.identity
    if caller.token:
        seat = host.keys.seat_of(table, caller.token)
        if seat is None:
            raise _unknown("this token is not valid here, or no longer")
        return () if _is_blocked(host, table, seat) else (seat,)
    kept = {host.keys.seat_of(table, token) for token in caller.kept}
    guest = caller.guest.id if caller.guest else None
    return tuple(
        Seat(seat)
        for seat, owner in enumerate(table.owners)
        if (owner == guest or seat in kept) and not _is_blocked(host, table, Seat(seat))
    )


def _is_blocked(host: Host, table: Table, seat: Seat) -> bool:
    """Whether the owner of a seat is blocked: then nobody plays it, also not by its link."""
    owner = table.owners[seat]
    return bool(owner) and host.blocklist.block_of("", owner) is not None


def renewed_tokens(request: Request, table: Table) -> list[Header]:
    """The header by which a browser keeps the tokens of its seats that the new secret signs."""
    keys, kept = request.host.keys, request.identity.kept
    seats = [keys.seat_of(table, token) for token in kept]
    tokens = [keys.seat_token(table, seat) for seat in seats if seat is not None]
    missing = [token for token in tokens if token not in kept]
    return [keep_tokens(request, table.charter.id, *missing)] if missing else []


def seat_for(request: Request, table: Table, wanted: int | None) -> Seat:
    """The seat that the sender acts for. Raises HttpError."""
    own = own_seats(request, table)
    if wanted is None:
        if len(own) == 1:
            return own[0]
        if own:
            raise HttpError(422, f"which seat? Yours are {_named(own)}", word="seat")
    elif wanted in own:
        return Seat(wanted)
    if not own and request.identity.guest is None:
        raise _unknown("this is for who sits here: use your cookie, or the token of the seat")
    raise HttpError(403, "that is not your seat" if own else "you do not sit at this table")


def viewer_for(request: Request, table: Table, wanted: int | str | None) -> Viewer:
    """The viewer whose view the sender gets. Raises HttpError."""
    if isinstance(wanted, int):
        return seat_for(request, table, wanted)
    own = own_seats(request, table)
    if wanted is not None or not own:
        return None
    return seat_for(request, table, None)


def _named(seats: tuple[Seat, ...]) -> str:
    return listed([str(seat) for seat in seats])


def _unknown(message: str) -> HttpError:
    return HttpError(401, message, headers={"www-authenticate": "Bearer"})
