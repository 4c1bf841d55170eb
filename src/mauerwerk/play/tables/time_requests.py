"""What time does at a table, and what players can do about it."""

from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.play.tables import undo
from mauerwerk.play.tables.entries import Kind, Status
from mauerwerk.play.tables.errors import Reason, RequestError
from mauerwerk.play.tables.table import Table
from mauerwerk.play.tables.time_spent import is_up
from mauerwerk.play.tables.transaction import Transaction

SUBSTITUTE: Final = "journeyman"
"""The bot that plays for a player who has left or is out of time."""


def run_out(transaction: Transaction, late: int = 0) -> None:
    """Bots play for those whose time is up; a player who has not consented in time refuses.

    All have `late` milliseconds more than the log knows.
    """
    table = transaction.table
    if table.proposal is not None:
        transaction.write(Kind.REFUSE, undo.waits_for(table, table.proposal)[0])
        return
    for seat in table.deciding:
        up = table.runs_out(seat)
        if table.occupants[seat].person and up is not None and up + late <= transaction.at:
            transaction.write(Kind.AWAY, seat, word=SUBSTITUTE)
            if table.charter.clock.forfeits:
                transaction.write(Kind.FORFEIT, seat)


def rest(transaction: Transaction, seat: Seat) -> None:
    """Take a day off: the seat has a day more for what it is asked now."""
    table = transaction.table
    if table.status is not Status.RUNNING or seat not in table.waiting:
        raise RequestError(Reason.NOTHING_TO_DECIDE, seat=seat)
    if not table.clocks[seat].off:
        raise RequestError(Reason.NO_DAYS_OFF)
    if table.occupants[seat].level:
        transaction.write(Kind.BACK, seat)
    transaction.write(Kind.REST, seat, keyed=True)


def pause(transaction: Transaction, milliseconds: int) -> None:
    """Note that all clocks stood still for this long, since no server ran."""
    if transaction.table.deadline is not None:
        transaction.write(Kind.PAUSE, number=milliseconds)


def check(table: Table, seat: Seat) -> None:
    """Refuse a player whose time for the whole game is up: a bot plays on in their place."""
    if is_up(table, seat):
        raise RequestError(Reason.TIME_IS_UP)
