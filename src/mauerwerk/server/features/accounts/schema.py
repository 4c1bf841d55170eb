"""The database tables of people who keep their games: how they are known again, and where."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA, NAMED

ACCOUNTS: Final = sa.Table(
    "accounts",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("handle", sa.Text, nullable=False),  # what their passkeys know them by; random
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),  # whether the leaderboard names them
)

PASSKEYS: Final = sa.Table(
    "passkeys",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # base64url, as the browser says it
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("label", sa.Text, nullable=False),  # the browser and system that made it
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.Index("passkeys_by_guest", "guest"),
)

RECOVERY_CODES: Final = sa.Table(
    "recovery_codes",
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),  # SHA-256; a code has 80 random bits
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Index("recovery_codes_by_guest", "guest"),
)

DEVICE_LINKS: Final = sa.Table(
    "device_links",
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),  # SHA-256 of what the link ends with
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # open, asked, allowed
    sa.Column("browser", sa.Text, nullable=False),  # SHA-256 of what the new device keeps
    sa.Column("label", sa.Text, nullable=False),  # of the new device
    sa.Column("phone", sa.Boolean, nullable=False),
    sa.Column("code", sa.Text, nullable=False),  # both devices show it
    sa.Index("device_links_by_guest", "guest"),
)

USED_CHALLENGES: Final = sa.Table(
    "used_challenges",
    METADATA,
    sa.Column("hash", sa.Text, primary_key=True),  # of something signed that is good for one use
    sa.Column("until", sa.BigInteger, nullable=False),  # it is not valid after that anyway
)
