"""The sender's seats at a table, and how they act there: for programs and pages alike.

The table is looked up once. The sender's seat is found on it, the host carries out the request
while the seat is still theirs, and the answer is made from the table that this led to. Handlers
only read the request and phrase the answer.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from mauerwerk.core.game import Seat
from mauerwerk.core.language import listed
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.snapshot import Receipt, Snapshot
from mauerwerk.server.http import errors, response
from mauerwerk.server.http.identity import guest_cookie, keep_tokens, new_guest, unknown
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.table import Table, Viewer


def own_seats(request: Request, table: Table) -> tuple[Seat, ...]:
    """The seats that the sender may play. Raises HttpError for a token that is no seat's here."""
    host, caller = request.host, request.identity
    if caller.token:
        seat = host.keys.seat_of(table, caller.token)
        if seat is None:
            raise unknown("this token is not valid here, or no longer")
        return () if _is_blocked(host, table.owners[seat]) else (seat,)
    kept = {host.keys.seat_of(table, token) for token in caller.kept}
    guest = caller.guest.id if caller.guest else None
    return tuple(
        Seat(seat)
        for seat, owner in enumerate(table.owners)
        if (owner == guest or seat in kept) and not _is_blocked(host, owner)
    )


def seats_played(request: Request, table: Table) -> tuple[Seat, ...]:
    """The seats that the sender plays here."""
    try:
        own = own_seats(request, table)
    except errors.HttpError:
        return ()
    return tuple(seat for seat in own if table.occupants[seat].guest)


def _is_blocked(host: Host, owner: str) -> bool:
    """Whether the owner of a seat is blocked: then nobody plays it, also not by its link."""
    return bool(owner) and host.blocklist.block_of("", owner) is not None


def renewed_tokens(request: Request, table: Table) -> list[response.Header]:
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
            yours = listed([str(seat) for seat in own])
            raise errors.HttpError(422, f"which seat? Yours are {yours}", code="seat")
    elif wanted in own:
        return Seat(wanted)
    if not own and request.identity.guest is None:
        raise unknown("this is for who sits here: use your cookie, or the token of the seat")
    raise errors.HttpError(403, "that is not your seat" if own else "you do not sit at this table")


def viewer_for(request: Request, table: Table, wanted: int | str | None) -> Viewer:
    """The viewer whose view the sender gets. Raises HttpError."""
    if isinstance(wanted, int):
        return seat_for(request, table, wanted)
    own = own_seats(request, table)
    if wanted is not None or not own:
        return None
    return seat_for(request, table, None)


async def acting(
    request: Request, wanted: int | None, *, seated: bool = False
) -> tuple[Snapshot, Seat]:
    """The table, and the sender's seat there, which must have an owner if `seated`.

    Raises HttpError.
    """
    snapshot = await request.host.snapshot(request.table)
    seat = seat_for(request, snapshot.table, wanted)
    return _seated(snapshot, seat, seated=seated)


async def submitting(
    request: Request, wanted: int | None, *, seated: bool = False
) -> tuple[Snapshot, Seat]:
    """The same for a request to the table, whose log decides whether it can still be carried out.

    So the table may be as this process knows it, and is read again only if the sender seems to have
    no seat. Raises HttpError.
    """
    snapshot = await request.host.known_snapshot(request.table)
    try:
        return _seated(snapshot, seat_for(request, snapshot.table, wanted), seated=seated)
    except errors.HttpError:
        return await acting(request, wanted, seated=seated)


def _seated(snapshot: Snapshot, seat: Seat, *, seated: bool) -> tuple[Snapshot, Seat]:
    if seated and not snapshot.table.occupants[seat].guest:
        raise errors.HttpError(403, "nobody sits there yet")
    return snapshot, seat


async def act(
    table: Table,
    seat: Seat,
    carry_out: Callable[..., Awaitable[Receipt]],
    *what: Any,  # noqa: ANN401 - what it takes beyond table and seat
    **more: Any,  # noqa: ANN401 - as above
) -> Receipt:
    """Have the host do something for a seat, unless it has changed hands since `table`.

    Raises MoveError or RequestError where the table refuses it.
    """
    tenure = table.occupants[seat].tenure
    return await carry_out(table.charter.id, seat, *what, tenure=tenure, **more)


async def take_seat(
    request: Request, table: Table, seat: Seat, name: str
) -> tuple[Receipt, list[response.Header]]:
    """Take a seat by its own link: the receipt, and the cookies for the sender.

    A seat that has an owner stays theirs; a sender with its link plays it too, on another device.
    """
    occupant = table.occupants[seat]
    guest = request.identity.guest
    headers: list[response.Header] = []
    if occupant.guest and (guest is None or guest.id != occupant.guest):
        token = request.host.keys.seat_token(table, seat)
        headers.append(keep_tokens(request, request.table, token))
        guest = Guest(occupant.guest, occupant.name)
    elif guest is None:
        request.app.limiter.guest(request.client)
        guest = new_guest(request, name)
        headers.append(guest_cookie(request, guest))
    return await request.host.claim(request.table, seat, guest), headers


async def linked(request: Request) -> tuple[Table, Seat]:
    """A seat whose link the sender may see. Raises HttpError."""
    table = await request.host.table(request.table)
    number = whole_number(request.path_params["seat"])
    if number is None or number >= table.setup.seats:
        raise errors.HttpError(404, "there is no such seat")
    seat = Seat(number)
    own = own_seats(request, table)
    kept = table.charter.chairs[seat].kind == "human" and not table.occupants[seat].taken
    if seat not in own and not (kept and hands_out_links(table, own, request.identity.guest)):
        seat_for(request, table, seat)
    return table, seat


def player_of(request: Request, table: Table) -> Guest:
    """The guest that the sender is at this table: the owner of a seat they play. Raises HttpError.

    A sender who plays a seat by its link, on another device, is its owner, whatever they are called
    elsewhere.
    """
    own = own_seats(request, table)
    if not own:
        seat_for(request, table, None)
    occupants = [table.occupants[seat] for seat in own]
    owners = [Guest(occupant.guest, occupant.name) for occupant in occupants if occupant.guest]
    if not owners:
        raise errors.HttpError(403, "nobody sits there yet")
    guest = request.identity.guest
    return guest if guest and guest.id in {owner.id for owner in owners} else owners[0]


def hands_out_links(table: Table, own: Sequence[Seat], guest: Guest | None = None) -> bool:
    """Whether the player who has these seats, or is this guest, set up the table.

    Only they may hand out the links of seats that are kept for a person: they know for whom.
    """
    opener = table.charter.opener
    known = {table.occupants[seat].guest for seat in own} | {guest.id if guest else ""}
    return bool(opener) and opener in known
