"""The database tables of notifications: preferences, devices, turns, and the outbox."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA

PREFERENCES: Final = sa.Table(
    "notification_preferences",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("pace", sa.Text, nullable=False),  # now, daily or never
    sa.Column("quiet_from", sa.Integer, nullable=False),  # minutes after midnight
    sa.Column("quiet_to", sa.Integer, nullable=False),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),  # for e-mail; empty for none
    sa.Column("confirmed", sa.BigInteger),  # when its owner confirmed the address
    sa.Column("proof", sa.Text, nullable=False),  # ends the link that confirms the address
    sa.Column("stop", sa.Text, nullable=False),  # ends the link against further e-mail
    sa.Index("notification_preferences_by_proof", "proof"),
    sa.Index("notification_preferences_by_stop", "stop"),
)

PUSH_DEVICES: Final = sa.Table(
    "push_devices",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # the hash of the address
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("endpoint", sa.Text, nullable=False),  # where its push service takes messages
    sa.Column("key", sa.Text, nullable=False),  # p256dh, by which messages are encrypted
    sa.Column("auth", sa.Text, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("device", sa.Text, nullable=False, server_default=""),  # as in `devices`, if known
    sa.Index("push_devices_by_guest", "guest", "since"),
)

TURNS: Final = sa.Table(
    "turns",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("asked", sa.BigInteger, nullable=False),  # when the question was put: which turn
    sa.Column("due", sa.BigInteger),  # when to notify; none once sent, or never mind
    sa.Column("seen", sa.BigInteger, nullable=False),  # when the guest last saw the table
    sa.Index("turns_by_due", "due"),
    sqlite_with_rowid=False,
)

OUTBOX: Final = sa.Table(
    "outbox",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("channel", sa.Text, nullable=False),  # push, email, or confirm
    sa.Column("target", sa.Text, nullable=False),  # the id of a device, or an e-mail address
    sa.Column("tables", sa.Text, nullable=False),  # JSON: the tables that it is about
    sa.Column("due", sa.BigInteger, nullable=False),  # when to send it; once done, when it was
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("lease", sa.BigInteger),  # until when the server that sends it must say how it went
    sa.Index("outbox_by_state", "state", "due"),
    sa.Index("outbox_by_guest", "guest"),
)
