"""The viewpoint from which a page shows a table, also where several people share the device.

A visitor with one seat sees what that seat sees; a visitor with none is a spectator. A visitor with
several seats hands the device on: before the next player looks, a curtain hides what the last one
held. A game without secrets has nothing to hide, and the page follows the seat whose turn it is.
"""

from mauerwerk.core.game import Seat, Value
from mauerwerk.play.tables.table import Table, Viewer
from mauerwerk.web.games import web_game
from mauerwerk.web.http.call import Call
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.identity import own_seats
from mauerwerk.web.http.reading import whole_number


class Viewpoint(Value):
    """The seat that looks, and the curtain before it."""

    seat: Viewer
    """Whose page it is; None for a spectator's."""

    own: tuple[Seat, ...]
    """All seats that can be played from here."""

    curtain: Seat | None = None
    """The seat to which the device is to be handed, before anything of its own is shown."""

    @property
    def viewer(self) -> Viewer:
        """The viewer for whom the table is drawn: a spectator while the curtain is closed."""
        return self.seat if self.curtain is None else None

    @property
    def shared(self) -> bool:
        """Whether several people play at this device."""
        return len(self.own) > 1


def seats_of(call: Call, table: Table) -> tuple[Seat, ...]:
    """The caller's seats that have an owner; none, if the caller's token is not valid."""
    return tuple(seat for seat in _opened(call, table) if table.occupants[seat].guest)


def free_seats(call: Call, table: Table) -> tuple[Seat, ...]:
    """Seats that nobody has, and whose link was opened in this browser."""
    return tuple(seat for seat in _opened(call, table) if not table.occupants[seat].guest)


def _opened(call: Call, table: Table) -> tuple[Seat, ...]:
    try:
        return own_seats(call.host, table, call.caller)
    except Fault:
        return ()


def viewpoint_at(call: Call, table: Table, wanted: str) -> Viewpoint:
    """The viewpoint of a page that was asked for with `?seat=`."""
    own = seats_of(call, table)
    if not own:
        return Viewpoint(None, ())
    chosen = whole_number(wanted)
    seat = Seat(chosen) if chosen is not None and chosen in own else None
    if len(own) == 1:
        return Viewpoint(own[0], own)
    asked = [each for each in own if each in table.waiting and not table.occupants[each].level]
    if not web_game(table.charter.game).box.secrets:
        return Viewpoint(asked[0] if asked else own[0] if seat is None else seat, own)
    if table.state is None or not table.waiting:
        return Viewpoint(seat, own)
    if asked and seat not in asked:
        return Viewpoint(seat, own, curtain=_next(seat, asked))
    return Viewpoint(seat, own)


def _next(seat: Seat | None, asked: list[Seat]) -> Seat:
    """The next seat to play at this device: clockwise from the last one."""
    return next((each for each in asked if seat is not None and each > seat), asked[0])
