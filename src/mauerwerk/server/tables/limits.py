"""Limits that keep a log from growing for ever.

Games end, so their moves are hardly ever too many; a game that need not end (DM-27, BB-12) is
stopped after very many. All other entries are counted from the last move that stands: changes of a
choice, moves that are taken back, questions, bots that come and go. A seat that has reached the
limit can still move.
"""

from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.server.tables.entries import Kind
from mauerwerk.server.tables.errors import Reason, RequestError
from mauerwerk.server.tables.table import Table

BACK_AND_FORTH: Final = 300
"""The most entries that a seat may have noticed since the last move that stands."""

MOST_MOVES: Final = 10_000
"""The most moves of a game, nature's included; no game that people play is nearly as long."""

SITTINGS: Final = 20
"""How often a guest may sit down at one table."""


def too_much_back_and_forth(table: Table, seat: Seat, stage: int) -> bool:
    """Whether there have been too many entries since the first `stage` plays.

    Entries that this seat does not notice do not count: it would learn how often others
    hesitate.
    """
    if stage:
        began = table.plays[stage - 1].seq
    else:
        kinds = (logged.entry.kind for logged in table.log)
        began = next((seq for seq, kind in enumerate(kinds) if kind is Kind.START), 0)
    return table.number(seat) - table.number_of(began, seat) >= BACK_AND_FORTH


def check_back_and_forth(table: Table, seat: Seat, stage: int) -> None:
    """Refuse what does not advance the game, once there is too much of it. Raises RequestError."""
    if too_much_back_and_forth(table, seat, stage):
        raise RequestError(Reason.BACK_AND_FORTH)


def check_sittings(table: Table, guest: str) -> None:
    """Refuse a seat to a guest who has come and gone too often. Raises RequestError."""
    entries = (logged.entry for logged in table.log.noticed(None))
    if sum(each.kind is Kind.SIT and each.guest == guest for each in entries) >= SITTINGS:
        raise RequestError(Reason.TOO_MANY_SITTINGS)


def is_too_long(table: Table) -> bool:
    """Whether this game has so many moves that it is stopped."""
    return len(table.plays) >= MOST_MOVES


def check_length(table: Table) -> None:
    """Refuse one more move in a game that does not end. Raises RequestError."""
    if is_too_long(table):
        raise RequestError(Reason.TOO_LONG, moves=MOST_MOVES)
