"""The database table of games that people follow."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA, TABLES

FOLLOWS: Final = sa.Table(
    "follows",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("follows_by_table", "table_id"),
    sqlite_with_rowid=False,
)
