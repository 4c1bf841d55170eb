"""Games that people follow: a list for each guest, and nobody else knows of it."""

from typing import Final

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
    if not transaction.has(TABLES, TABLES.c.id == table):
        raise AdminError(f"there is no table {table}")
    transaction.insert(FOLLOWS, guest=guest, table_id=table, at=transaction.now)
    mine = sa.select(FOLLOWS.c.table_id).where(FOLLOWS.c.guest == guest)
    latest = mine.order_by(FOLLOWS.c.at.desc(), FOLLOWS.c.table_id)
    for surplus in transaction.scalars(latest.offset(MOST)).all():
        unfollow(transaction, guest, surplus)


@command(by="guest")
def unfollow(transaction: Transaction, guest: str, table: str) -> None:
    """Follow it no more."""
    transaction.remove(FOLLOWS, FOLLOWS.c.guest == guest, FOLLOWS.c.table_id == table)


@query
def follows(transaction: Transaction, guest: str, table: str) -> bool:
    """Whether a guest follows a game."""
    return transaction.has(FOLLOWS, FOLLOWS.c.guest == guest, FOLLOWS.c.table_id == table)


@query
def followed(transaction: Transaction, guest: str) -> tuple[Card, ...]:
    """The games that a guest follows, those changed last first."""
    wanted = (
        sa.select(TABLES.c.card)
        .join(FOLLOWS, FOLLOWS.c.table_id == TABLES.c.id)
        .where(FOLLOWS.c.guest == guest)
        .order_by(SHOWN.desc(), TABLES.c.id)
    )
    return transaction.cards(wanted)
