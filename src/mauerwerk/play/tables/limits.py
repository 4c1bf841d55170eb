"""How much back and forth a table puts up with, so that no log grows for ever.

Moves are hardly ever too many, since games end; those that need not are given up after very many
(DM-27, BB-12). All else is counted from the last move behind what is
asked now: changes of a choice, moves that are taken back, questions, bots that come and go. Whoever
has had enough of that can still move.
"""

from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.play.tables.entries import Kind
from mauerwerk.play.tables.errors import RequestError
from mauerwerk.play.tables.table import Table, noticed

BACK_AND_FORTH: Final = 300
"""So many entries a seat may have noticed since the last move that stands."""

MOST_MOVES: Final = 10_000
"""So many moves a game may have, nature's included; none that people play is nearly as long."""

SITTINGS: Final = 20
"""So often a guest may sit down at one table."""


def too_much_back_and_forth(table: Table, seat: Seat, stage: int) -> bool:
    """Whether there has been enough back and forth since so many plays lay behind.

    What this seat does not notice does not count, or it could find out how often others hesitated.
    """
    if stage:
        began = table.plays[stage - 1].seq
    else:
        kinds = (logged.entry.kind for logged in table.log)
        began = next((seq for seq, kind in enumerate(kinds) if kind is Kind.START), 0)
    since = sum(noticed(logged.entry, seat) for logged in table.log[began + 1 :])
    return since >= BACK_AND_FORTH


def check_back_and_forth(table: Table, seat: Seat, stage: int) -> None:
    """Refuse what does not bring the game on, once that has been enough. Raises RequestError."""
    if too_much_back_and_forth(table, seat, stage):
        raise RequestError("too much back and forth; play on")


def check_sittings(table: Table, guest: str) -> None:
    """Refuse a seat to who comes and goes and comes again. Raises RequestError."""
    entries = (logged.entry for logged in table.log)
    if sum(each.kind is Kind.SIT and each.guest == guest for each in entries) >= SITTINGS:
        raise RequestError("you have come and gone too often at this table")


def is_too_long(table: Table) -> bool:
    """Whether this game has gone on for so long that nobody is to play on."""
    return len(table.plays) >= MOST_MOVES


def check_length(table: Table) -> None:
    """Refuse one more move in a game that does not end. Raises RequestError."""
    if is_too_long(table):
        raise RequestError(f"after {MOST_MOVES} moves nobody plays on")
