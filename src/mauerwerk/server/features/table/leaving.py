"""A seat that the visitor has left, and may take back for a while."""

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.table import KEPT, Status, Table


class LeftSeat(Value):
    """A seat that is kept for the visitor."""

    seat: Seat
    until: int
    """When it is free for others, in milliseconds since 1970."""


def reserved_seats(request: Request, table: Table) -> tuple[Seat, ...]:
    """The seats that are kept for somebody who left, so that nobody else can take them."""
    now = request.host.now()
    return tuple(
        Seat(seat)
        for seat, occupant in enumerate(table.occupants)
        if occupant.is_kept(occupant.former, now)
    )


def left_seat(request: Request, table: Table) -> LeftSeat | None:
    """The seat that the visitor left and may take back now."""
    guest = request.identity.guest
    if guest is None or table.status is not Status.RUNNING:
        return None
    for seat, occupant in enumerate(table.occupants):
        if occupant.is_kept(guest.id, request.host.now()):
            return LeftSeat(Seat(seat), occupant.left + KEPT)
    return None
