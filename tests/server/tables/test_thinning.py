"""What is left of a log: the table as it was, and others' names when a guest is forgotten."""

import pytest
from tests.support.driven_table import LEVEL, SEED, start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.log import ANONYMOUS, GONE, Ending, Entry, Kind
from mauerwerk.server.tables.thinning import filled, forgotten, thinned
from mauerwerk.server.tables.transcript import moves_in, transcript


@pytest.mark.parametrize("rematch", ["", "next"])
@pytest.mark.parametrize("ended", ["", Ending.HOST, Ending.ABANDONED])
def test_a_thinned_log_leads_to_the_same_table(ended: str, rematch: str) -> None:
    """With all kinds of players and endings, and a rematch; moves taken back are left out."""
    driven = start_table(options={"rounds": "1", "stall": "1", "first": "0"})
    driven.play("2:- 1:T 1:-")
    driven.take_back(1)
    driven.do(requests.hand_over, Seat(2), LEVEL)
    driven.play("0:-" if ended else "0:- 1:-")
    if ended:
        driven.do(requests.end, Ending(ended))
    if rematch:
        driven.do(requests.rematch, rematch)
    table = driven.table
    moves, log = moves_in(transcript(table, SEED)), [logged.entry for logged in table.log]

    short = thinned(table.charter, log, len(moves), table.changed)
    again = fold(table.charter, filled(short, moves))

    assert len(short) + len(moves) < len(log)
    assert (again.card(), again.owners, again.players) == (
        table.card(),
        table.owners,
        table.players,
    )
    assert (again.outcome, again.ended, again.rematch) == (table.outcome, ended, rematch)
    assert again.record() == table.record()


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
