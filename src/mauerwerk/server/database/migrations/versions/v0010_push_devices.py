"""Which device of a person takes pushes, so that one that is signed out takes none."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column; of those that are there it is not known."""
    op.add_column("push_devices", sa.Column("device", sa.Text, nullable=False, server_default=""))
