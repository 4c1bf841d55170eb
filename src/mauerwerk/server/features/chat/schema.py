"""The database table of what is said at tables."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA, NAMED, TABLES

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
