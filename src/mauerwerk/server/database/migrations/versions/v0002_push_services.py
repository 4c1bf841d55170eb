"""A message says which service takes it, so that a slow service holds up only its own messages."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

COLUMNS = ("id", "guest", "channel", "target", "tables", "due", "state", "attempts", "lease")


def upgrade() -> None:
    """Make the table anew: SQLite would put a column that is added behind the keys."""
    op.drop_index("outbox_by_state", "outbox")
    op.drop_index("outbox_by_guest", "outbox")
    op.rename_table("outbox", "old_outbox")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER INDEX outbox_pkey RENAME TO old_outbox_pkey")
    op.create_table(
        "outbox",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("tables", sa.Text, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("lease", sa.BigInteger),
        sa.Column("service", sa.Text, nullable=False, server_default=""),
    )
    names = ", ".join(COLUMNS)
    op.execute(f"INSERT INTO outbox ({names}) SELECT {names} FROM old_outbox")  # noqa: S608 - constants
    op.drop_table("old_outbox")
    op.create_index("outbox_by_state", "outbox", ["state", "due"])
    op.create_index("outbox_by_guest", "outbox", ["guest"])
    op.create_index("outbox_by_service", "outbox", ["service"])
