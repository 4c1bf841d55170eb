"""Which open table somebody is sent to who looks for a game.

All who look do so one after the other, in a transaction that others wait for. So two who look at
the same moment are sent to the same table, also if the first of them has yet to set it up.
"""

from collections.abc import Collection, Iterator
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA, OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.lobby.looking import LOOKING, search_at
from mauerwerk.server.features.lobby.open_tables import Seek, fits
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.table import Card, Status

SEEKS: Final = sa.Table(
    "seeks",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False),  # where they were sent; it may be gone by now
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("opens", sa.Boolean, nullable=False),  # whether the table is set up for them
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Index("seeks_by_since", "since"),
)

LOOKED_AT: Final = 200
"""The number of open tables among which one is chosen."""
FRESH: Final = 10_000
"""Milliseconds in which a table that is to be set up is there, or never will be."""
FORGOTTEN: Final = 86_400_000
"""Milliseconds after which nobody needs to know any more that somebody looked."""


class Sent(Value, tag=False):
    """Where somebody is sent."""

    table: str
    opens: bool
    """Whether it is theirs to set up."""
    game: str
    joins_later: bool = False
    """Whether the game runs, and they take over a bot's seat at the next round or game."""


@command(by="matchmaking")
def find_table(
    transaction: Transaction, guest: str, seek: Seek, new: Sent, tried: Collection[str] = ()
) -> Sent:
    """A table for a guest: the one they were sent to, one that fits, or a new one."""
    before = _sent_before(transaction, guest, seek)
    if before is not None and before.table not in tried:
        return before
    found = _fitting(transaction, guest, seek, tried)
    sent = found or _being_set_up(transaction, guest, seek, tried) or new
    old = SEEKS.c.since < transaction.now - FORGOTTEN
    transaction.remove(SEEKS, old | (SEEKS.c.guest == guest))
    where = {"table_id": sent.table, "game": sent.game, "opens": sent.opens}
    transaction.insert(SEEKS, guest=guest, since=transaction.now, **where)
    return sent


def _sent_before(transaction: Transaction, guest: str, seek: Seek) -> Sent | None:
    """Where a guest was sent who presses again: while they wait there, or are on their way."""
    row = transaction.execute(sa.select(SEEKS).where(SEEKS.c.guest == guest)).first()
    if row is None or not seek.takes(row.game):
        return None
    sent = Sent(row.table_id, opens=row.opens, game=row.game)
    status = transaction.scalar(sa.select(TABLES.c.status).where(TABLES.c.id == row.table_id))
    fresh = row.since > transaction.now - FRESH
    search = search_at(transaction, row.table_id)
    if any(each.guest == guest for each in search.arrivals) and status == Status.RUNNING.value:
        return msgspec.structs.replace(sent, joins_later=True)
    if status is None or (fresh and status != Status.OVER.value):
        return sent if fresh and (row.opens or status != Status.RUNNING.value) else None
    owns = transaction.has(OWNERS, OWNERS.c.table_id == row.table_id, OWNERS.c.guest == guest)
    looks = status == Status.RUNNING.value and search.since is not None
    return sent if owns and (status == Status.OPEN.value or looks) else None


def _fitting(
    transaction: Transaction, guest: str, seek: Seek, tried: Collection[str] = ()
) -> Sent | None:
    """A table that fits: with an open seat or, for fun, where people are looked for."""
    found = next(_open_tables(transaction, guest, seek, tried), None)
    if found is None and seek.fun:
        found = next(_looking_tables(transaction, guest, seek, tried), None)
    return found


def _listed(
    status: Status, guest: str, tried: Collection[str]
) -> "tuple[sa.ColumnElement[bool], ...]":
    """Listed tables of this status that were not tried, and at which the guest does not sit."""
    own = sa.select(OWNERS.c.table_id).where(OWNERS.c.guest == guest)
    elsewhere = (TABLES.c.id.not_in([*tried]), TABLES.c.id.not_in(own))
    return TABLES.c.public, TABLES.c.status == status.value, *elsewhere


def _open_tables(
    transaction: Transaction, guest: str, seek: Seek, tried: Collection[str]
) -> Iterator[Sent]:
    """Listed tables with an open seat that fit, those first at which most people wait."""
    wanted = (
        sa.select(TABLES.c.card, TABLES.c.charter)
        .where(*_listed(Status.OPEN, guest, tried))
        .order_by(TABLES.c.created, TABLES.c.id)
        .limit(LOOKED_AT)
    )
    found: list[Card] = []
    for row in transaction.execute(wanted):
        card = msgspec.json.decode(row.card, type=Card)
        chairs = msgspec.json.decode(row.charter, type=Charter).chairs
        taken = zip(chairs, card.names, card.levels, strict=True)
        if fits(card, seek) and any(
            chair.kind == "open" and not name and not level for chair, name, level in taken
        ):
            found.append(card)
    found.sort(key=lambda card: (-sum(map(bool, card.names)), card.created, card.id))
    return (Sent(card.id, opens=False, game=card.game) for card in found)


@query
def waiting_for(transaction: Transaction, guest: str, seek: Seek) -> tuple[str, ...]:
    """The names of people whom somebody who looks for this would meet."""
    sent = _fitting(transaction, guest, seek)
    if sent is None:
        return ()
    (card,) = transaction.cards(sa.select(TABLES.c.card).where(TABLES.c.id == sent.table))
    return tuple(filter(None, card.names))


def _looking_tables(
    transaction: Transaction, guest: str, seek: Seek, tried: Collection[str]
) -> Iterator[Sent]:
    """Tables at which somebody plays with bots until people come, who have looked longest first."""
    wanted = (
        sa.select(TABLES.c.card)
        .join(LOOKING, LOOKING.c.table_id == TABLES.c.id)
        .where(*_listed(Status.RUNNING, guest, tried))
        .order_by(LOOKING.c.since, TABLES.c.id)
        .limit(LOOKED_AT)
    )
    return (
        Sent(card.id, opens=False, game=card.game, joins_later=True)
        for card in transaction.cards(wanted)
        if fits(card, seek)
    )


def _being_set_up(
    transaction: Transaction, guest: str, seek: Seek, tried: Collection[str]
) -> Sent | None:
    """A table that is being set up at this moment for somebody else who is looking."""
    if seek.seats or seek.clock or seek.rated or seek.fun:
        return None  # nobody knows yet what it will be like
    known = sa.select(TABLES.c.id).where(TABLES.c.id == SEEKS.c.table_id)
    wanted = (
        sa.select(SEEKS.c.table_id, SEEKS.c.game)
        .where(
            SEEKS.c.opens,
            SEEKS.c.guest != guest,
            SEEKS.c.since > transaction.now - FRESH,
            SEEKS.c.table_id.not_in([*tried]),
            ~known.exists(),
        )
        .order_by(SEEKS.c.since, SEEKS.c.table_id)
    )
    rows = transaction.execute(wanted)
    fitting = (row for row in rows if seek.takes(row.game))
    return next((Sent(row.table_id, opens=False, game=row.game) for row in fitting), None)
