"""What the people who run a server decide: blocks, guests they dealt with, reports, a log of it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "blocks",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("what", sa.Text, primary_key=True),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_table(
        "standings",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("logged_out", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("renamed", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("reporter", sa.Text, nullable=False),
        sa.Column("reporter_name", sa.Text, nullable=False),
        sa.Column("settled", sa.Text, nullable=False),
    )
    op.create_index("reports_by_state", "reports", ["settled", "at"])
    op.create_index("reports_by_guest", "reports", ["guest", "at"])
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
