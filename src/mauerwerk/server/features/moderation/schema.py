"""The database tables of what the people who run a server decide."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA

BLOCKS: Final = sa.Table(
    "blocks",
    METADATA,
    sa.Column("kind", sa.Text, primary_key=True),  # guest, or network
    sa.Column("what", sa.Text, primary_key=True),  # the id of a guest, or a network such as ::/64
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger),  # for ever, where there is no end
)

REPORTS: Final = sa.Table(
    "reports",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("table_id", sa.Text, nullable=False),  # which may be deleted by now
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer),  # none, where the whole table is reported
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),  # name, behaviour, table, chat
    sa.Column("text", sa.Text, nullable=False),  # what the reporter adds
    sa.Column("said", sa.Text, nullable=False),  # what was said at the table, for chat
    sa.Column("reporter", sa.Text, nullable=False),
    sa.Column("reporter_name", sa.Text, nullable=False),
    sa.Column("resolved", sa.Text, nullable=False),  # empty until dealt with
    sa.Index("reports_by_state", "resolved", "at"),
    sa.Index("reports_by_guest", "guest", "at"),
)
