"""People who keep their games, what players achieved, and ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables; the games that are over are counted by the next server that runs."""
    op.create_table(
        "people",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("phone", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
    )
    op.create_table(
        "device_links",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("browser", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("phone", sa.Boolean, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
    )
    op.create_table(
        "spent",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    for owned in ("passkeys", "recovery_codes", "devices", "device_links"):
        op.create_index(f"{owned}_by_guest", owned, ["guest"])
    _results()


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("points", sa.Integer),
        sa.Column("gone", sa.Boolean, nullable=False),
        sa.Column("mu_before", sa.Float),
        sa.Column("sigma_before", sa.Float),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Column("counts", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("results_by_guest", "results", ["guest", "ended", "table_id"])
    op.create_index("results_by_number", "results", ["number"])
    op.create_table(
        "ratings",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
    )
    op.create_index("ratings_by_guest", "ratings", ["guest"])
    op.add_column("tables", sa.Column("counted", sa.BigInteger))
    uncounted = sa.text("status = 'over' AND counted IS NULL")
    op.create_index(
        "tables_uncounted",
        "tables",
        ["changed", "id"],
        sqlite_where=uncounted,
        postgresql_where=uncounted,
    )
