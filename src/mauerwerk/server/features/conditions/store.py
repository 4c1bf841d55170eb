"""Moves that people have prepared. Nobody else is told that there are any."""

from typing import Final

import sqlalchemy as sa

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import METADATA, TABLES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.keys import new_id

CONDITIONS: Final = sa.Table(
    "conditions",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, sa.ForeignKey(TABLES.c.id), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("tenure", sa.Integer, nullable=False),  # how often the seat had changed hands
    sa.Column("base", sa.Integer, nullable=False),  # how many moves stood when it was prepared
    sa.Column("line", sa.Text, nullable=False),  # what others do then: `1:< 2:>`
    sa.Column("word", sa.Text, nullable=False),  # what is played
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("due", sa.BigInteger),  # when it is played, once the line has happened
    sa.Index("conditions_by_table", "table_id", "seat"),
    sa.Index("conditions_by_guest", "guest"),
    sa.Index("conditions_by_due", "due"),
)

MOST: Final = 20
"""The most moves that a seat can prepare at a time."""


class Condition(Value, tag=False):
    """If others only do this, the seat plays that."""

    id: str
    table_id: str
    seat: Seat
    guest: str
    tenure: int
    base: int
    line: str
    word: str
    due: int | None


_SELECTED: Final = sa.select(
    *(CONDITIONS.c[name] for name in Condition.__struct_fields__)
).order_by(CONDITIONS.c.at, CONDITIONS.c.id)


@query
def conditions_at(
    transaction: Transaction, table: str, seat: int | None = None
) -> tuple[Condition, ...]:
    """What is prepared at a table, or at one seat of it, in the order in which it was."""
    wanted = _SELECTED.where(CONDITIONS.c.table_id == table)
    if seat is not None:
        wanted = wanted.where(CONDITIONS.c.seat == seat)
    return transaction.values(Condition, wanted)


@query
def due_conditions(transaction: Transaction, now: int) -> tuple[Condition, ...]:
    """What is to be played by now."""
    return transaction.values(Condition, _SELECTED.where(CONDITIONS.c.due <= now))


@command(by="guest")
def prepare(transaction: Transaction, made: Condition) -> bool:
    """Store a move that is prepared, instead of another for the same line; False: too many."""
    same = (CONDITIONS.c.table_id == made.table_id) & (CONDITIONS.c.seat == made.seat)
    transaction.remove(CONDITIONS, same & (CONDITIONS.c.line == made.line))
    if transaction.count(CONDITIONS, same) >= MOST:
        return False
    values = {name: getattr(made, name) for name in Condition.__struct_fields__}
    transaction.insert(CONDITIONS, **{**values, "id": new_id(), "at": transaction.now})
    return True


@command(by="guest")
def drop(transaction: Transaction, id_: str, table: str, seat: int) -> None:
    """Prepare it no longer."""
    own = (CONDITIONS.c.table_id == table) & (CONDITIONS.c.seat == seat)
    transaction.remove(CONDITIONS, own & (CONDITIONS.c.id == id_))


@command(by="server")
def lapse(transaction: Transaction, ids: tuple[str, ...]) -> None:
    """Forget what can no longer happen, or was played."""
    transaction.remove(CONDITIONS, CONDITIONS.c.id.in_(ids))


@command(by="server")
def set_due(transaction: Transaction, id_: str, due: int | None) -> None:
    """Say when it is played: its line has happened, or was taken back."""
    transaction.execute(sa.update(CONDITIONS).where(CONDITIONS.c.id == id_).values(due=due))
