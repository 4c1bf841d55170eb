"""Evenings: several games in a row among the same people."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "evenings",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
    )
    op.create_table(
        "evening_people",
        sa.Column("evening", sa.Text, sa.ForeignKey("evenings.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("gone", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("evening_people_by_guest", "evening_people", ["guest", "evening"])
