"""Who opened a table, how much it takes up, and whether its log was thinned."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

OPENERS = {
    "sqlite": "COALESCE(json_extract(charter, '$.opener'), '')",
    "postgresql": "COALESCE(charter::json ->> 'opener', '')",
}
SIZE = """
    300 + LENGTH(charter) + LENGTH(card) + COALESCE(LENGTH(record), 0) + COALESCE((
        SELECT SUM(64 + LENGTH(word) + LENGTH(guest) + LENGTH(key))
        FROM entries WHERE entries.table_id = tables.id
    ), 0)
"""


def upgrade() -> None:
    """Add the columns, and work them out for the tables that are there."""
    op.add_column("tables", sa.Column("opener", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("size", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("thinned", sa.BigInteger))
    opener = OPENERS[op.get_bind().dialect.name]
    op.execute(f"UPDATE tables SET opener = {opener}, size = {SIZE}")  # noqa: S608 - only constants
    op.create_index("tables_by_opener", "tables", ["opener", "size"])
    known = sa.text("guest <> ''")
    op.create_index(
        "entries_by_guest",
        "entries",
        ["guest", "table_id"],
        sqlite_where=known,
        postgresql_where=known,
    )
