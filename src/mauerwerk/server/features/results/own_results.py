"""What a guest achieved: finished games page by page, sums for figures, and whom they played."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.database.queries import query
from mauerwerk.server.database.schema import OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.results.schema import RATINGS, RESULTS
from mauerwerk.server.features.results.store import Skill
from mauerwerk.server.tables.log import GONE
from mauerwerk.server.tables.table import Card, Status

MOST_SUMMED: Final = 5_000
"""The newest games from which figures are made."""

DIGITS: Final = 15
"""The most of a time in milliseconds."""

MOST_MET: Final = 400
"""The newest games in which people are looked for whom a guest has met."""


class OwnResult(Value, tag=False):
    """A finished game of a guest."""

    table: str
    game: str
    ended: int
    seats: int
    own: tuple[Seat, ...]
    """Where they sat; several, if they played for several."""

    place: int | None
    """The best place of theirs; None where nobody won, or they had left."""

    points: int | None
    gone: bool
    rated: bool
    card: Card | None
    """None, if the game is no longer kept."""


class OwnLine(Value, tag=False):
    """What figures are made from: one seat in one finished game."""

    game: str
    seats: int
    people: int
    place: int | None
    points: int | None
    gone: bool
    counts: dict[str, float]


class Met(Value, tag=False):
    """Somebody whom a guest has played with."""

    guest: str
    """Not to be told."""

    name: str
    games: int


class Wanted(Value, tag=False):
    """Which finished games are asked for."""

    game: str = ""
    other: str = ""
    """The id of a guest who played, too."""

    since: int = 0
    before: tuple[int, str] | None = None
    """The game after which a page begins: when it ended, and its table."""


def place_in(said: str) -> tuple[int, str] | None:
    """Where a page begins, such as `1700000000000-TABLE`; None for anything else.

    >>> place_in("17-abc"), place_in("x-abc")
    ((17, 'abc'), None)
    """
    ended, _, table = said.partition("-")
    fine = ended.isascii() and ended.isdecimal() and len(ended) <= DIGITS
    return (int(ended), table) if fine else None


@query
def finished(
    transaction: Transaction, guest: str, wanted: Wanted, most: int
) -> tuple[tuple[OwnResult, ...], int]:
    """A page of a guest's finished games, newest first, and how many there are in all."""
    mine = (*_filters(guest, wanted),)
    games = sa.select(RESULTS.c.ended, RESULTS.c.table_id).where(*mine).distinct()
    total = (
        transaction.connection.scalar(sa.select(sa.func.count()).select_from(games.subquery())) or 0
    )
    if wanted.before is not None:
        ended, table = wanted.before
        same = sa.and_(RESULTS.c.ended == ended, RESULTS.c.table_id < table)
        games = games.where(sa.or_(RESULTS.c.ended < ended, same))
    page = games.order_by(RESULTS.c.ended.desc(), RESULTS.c.table_id.desc()).limit(most)
    found = [row.table_id for row in transaction.connection.execute(page)]
    lines = (
        sa.select(RESULTS, TABLES.c.card)
        .join(TABLES, TABLES.c.id == RESULTS.c.table_id, isouter=True)
        .where(RESULTS.c.guest == guest, RESULTS.c.table_id.in_(found))
        .order_by(RESULTS.c.line)
    )
    by_table: dict[str, list[sa.Row[Any]]] = {table: [] for table in found}
    for row in transaction.connection.execute(lines):
        by_table[row.table_id].append(row)
    return tuple(_result(rows) for rows in by_table.values()), total


def _filters(guest: str, wanted: Wanted) -> "list[sa.ColumnElement[bool]]":
    filters = [RESULTS.c.guest == guest, RESULTS.c.ended >= wanted.since]
    if wanted.game:
        filters.append(RESULTS.c.game == wanted.game)
    if wanted.other:
        others = RESULTS.alias()
        theirs = sa.select(others.c.table_id).where(others.c.guest == wanted.other)
        filters.append(RESULTS.c.table_id.in_(theirs))
    return filters


def _result(rows: "list[sa.Row[Any]]") -> OwnResult:
    best = min(rows, key=lambda row: (row.place is None, row.place))
    return OwnResult(
        table=best.table_id,
        game=best.game,
        ended=best.ended,
        seats=best.seats,
        own=tuple(Seat(row.seat) for row in rows),
        place=best.place,
        points=best.points,
        gone=best.gone,
        rated=best.mu is not None,
        card=msgspec.json.decode(best.card, type=Card) if best.card else None,
    )


@query
def unfinished_of(transaction: Transaction, guest: str) -> tuple[Card, ...]:
    """The tables of a guest that are open or running, the last changed first."""
    theirs = sa.select(OWNERS.c.table_id).where(OWNERS.c.guest == guest)
    wanted = (
        sa.select(TABLES.c.card)
        .where(TABLES.c.id.in_(theirs), TABLES.c.status != Status.OVER)
        .order_by(TABLES.c.changed.desc(), TABLES.c.id.desc())
    )
    rows = transaction.connection.execute(wanted)
    return tuple(msgspec.json.decode(row.card, type=Card) for row in rows)


@query
def lines_of(transaction: Transaction, guest: str) -> tuple[OwnLine, ...]:
    """What the figures of a guest are made from, the newest games."""
    wanted = sa.select(RESULTS).where(RESULTS.c.guest == guest)
    rows = transaction.connection.execute(
        wanted.order_by(RESULTS.c.ended.desc()).limit(MOST_SUMMED)
    )
    return tuple(
        OwnLine(
            game=row.game,
            seats=row.seats,
            people=row.people,
            place=row.place,
            points=row.points,
            gone=row.gone,
            counts=msgspec.json.decode(row.counts, type=dict[str, float]),
        )
        for row in rows
    )


@query
def skills_of(transaction: Transaction, guest: str) -> dict[str, Skill]:
    """How strong a guest is, by game."""
    wanted = sa.select(RATINGS).where(RATINGS.c.guest == guest)
    return {row.game: Skill(row.mu, row.sigma) for row in transaction.connection.execute(wanted)}


@query
def people_met(transaction: Transaction, guest: str) -> tuple[Met, ...]:
    """The people with whom a guest has finished games, those met last first."""
    mine = (
        sa.select(RESULTS.c.table_id)
        .where(RESULTS.c.guest == guest)
        .order_by(RESULTS.c.ended.desc())
        .limit(MOST_MET)
    )
    wanted = (
        sa.select(RESULTS.c.guest, RESULTS.c.seat, RESULTS.c.gone, TABLES.c.card)
        .join(TABLES, TABLES.c.id == RESULTS.c.table_id)
        .where(RESULTS.c.table_id.in_(mine), RESULTS.c.guest.not_in(["", GONE, guest]))
        .order_by(RESULTS.c.ended.desc())
    )
    met: dict[str, Met] = {}
    for row in transaction.connection.execute(wanted):
        if (known := met.get(row.guest)) is not None:
            met[row.guest] = msgspec.structs.replace(known, games=known.games + 1)
        elif not row.gone:  # the table no longer names a player who left
            names = msgspec.json.decode(row.card, type=Card).names
            met[row.guest] = Met(guest=row.guest, name=names[int(row.seat)], games=1)
    return tuple(met.values())


@query
def first_seen(transaction: Transaction, guest: str) -> int | None:
    """When a guest's first game ended that is kept."""
    wanted = sa.select(sa.func.min(RESULTS.c.ended)).where(RESULTS.c.guest == guest)
    found: int | None = transaction.connection.scalar(wanted)
    return found
