"""What is said at tables."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "talk",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("talk_by_guest", "talk", ["guest", "table_id"])
