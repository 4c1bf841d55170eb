"""Tables, their entries, who owns their seats; settings of the house."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("charter", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("record", sa.Text),
    )
    op.create_index("tables_by_change", "tables", ["status", "public", "changed", "id"])
    due = sa.text("due IS NOT NULL")
    op.create_index("tables_by_due", "tables", ["due"], sqlite_where=due, postgresql_where=due)
    op.create_table(
        "entries",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "owners",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("owners_by_guest", "owners", ["guest", "changed", "table_id"])
    op.create_table(
        "settings",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
