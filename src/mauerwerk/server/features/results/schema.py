"""The database tables of what players achieved: a line for each game and player, and ratings."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.schema import METADATA

RESULTS: Final = sa.Table(
    "results",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),  # which may be deleted by now
    sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, nullable=False),  # games are counted in this order
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("people", sa.Integer, nullable=False),  # how many different ones played
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("guest", sa.Text, nullable=False),  # empty for a bot
    sa.Column("level", sa.Text, nullable=False),  # of a bot; empty for a person
    sa.Column("place", sa.Integer),  # none, where nobody won or the player had left
    sa.Column("points", sa.Integer),
    sa.Column("gone", sa.Boolean, nullable=False),  # left before the end
    sa.Column("mu_before", sa.Float),  # the rating, where the game was rated
    sa.Column("sigma_before", sa.Float),
    sa.Column("mu", sa.Float),  # and after it
    sa.Column("sigma", sa.Float),
    sa.Column("counts", sa.Text, nullable=False),  # JSON: what the game itself counts
    sa.Index("results_by_guest", "guest", "ended", "table_id"),
    sa.Index("results_by_number", "number"),
    sqlite_with_rowid=False,
)

RATINGS: Final = sa.Table(
    "ratings",
    METADATA,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Index("ratings_by_guest", "guest"),
)
