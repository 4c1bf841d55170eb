"""What spectators of a table see: all that is public at once, or some moves later, or nothing.

Spectators who are behind see the table as its log was then: view, story and stream follow from the
same beginning of the log, so none of them can tell more than the others. When the game is over,
everybody sees all of it.
"""

from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import NATURE
from mauerwerk.server.tables.entries import Card, Kind, Status
from mauerwerk.server.tables.folding import begin, more
from mauerwerk.server.tables.logged import called
from mauerwerk.server.tables.table import Table

LIVE: Final = 0
NOBODY: Final = -1
"""Instead of a number of moves: spectators see a running game at once, or not at all."""


def is_late(table: Table) -> bool:
    """Whether spectators do not see the table as it is now."""
    return table.charter.delay != LIVE and table.status is Status.RUNNING


def is_closed(table: Table) -> bool:
    """Whether spectators see nothing of the game until it is over."""
    return table.charter.delay == NOBODY and table.status is Status.RUNNING


def seen_from_outside(table: Table, before: Table | None = None) -> Table:
    """The table as spectators see it; `before` is what they saw some entries ago."""
    if not is_late(table):
        return table
    cut = _cut(table)
    if before is None or before.seq > cut:
        before = begin(table.charter)
    then = more(before, (logged.entry for logged in table.log[before.seq : cut]))
    for seat, occupant in enumerate(table.occupants):
        known = then.occupants[seat]
        if known.guest == occupant.guest and known.name != occupant.name:
            then = called(then, seat, occupant.name)  # nobody is to read the old name
    return then


def card_from_outside(card: Card) -> Card:
    """What people may know of a table in a list who do not play there.

    Where spectators see a game later, it does not say whose turn it is, or when somebody moved.
    """
    if not card.late or card.status is not Status.RUNNING:
        return card
    return replace(card, changed=card.created, waiting=(), due=None, turn=0)


def seen_until(table: Table) -> int:
    """When the last of what spectators see happened, in milliseconds since 1970; 0 for never."""
    cut = _cut(table) if is_late(table) else table.seq
    return table.log[cut - 1].entry.at if cut else 0


def _cut(table: Table) -> int:
    """The length of the log before the moves that spectators do not see yet.

    A choice that is changed before anybody has seen it counts once: nobody is to know of it.
    """
    moves = [
        logged.entry.seq
        for logged in table.log
        if logged.entry.kind is Kind.MOVE
        and logged.entry.seat != NATURE
        and logged.entry.number is None
    ][table.charter.given :]
    unseen = moves if table.charter.delay == NOBODY else moves[-table.charter.delay :]
    return unseen[0] if unseen else table.seq
