"""People who look for a game, and invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "seeks",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("opens", sa.Boolean, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
    op.create_index("seeks_by_since", "seeks", ["since"])
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("inviter", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("invitations_by_guest", "invitations", ["guest", "at"])
    op.create_index("invitations_by_inviter", "invitations", ["inviter", "at"])
    op.create_table(
        "uninvited",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("other", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_index("uninvited_by_other", "uninvited", ["other"])
