"""Who plays best on a server: only people who joined the leaderboard are on it."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.lab.intervals import NORMAL
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts.store import ACCOUNTS
from mauerwerk.server.features.results.ratings import Skill
from mauerwerk.server.features.results.store import RATINGS

MOST: Final = 100
"""The most people that are listed for one game."""


class Leader(Value, tag=False):
    """Somebody on the leaderboard of a game."""

    guest: str
    """Not to be told."""
    name: str
    skill: Skill
    games: int


@query
def leaders(transaction: Transaction, game: str) -> tuple[Leader, ...]:
    """The people who joined, those first who are surely good: by the low end of the interval."""
    surely = RATINGS.c.mu - NORMAL * RATINGS.c.sigma
    wanted = (
        sa.select(RATINGS, ACCOUNTS.c.name)
        .join(ACCOUNTS, ACCOUNTS.c.guest == RATINGS.c.guest)
        .where(RATINGS.c.game == game, ACCOUNTS.c.listed)
        .order_by(surely.desc(), RATINGS.c.guest)
        .limit(MOST)
    )
    return tuple(
        Leader(row.guest, row.name, Skill(row.mu, row.sigma), row.games)
        for row in transaction.execute(wanted)
    )
