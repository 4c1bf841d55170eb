"""Puzzles that were cut from public games of this server, without the names of their players."""

from datetime import UTC, date, datetime, time
from typing import Final

import msgspec
import sqlalchemy as sa

from mauerwerk.lab.analysis.puzzles import Puzzle
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA
from mauerwerk.server.database.transaction import Transaction

PUZZLES: Final = sa.Table(
    "puzzles",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Index("puzzles_by_time", "at"),
)
MOST: Final = 300
"""How many are kept; beyond that, the oldest go."""


@command(by="puzzles")
def add(transaction: Transaction, game: str, puzzles: tuple[Puzzle, ...]) -> None:
    """Keep the puzzles of a game with this fingerprint, which may be known already."""
    for puzzle in puzzles:
        name = f"{game}-{puzzle.at}"
        if not transaction.has(PUZZLES, PUZZLES.c.id == name):
            content = msgspec.json.encode(puzzle)
            transaction.insert(PUZZLES, id=name, at=transaction.now, content=content)
    latest = sa.select(PUZZLES.c.id).order_by(PUZZLES.c.at.desc(), PUZZLES.c.id)
    old = transaction.scalars(latest.offset(MOST)).all()
    if old:
        transaction.remove(PUZZLES, PUZZLES.c.id.in_(old))


@query
def before(transaction: Transaction, day: date) -> tuple[Puzzle, ...]:
    """Those that there were when this day began, the oldest first."""
    began = int(datetime.combine(day, time(), UTC).timestamp() * 1_000)
    wanted = sa.select(PUZZLES.c.content).where(PUZZLES.c.at < began)
    contents = transaction.scalars(wanted.order_by(PUZZLES.c.at, PUZZLES.c.id))
    return tuple(msgspec.json.decode(each, type=Puzzle) for each in contents)
