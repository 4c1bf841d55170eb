"""Tables at which somebody plays with bots until people come, and people who are about to come.

A person who comes takes over a bot's seat at the next round, or in the next game. Until then only a
row says so; nothing of it is in the log of the table.
"""

from collections.abc import Collection
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Seat, Value
from mauerwerk.games import GAMES
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA, NAMED, OWNERS, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.tables.charter import Chair, Charter, Guest
from mauerwerk.server.tables.table import Card, Status

LOOKING: Final = sa.Table(
    "looking",
    METADATA,
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),  # who looks for people to play with
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Index("looking_by_guest", "guest"),
    sqlite_with_rowid=False,
)

ARRIVALS: Final = sa.Table(
    "arrivals",
    METADATA,
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("guest", sa.Text, nullable=False, info={NAMED: True}),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Index("arrivals_by_guest", "guest"),
    sqlite_with_rowid=False,
)


class Arrival(Value, tag=False):
    """Somebody who is about to take over a bot's seat."""

    seat: Seat
    guest: str
    name: str
    since: int


class Search(Value, tag=False):
    """Whether people are looked for at a table, since when, and who is about to come."""

    since: int | None = None
    arrivals: tuple[Arrival, ...] = ()


def bot_seats(chairs: Collection[Chair], card: Card) -> tuple[Seat, ...]:
    """The seats at which a bot plays only until a person comes."""
    seats = enumerate(zip(chairs, card.names, card.levels, strict=True))
    return tuple(
        Seat(seat)
        for seat, (chair, name, level) in seats
        if chair.kind == "open" and level and not name
    )


@query
def search_at(transaction: Transaction, table: str) -> Search:
    """Who is looked for at a table, and who comes."""
    wanted = sa.select(LOOKING.c.since).where(LOOKING.c.table_id == table)
    coming = (
        sa.select(ARRIVALS.c.seat, ARRIVALS.c.guest, ARRIVALS.c.name, ARRIVALS.c.since)
        .where(ARRIVALS.c.table_id == table)
        .order_by(ARRIVALS.c.since, ARRIVALS.c.seat)
    )
    return Search(transaction.scalar(wanted), transaction.values(Arrival, coming))


@query
def people_looking(transaction: Transaction) -> int:
    """How many people wait at listed tables, or play with bots until somebody comes.

    Each person counts once, at however many tables they are.
    """
    known = TABLES.c.game.in_(tuple(GAMES))
    is_open = (TABLES.c.status == Status.OPEN.value) & TABLES.c.public
    waiting = sa.select(OWNERS.c.guest).join(TABLES).where(is_open, known)
    running = TABLES.c.status == Status.RUNNING.value
    playing = sa.select(LOOKING.c.guest).join(TABLES).where(running, known)
    everybody = sa.union(waiting, playing).subquery()
    return int(transaction.scalar(sa.select(sa.func.count()).select_from(everybody)) or 0)


@query
def awaited_tables(transaction: Transaction) -> tuple[str, ...]:
    """The tables to which somebody is about to come."""
    return tuple(transaction.execute(sa.select(ARRIVALS.c.table_id).distinct()).scalars())


@command(by="matchmaking")
def start_looking(transaction: Transaction, table: str, guest: str) -> None:
    """Look for people at this table from now on."""
    stop_looking(transaction, table)
    transaction.insert(LOOKING, table_id=table, guest=guest, since=transaction.now)


@command(by="matchmaking")
def stop_looking(transaction: Transaction, table: str) -> None:
    """Look no longer. Somebody who has been told that they may come still may."""
    transaction.remove(LOOKING, LOOKING.c.table_id == table)


@command(by="matchmaking")
def come(transaction: Transaction, table: str, guest: Guest) -> Seat | None:
    """Let a guest take over a bot's seat at a table that looks; None where there is none left."""
    known = search_at(transaction, table)
    for each in known.arrivals:
        if each.guest == guest.id:
            return each.seat
    row = transaction.execute(
        sa.select(TABLES.c.card, TABLES.c.charter).where(
            TABLES.c.id == table, TABLES.c.status == Status.RUNNING.value
        )
    ).first()
    if row is None or known.since is None:
        return None
    chairs = msgspec.json.decode(row.charter, type=Charter).chairs
    taken = {each.seat for each in known.arrivals}
    free = [
        seat
        for seat in bot_seats(chairs, msgspec.json.decode(row.card, type=Card))
        if seat not in taken
    ]
    if not free:
        return None
    values = {"guest": guest.id, "name": guest.name, "since": transaction.now}
    transaction.insert(ARRIVALS, table_id=table, seat=free[0], **values)
    if len(free) == 1:
        stop_looking(transaction, table)
    return free[0]


@command(by="matchmaking")
def stay_away(transaction: Transaction, table: str, guest: str) -> None:
    """A guest does not come after all, or has come."""
    transaction.remove(ARRIVALS, (ARRIVALS.c.table_id == table) & (ARRIVALS.c.guest == guest))
