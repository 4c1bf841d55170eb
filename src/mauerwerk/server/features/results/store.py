"""Counting finished games: once each, on whichever server, in one transaction.

A table that is over and not counted yet is found by an index. Its lines and the new ratings are
written with the mark that it is counted, so that no game counts twice and none is forgotten.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database import queries, rows
from mauerwerk.server.database.schema import ENTRIES, TABLES, UNCOUNTED
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.results.placings import PlayerResult, people_in
from mauerwerk.server.features.results.schema import RATINGS, RESULTS
from mauerwerk.server.tables.log import GONE, Kind

AT_ONCE: Final = 50
"""The most tables that are looked for at a time."""


class Skill(NamedTuple):
    """How strong a player is: the mean of what is believed, and its standard deviation."""

    mu: float
    sigma: float


class FinishedGame(Value, tag=False):
    """A finished game, as it is to be counted."""

    table: str
    game: str
    ended: int
    seats: int
    players: tuple[PlayerResult, ...]
    counts: tuple[Mapping[str, float], ...] = ()
    """What the game itself counts, seat by seat; empty where it counts nothing."""

    rated: Mapping[int, int] = {}
    """The places by which players are rated, by their numbers among `players`."""


class Rated(NamedTuple):
    """What a rated game did to the skill of a player."""

    before: Skill
    after: Skill


Rate = Callable[
    [str, Sequence[PlayerResult], Sequence[Skill | None], Sequence[int]], list[Rated | None]
]
"""Rates a game: its name, the players, their skills (None at first) and places; None where a player
has no rating at all."""


@queries.query
def uncounted(transaction: Transaction, most: int = AT_ONCE) -> tuple[str, ...]:
    """Finished games that are not counted yet, those first that ended first."""
    wanted = sa.select(TABLES.c.id).where(UNCOUNTED).order_by(TABLES.c.changed, TABLES.c.id)
    return tuple(row.id for row in transaction.connection.execute(wanted.limit(most)))


@queries.query
def stored_game(transaction: Transaction, table: str) -> rows.Stored | None:
    """A finished game as it is stored; None if it was deleted."""
    return transaction.load(table, lock=False)


@queries.command(by="policy")
def skip_bot_games(transaction: Transaction) -> None:
    """Mark the games of bots among themselves as counted: nobody wants to know."""
    people = sa.exists().where(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.kind == Kind.SIT)
    transaction.connection.execute(
        sa.update(TABLES).where(UNCOUNTED, ~people).values(counted=transaction.now)
    )


@queries.command(by="policy")
def count(transaction: Transaction, finished: FinishedGame, rate: Rate) -> bool:
    """Write down what everybody achieved, unless that was done before.

    One server at a time holds the transaction, so games are rated one after the other.
    """
    if not mark_counted(transaction, finished.table):
        return False
    last = transaction.connection.scalar(sa.select(sa.func.max(RESULTS.c.number))) or 0
    rated = _rated(transaction, finished, rate)
    rows = [
        {
            "table_id": finished.table,
            "line": line,
            "number": last + 1,
            "game": finished.game,
            "ended": finished.ended,
            "seats": finished.seats,
            "people": people_in(finished.players),
            "seat": each.seat,
            "guest": each.guest,
            "level": each.level,
            "place": each.place,
            "points": each.points,
            "gone": each.gone,
            **_columns(rated.get(line)),
            "counts": _counts(finished, each),
        }
        for line, each in enumerate(finished.players)
    ]
    transaction.connection.execute(sa.insert(RESULTS), rows)
    return True


def mark_counted(transaction: Transaction, table: str) -> bool:
    """Mark a finished game as counted; False if it was before, or is gone."""
    marked = transaction.connection.execute(
        sa.update(TABLES).where(TABLES.c.id == table, UNCOUNTED).values(counted=transaction.now)
    )
    return bool(marked.rowcount)


def _counts(finished: FinishedGame, player: PlayerResult) -> str:
    """What the game counted for a person who stayed."""
    known = player.guest and not player.gone and finished.counts
    return msgspec.json.encode(finished.counts[player.seat] if known else {}).decode()


# --- Ratings ---------------------------------------------------------------------------------


def _columns(rated: Rated | None) -> dict[str, float | None]:
    """Ratings as columns of a result."""
    before, after = rated or (None, None)
    return {
        "mu_before": before.mu if before else None,
        "sigma_before": before.sigma if before else None,
        "mu": after.mu if after else None,
        "sigma": after.sigma if after else None,
    }


def _rated(transaction: Transaction, finished: FinishedGame, rate: Rate) -> dict[int, Rated]:
    """What a game did to the skills of its players, by their numbers; the new ones are stored."""
    if not finished.rated:
        return {}
    lines = sorted(finished.rated)
    players = [finished.players[line] for line in lines]
    held = [skill_of(transaction, finished.game, each.guest) for each in players]
    found = rate(finished.game, players, held, [finished.rated[line] for line in lines])
    for each, rated in zip(players, found, strict=True):
        if rated and each.guest and each.guest != GONE:
            store_skill(transaction, finished.game, each.guest, rated.after, finished.ended)
    return {line: rated for line, rated in zip(lines, found, strict=True) if rated}


def skill_of(transaction: Transaction, game: str, guest: str) -> Skill | None:
    """How strong a guest is in a game; None before their first rated one."""
    row = transaction.connection.execute(
        sa.select(RATINGS.c.mu, RATINGS.c.sigma).where(
            RATINGS.c.game == game, RATINGS.c.guest == guest
        )
    ).first()
    return Skill(row.mu, row.sigma) if row and guest else None


def store_skill(transaction: Transaction, game: str, guest: str, skill: Skill, at: int) -> None:
    """Keep the new skill of a guest, who has played one rated game more."""
    mine = (RATINGS.c.game == game, RATINGS.c.guest == guest)
    played = transaction.connection.scalar(sa.select(RATINGS.c.games).where(*mine)) or 0
    values: dict[str, Any] = {
        "mu": skill.mu,
        "sigma": skill.sigma,
        "games": played + 1,
        "changed": at,
    }
    if played:
        transaction.connection.execute(sa.update(RATINGS).where(*mine).values(**values))
    else:
        transaction.connection.execute(sa.insert(RATINGS).values(game=game, guest=guest, **values))
