"""Taking a seat once, however often it is asked for."""

from mauerwerk.core.game import Seat
from mauerwerk.play.tables import requests
from mauerwerk.play.tables.orders import Guest
from mauerwerk.play.tables.transaction import Transaction


def join(transaction: Transaction, guest: Guest) -> None:
    """A guest takes any open seat; one who sits there already stays where they are."""
    if all(occupant.guest != guest.id for occupant in transaction.table.occupants):
        requests.sit(transaction, None, guest)


def fill(transaction: Transaction, level: str) -> None:
    """Bots take all seats that are still open before the game."""
    for seat, chair in enumerate(transaction.table.charter.chairs):
        if chair.kind == "open" and not transaction.table.occupants[seat].taken:
            requests.put_bot(transaction, Seat(seat), level)
