"""What is left of a log: others keep their names when a guest is forgotten."""

from mauerwerk.core.game import Seat
from mauerwerk.server.tables.log import ANONYMOUS, GONE, Entry, Kind
from mauerwerk.server.tables.thinning import forgotten


def sat(seq: int, seat: int, guest: str) -> Entry:
    """A guest takes a seat."""
    return Entry(seq, seq, Kind.SIT, Seat(seat), guest.title(), guest=guest, key=f"key-{seq}")


def test_a_guest_is_forgotten_and_nobody_else() -> None:
    """Ada leaves her seat to Cleo, who changes her name there, and sits down elsewhere."""
    log = (
        sat(0, 0, "ada"),
        sat(1, 1, "bob"),
        Entry(2, 2, Kind.RENAME, Seat(0), "Ada L."),
        Entry(3, 3, Kind.RENAME, Seat(1), "Bobby"),
        Entry(4, 4, Kind.STAND, Seat(0)),
        sat(5, 0, "cleo"),
        Entry(6, 6, Kind.RENAME, Seat(0), "Cleopatra"),
        sat(7, 2, "ada"),
        Entry(8, 8, Kind.MOVE, Seat(1), "T"),
        Entry(9, 9, Kind.REMATCH, word="next", guest="ada", key="k"),
        Entry(10, 10, Kind.REMATCH, word="next", guest="bob", key="k"),
    )

    changed = {entry.seq: entry for entry in forgotten(log, "ada")}

    assert [(seq, entry.guest, entry.word, entry.key) for seq, entry in changed.items()] == [
        (0, GONE, ANONYMOUS, ""),
        (2, "", ANONYMOUS, ""),
        (7, GONE, ANONYMOUS, ""),
        (9, GONE, "next", ""),
    ]
