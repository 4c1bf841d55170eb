"""Ratings worked out again from the results, and results compared with the logs.

Results hold what each game did to the ratings and in which order games were counted. So ratings can
be made anew at any time, also of games whose logs are no longer kept.
"""

from collections.abc import Iterator
from math import isclose
from typing import Any, Final

import sqlalchemy as sa

from mauerwerk.core.game import Seat
from mauerwerk.server.database.schema import TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.results.placings import PlayerResult, results_of
from mauerwerk.server.features.results.schema import RATINGS, RESULTS
from mauerwerk.server.features.results.store import Rate, Skill
from mauerwerk.server.tables import errors, folding, log

CLOSE: Final = 1e-6
"""How exactly a rating is the same on another machine."""

Ratings = dict[tuple[str, str], tuple[Skill, int, int]]
"""Skill, number of games and time of the last one, by game and guest."""


def recomputed(connection: sa.Connection, rate: Rate) -> Ratings:
    """The ratings that follow from the results, game by game in the order of counting."""
    found: Ratings = {}
    wanted = sa.select(RESULTS).where(RESULTS.c.mu.is_not(None))
    ordered = wanted.order_by(RESULTS.c.number, RESULTS.c.line)
    for rows in _games(connection, ordered):
        game = rows[0].game
        players = [_player(row) for row in rows]
        held = [
            Skill(row.mu_before, row.sigma_before)
            if row.guest == log.GONE
            else found[game, row.guest][0]
            if (game, row.guest) in found
            else None
            for row in rows
        ]
        places = [row.place or row.seats + 1 for row in rows]
        for row, rated in zip(rows, rate(game, players, held, places), strict=True):
            if rated and row.guest not in {"", log.GONE}:
                games = found[game, row.guest][1] if (game, row.guest) in found else 0
                found[game, row.guest] = (rated.after, games + 1, row.ended)
    return found


def _games(connection: sa.Connection, ordered: "sa.Select[Any]") -> "Iterator[list[sa.Row[Any]]]":
    game: list[sa.Row[Any]] = []
    for row in connection.execute(ordered):
        if game and game[0].number != row.number:
            yield game
            game = []
        game.append(row)
    if game:
        yield game


def _player(row: "sa.Row[Any]") -> PlayerResult:
    return PlayerResult(Seat(row.seat), row.guest, row.level, row.place, row.points, row.gone)


def recompute_ratings(transaction: Transaction, rate: Rate) -> int:
    """Write the ratings anew; how many there are."""
    found = recomputed(transaction.connection, rate)
    transaction.connection.execute(sa.delete(RATINGS))
    for (game, guest), (skill, games, changed) in found.items():
        transaction.connection.execute(
            sa.insert(RATINGS).values(
                game=game,
                guest=guest,
                mu=skill.mu,
                sigma=skill.sigma,
                games=games,
                changed=changed,
            )
        )
    return len(found)


def rating_faults(connection: sa.Connection, rate: Rate) -> Iterator[str]:
    """Ratings that do not follow from the results."""
    right = recomputed(connection, rate)
    kept = {
        (row.game, row.guest): (Skill(row.mu, row.sigma), row.games)
        for row in connection.execute(sa.select(RATINGS))
    }
    for which in sorted({*right, *kept}):
        if which not in right or which not in kept:
            yield f"the rating of a guest at {which[0]} does not follow from the results"
            continue
        (skill, games, _), (stored, played) = right[which], kept[which]
        same = all(isclose(a, b, abs_tol=CLOSE) for a, b in zip(skill, stored, strict=True))
        if not same or games != played:
            yield f"the rating of a guest at {which[0]} does not follow from the results"


def result_faults(transaction: Transaction) -> Iterator[str]:
    """Results that do not follow from the log of their table, as far as it is kept whole."""
    whole = sa.select(TABLES.c.id).where(TABLES.c.counted.is_not(None), TABLES.c.thinned.is_(None))
    for table in transaction.connection.scalars(whole.order_by(TABLES.c.id)).all():
        rows = transaction.connection.execute(
            sa.select(RESULTS).where(RESULTS.c.table_id == table).order_by(RESULTS.c.line)
        ).all()
        stored = transaction.load(table, lock=False)
        if not rows or stored is None:
            continue  # a game of bots
        try:
            players = results_of(folding.fold(stored.charter, stored.entries))
        except errors.OtherRulesError:
            continue
        said = [(row.seat, row.level, row.place, row.points, row.gone) for row in rows]
        right = [(each.seat, each.level, each.place, each.points, each.gone) for each in players]
        if said != right:
            yield f"{table}: the results are not those of the game"
