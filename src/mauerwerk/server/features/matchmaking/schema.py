"""The database tables of people who look for a game, and of invitations."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA, NAMED

SEEKS: Final = sa.Table(
    "seeks",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False),  # where they were sent; it may be gone by now
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("opens", sa.Boolean, nullable=False),  # whether the table is set up for them
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Index("seeks_by_since", "since"),
)

INVITATIONS: Final = sa.Table(
    "invitations",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),  # who is invited
    sa.Column("inviter", sa.Text, nullable=False, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),  # of the inviter
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("invitations_by_guest", "guest", "at"),
    sa.Index("invitations_by_inviter", "inviter", "at"),
)

REFUSED_INVITERS: Final = sa.Table(
    "refused_inviters",
    METADATA,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column(
        "other", sa.Text, primary_key=True, info={NAMED: True}
    ),  # from whom they want none; empty: from nobody
    sa.Column("name", sa.Text, nullable=False),  # of the other, as they knew them
    sa.Index("refused_inviters_by_other", "other"),
)
