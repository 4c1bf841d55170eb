"""What is said at tables, in the database."""

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.server.database import rows
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.schema import METADATA, NAMED, TABLES
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.chat.messages import Message

CHAT_MESSAGES: Final = sa.Table(
    "chat_messages",
    METADATA,
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("side", sa.Text, nullable=False),  # players, or spectators
    sa.Column("seat", sa.Integer),
    sa.Column("guest", sa.Text, nullable=False, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("form", sa.Text, nullable=False),  # face, phrase, text
    sa.Column("word", sa.Text, nullable=False),
    sa.Index("chat_messages_by_guest", "guest", "table_id"),
    sqlite_with_rowid=False,
)

SAID: Final = tuple(CHAT_MESSAGES.c)[1:]
"""The columns of a message, less that of its table."""


def say(store: Store, table: str, message: Message, dropped: Sequence[int]) -> asyncio.Future[None]:
    """Store a message, and drop these. Raises OvertakenError where another has its number."""
    values = msgspec.to_builtins(message)
    row = (table, *(values[column.name] for column in SAID))
    gone = [(table, number) for number in dropped]
    return store.put(rows.addition(table, CHAT_MESSAGES, row, gone))


@query
def messages_at(transaction: Transaction, table: str, after: int) -> tuple[Message, ...]:
    """What was said at a table after that number."""
    wanted = sa.select(*SAID).where(CHAT_MESSAGES.c.table_id == table)
    later = wanted.where(CHAT_MESSAGES.c.number > after).order_by(CHAT_MESSAGES.c.number)
    return transaction.values(Message, later)
