"""The first schema: tables and their logs, and what features keep beside them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "accounts",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_table(
        "blocks",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("what", sa.Text, primary_key=True),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
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
        sa.Index("device_links_by_guest", "guest"),
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
        sa.Index("devices_by_guest", "guest"),
    )
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
        "guest_status",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("logged_out", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("renamed", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("inviter", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("invitations_by_guest", "guest", "at"),
        sa.Index("invitations_by_inviter", "inviter", "at"),
    )
    op.create_table(
        "notification_preferences",
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
        sa.Index("notification_preferences_by_proof", "proof"),
        sa.Index("notification_preferences_by_stop", "stop"),
    )
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
        sa.Index("outbox_by_guest", "guest"),
        sa.Index("outbox_by_state", "state", "due"),
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
        sa.Index("passkeys_by_guest", "guest"),
    )
    op.create_table(
        "push_devices",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("device", sa.Text, nullable=False, server_default=""),
        sa.Index("push_devices_by_guest", "guest", "since"),
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Index("ratings_by_guest", "guest"),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Index("recovery_codes_by_guest", "guest"),
    )
    op.create_table(
        "refused_inviters",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("other", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Index("refused_inviters_by_other", "other"),
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
        sa.Column("resolved", sa.Text, nullable=False),
        sa.Index("reports_by_guest", "guest", "at"),
        sa.Index("reports_by_state", "resolved", "at"),
    )
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
        sa.Index("results_by_guest", "guest", "ended", "table_id"),
        sa.Index("results_by_number", "number"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seeks",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("opens", sa.Boolean, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Index("seeks_by_since", "since"),
    )
    op.create_table(
        "server_state",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
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
        sa.Column("opener", sa.Text, nullable=False, server_default=""),
        sa.Column("size", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("thinned", sa.BigInteger),
        sa.Column("counted", sa.BigInteger),
        sa.Index("tables_by_change", "status", "public", "changed", "id"),
        sa.Index(
            "tables_by_due",
            "due",
            sqlite_where=sa.text("due IS NOT NULL"),
            postgresql_where=sa.text("due IS NOT NULL"),
        ),
        sa.Index("tables_by_opener", "opener", "size"),
        sa.Index(
            "tables_uncounted",
            "changed",
            "id",
            sqlite_where=sa.text("status = 'over' AND counted IS NULL"),
            postgresql_where=sa.text("status = 'over' AND counted IS NULL"),
        ),
    )
    op.create_table(
        "turns",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Index("turns_by_due", "due"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "used_challenges",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "chat_messages",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Index("chat_messages_by_guest", "guest", "table_id"),
        sqlite_with_rowid=False,
    )
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
        sa.Index(
            "entries_by_guest",
            "guest",
            "table_id",
            sqlite_where=sa.text("guest <> ''"),
            postgresql_where=sa.text("guest <> ''"),
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "evening_people",
        sa.Column("evening", sa.Text, sa.ForeignKey("evenings.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("gone", sa.Boolean, nullable=False),
        sa.Index("evening_people_by_guest", "guest", "evening"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "follows",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Index("follows_by_table", "table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "owners",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Index("owners_by_guest", "guest", "changed", "table_id"),
        sqlite_with_rowid=False,
    )
