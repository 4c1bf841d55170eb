"""The database tables of evenings: the programme, and who takes part."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA, NAMED

EVENINGS: Final = sa.Table(
    "evenings",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # how often it was changed
    sa.Column("plan", sa.Text, nullable=False),  # JSON; people are named by number only
)

EVENING_PEOPLE: Final = sa.Table(
    "evening_people",
    METADATA,
    sa.Column("evening", sa.Text, sa.ForeignKey(EVENINGS.c.id), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guest", sa.Text, nullable=False, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("gone", sa.Boolean, nullable=False),  # they went home, or were forgotten
    sa.Index("evening_people_by_guest", "guest", "evening"),
    sqlite_with_rowid=False,
)
