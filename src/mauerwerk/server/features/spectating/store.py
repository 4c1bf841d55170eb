"""Games that people follow: a list for each guest, and nobody else knows of it."""

from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA, SHOWN, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.moderation.state import AdminError
from mauerwerk.server.tables.table import Card

FOLLOWS: Final = sa.Table(
    "follows",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("follows_by_table", "table_id"),
    sqlite_with_rowid=False,
)

MOST: Final = 50
"""How many games a guest follows at the same time; beyond that, the oldest goes."""


@command(by="guest")
def follow(transaction: Transaction, guest: str, table: str) -> None:
    """Follow a game. Raises AdminError where there is none."""
    unfollow(transaction, guest, table)
    if transaction.connection.scalar(sa.select(TABLES.c.id).where(TABLES.c.id == table)) is None:
        raise AdminError(f"there is no table {table}")
    values = {"guest": guest, "table_id": table, "at": transaction.now}
    transaction.connection.execute(sa.insert(FOLLOWS).values(**values))
    mine = sa.select(FOLLOWS.c.table_id).where(FOLLOWS.c.guest == guest)
    latest = mine.order_by(FOLLOWS.c.at.desc(), FOLLOWS.c.table_id)
    rows = transaction.connection.execute(latest.offset(MOST))
    for row in rows.all():
        unfollow(transaction, guest, row.table_id)


@command(by="guest")
def unfollow(transaction: Transaction, guest: str, table: str) -> None:
    """Follow it no more."""
    mine = (FOLLOWS.c.guest == guest, FOLLOWS.c.table_id == table)
    transaction.connection.execute(sa.delete(FOLLOWS).where(*mine))


@query
def follows(transaction: Transaction, guest: str, table: str) -> bool:
    """Whether a guest follows a game."""
    mine = (FOLLOWS.c.guest == guest, FOLLOWS.c.table_id == table)
    return transaction.connection.execute(sa.select(FOLLOWS.c.at).where(*mine)).first() is not None


@query
def followed(transaction: Transaction, guest: str) -> tuple[Card, ...]:
    """The games that a guest follows, those changed last first."""
    wanted = (
        sa.select(TABLES.c.card)
        .join(FOLLOWS, FOLLOWS.c.table_id == TABLES.c.id)
        .where(FOLLOWS.c.guest == guest)
        .order_by(SHOWN.desc(), TABLES.c.id)
    )
    rows = transaction.connection.execute(wanted)
    return tuple(msgspec.json.decode(row.card, type=Card) for row in rows)
