"""How a caller acts at a table: through here for programs and pages alike.

The table is looked up once. The caller's seat is found on it, the host carries out the request
while the seat is still theirs, and the answer is made from the table that this led to. Handlers
only read the request and phrase the answer.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import Seat
from mauerwerk.server.engine.snapshot import Receipt, Snapshot
from mauerwerk.server.http import errors, response
from mauerwerk.server.http.identity import guest_cookie, keep_tokens, new_guest, own_seats, seat_for
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import RequestError
from mauerwerk.server.tables.table import Table


class Actor(NamedTuple):
    """A caller at a seat of theirs, and the table as it was when the request came."""

    request: Request
    snapshot: Snapshot
    seat: Seat

    @property
    def table(self) -> Table:
        """The table at which they act."""
        return self.snapshot.table

    async def ask(
        self,
        request: Callable[..., Awaitable[Receipt]],
        *what: Any,  # noqa: ANN401 - what the request takes beyond table and seat
        **more: Any,  # noqa: ANN401 - as above
    ) -> "Receipt | Refused":
        """Have the host carry out a request of this seat, unless it has changed hands since."""
        tenure = self.table.occupants[self.seat].tenure
        try:
            return await request(self.request.table, self.seat, *what, tenure=tenure, **more)
        except (MoveError, RequestError) as error:
            return Refused(error, await self.request.host.snapshot(self.request.table))


class Refused(NamedTuple):
    """A request that the table refused."""

    error: MoveError | RequestError
    snapshot: Snapshot
    """The table as it is now, for a caller who came too late."""


async def acting(request: Request, wanted: int | None, *, seated: bool = False) -> Actor:
    """The seat that the caller acts for, which a player must own if `seated`. Raises HttpError."""
    snapshot = await request.host.snapshot(request.table)
    seat = seat_for(request, snapshot.table, wanted)
    if seated and not snapshot.table.occupants[seat].guest:
        raise errors.HttpError(403, "nobody sits there yet")
    return Actor(request, snapshot, seat)


async def take_seat(
    request: Request, table: Table, seat: Seat, name: str
) -> tuple[Receipt, list[response.Header]]:
    """Take a seat by its own link: the receipt, and the cookies for the caller.

    A seat that has an owner stays theirs; a caller with its link plays it too, on another device.
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
        guest = new_guest(name)
        headers.append(guest_cookie(request, guest))
    return await request.host.claim(request.table, seat, guest), headers


async def linked(request: Request) -> tuple[Table, Seat]:
    """A seat whose link the caller may see. Raises HttpError."""
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
    """The guest that the caller is at this table: the owner of a seat they play. Raises HttpError.

    A caller who plays a seat by its link, on another device, is its owner, whatever they are called
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
