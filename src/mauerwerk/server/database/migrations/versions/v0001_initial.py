"""The first schema. No database is older: a new one is made from `schema.METADATA`."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Change nothing."""
