"""Calls: who wants to be called when it is their turn, and what is sent to them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "calling",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("pace", sa.Text, nullable=False),
        sa.Column("quiet_from", sa.Integer, nullable=False),
        sa.Column("quiet_to", sa.Integer, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("confirmed", sa.BigInteger),
        sa.Column("proof", sa.Text, nullable=False),
        sa.Column("stop", sa.Text, nullable=False),
    )
    op.create_index("calling_by_proof", "calling", ["proof"])
    op.create_index("calling_by_stop", "calling", ["stop"])
    op.create_table(
        "push_devices",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_index("push_devices_by_guest", "push_devices", ["guest", "since"])
    op.create_table(
        "calls",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("looked", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("calls_by_due", "calls", ["due"])
    op.create_table(
        "messages",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("tables", sa.Text, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("lease", sa.BigInteger),
    )
    op.create_index("messages_by_state", "messages", ["state", "due"])
    op.create_index("messages_by_guest", "messages", ["guest"])
