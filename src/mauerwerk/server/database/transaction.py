"""One transaction of a database: what storage functions read and write with.

    with transaction_at(place, by="command") as transaction:
        moderation.block(transaction, Blocked.GUEST, guest, "insults", until=None)

All of it is written, or nothing.
"""

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.util import LRUCache

from mauerwerk.server.database import schema
from mauerwerk.server.database.rows import Batch, Stored, entries_of, stored_of
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables.log import Entry
from mauerwerk.server.tables.table import Card

WRITING: Final = 0x72756C65
"""The advisory lock of transactions, so that audit entries are committed in order of their ids."""

_Row = TypeVar("_Row")


class Transaction:
    """A connection in a transaction, the time at which it began, and who acts."""

    def __init__(self, connection: sa.Connection, by: str, now: int) -> None:
        """`by` names the actor in the audit log."""
        self.connection = connection
        self.execute = connection.execute
        self.scalar, self.scalars = connection.scalar, connection.scalars
        self.now = now
        self._by = by
        self.audited = False
        """Whether it has added to the audit log."""
        self.is_restoring = False
        """Whether it does again what is written down already."""

    def values(self, kind: type[_Row], wanted: "sa.Select[*tuple[Any, ...]]") -> tuple[_Row, ...]:
        """What a query finds, as values whose fields are its columns."""
        rows = self.execute(wanted)
        return tuple(msgspec.convert(row, kind, from_attributes=True) for row in rows)

    def value(self, kind: type[_Row], wanted: "sa.Select[*tuple[Any, ...]]") -> _Row | None:
        """The first of them; None if there is none."""
        return next(iter(self.values(kind, wanted)), None)

    def cards(self, wanted: "sa.Select[str]") -> tuple[Card, ...]:
        """The cards that a query finds."""
        return tuple(msgspec.json.decode(card, type=Card) for card in self.scalars(wanted))

    def has(self, rows: sa.Table, /, *where: "sa.ColumnElement[bool]") -> bool:
        """Whether there is a row for which all of this holds."""
        return bool(self.scalar(sa.select(sa.exists().select_from(rows).where(*where))))

    def count(self, rows: sa.Table, /, *where: "sa.ColumnElement[bool]") -> int:
        """The number of rows for which all of this holds."""
        return self.scalar(sa.select(sa.func.count()).select_from(rows).where(*where)) or 0

    def insert(self, into: sa.Table, /, **values: object) -> None:
        """Add a row."""
        self.execute(sa.insert(into).values(**values))

    def update(
        self, rows: sa.Table, /, *where: "sa.ColumnExpressionArgument[bool]", **values: object
    ) -> int:
        """Change the rows for which all of this holds; how many there are."""
        return self.execute(sa.update(rows).where(*where).values(**values)).rowcount

    def remove(self, rows: sa.Table, /, *where: "sa.ColumnElement[bool]") -> int:
        """Delete the rows for which all of this holds; how many there were."""
        return self.execute(sa.delete(rows).where(*where)).rowcount

    def state(self, name: str) -> bytes:
        """What servers keep under this name; empty for nothing."""
        wanted = sa.select(schema.SERVER_STATE.c.value)
        return bytes(self.scalar(wanted.where(schema.SERVER_STATE.c.name == name)) or b"")

    def set_state(self, name: str, value: bytes) -> None:
        """Keep this under the name; nothing, if it is empty."""
        self.remove(schema.SERVER_STATE, schema.SERVER_STATE.c.name == name)
        if value:
            self.insert(schema.SERVER_STATE, name=name, value=value)

    def audit(self, action: str, what: str, detail: str) -> None:
        """Add a line to the audit log."""
        last = self.scalar(sa.select(sa.func.max(schema.AUDIT.c.id))) or 0
        values = {"at": self.now, "by": self._by, "what": what, "detail": detail}
        self.execute(sa.insert(schema.AUDIT).values(id=last + 1, action=action, **values))
        self.audited = True

    def remember(self, what: str, given: Mapping[str, object]) -> None:
        """Write down a decision that must hold also after a backup from before it is restored."""
        if self.is_restoring:
            return
        last = self.scalar(sa.select(sa.func.max(schema.DECISIONS.c.number))) or 0
        said = msgspec.json.encode(given).decode()
        values = {"id": new_id(), "number": last + 1, "at": self.now, "what": what, "given": said}
        self.insert(schema.DECISIONS, **values)

    def load(self, table: str, *, lock: bool = True) -> Stored | None:
        """A table as it is stored; if it is locked, nobody changes it meanwhile."""
        wanted = sa.select(*schema.STORED).where(schema.TABLES.c.id == table)
        row = self.execute(wanted.with_for_update() if lock else wanted).first()
        return None if row is None else stored_of(tuple(row), self.log(table))

    def log(self, table: str) -> tuple[Entry, ...]:
        """The log of a table, of which the record has the moves if it was thinned."""
        log = sa.select(*list(schema.ENTRIES.c)[1:]).where(schema.ENTRIES.c.table_id == table)
        rows = self.execute(log.order_by(schema.ENTRIES.c.seq))
        return entries_of([tuple(each) for each in rows])

    def put(self, batch: Batch) -> None:
        """Write what a request writes. Raises OvertakenError."""
        say = schema.statements_for(self.connection.dialect.name)
        say.write(self.connection.connection, [batch])

    def delete(self, table: str) -> bool:
        """Delete a table with all that belongs to it; False if there is none."""
        for owned in reversed(schema.METADATA.sorted_tables):
            if schema.belongs_to_table(owned):
                self.execute(sa.delete(owned).where(owned.c.table_id == table))
        gone = self.execute(sa.delete(schema.TABLES).where(schema.TABLES.c.id == table))
        return bool(gone.rowcount)


BEGIN_READING: Final = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"}
BEGIN_WRITING: Final = {"sqlite": "BEGIN IMMEDIATE"}
"""In SQLite nobody else writes from the first read on, or this could not write after them."""


TRANSLATED: Final = LRUCache[Any, Any](1_000)
"""Statements as SQLite knows them. To translate one takes longer than to run it."""


@cache
def _sqlite(address: str) -> sa.Dialect:
    """The dialect of all files, since one library reads them: so they share what is translated."""
    engine = sa.create_engine(address)
    with engine.connect():  # it asks the library what it can do
        pass
    engine.dispose()
    return engine.dialect


def engine_by(database: str, connect: Callable[[], Any], **pool: Any) -> sa.Engine:  # noqa: ANN401 - as SQLAlchemy has them
    """A database for SQLAlchemy, with connections on which every statement stands alone.

    So the same connections also serve without SQLAlchemy, and a transaction begins as its options
    say. All of it is one, tables too.
    """
    address = schema.DIALECTS[database][0]
    engine = sa.create_engine(address, creator=connect, **pool)
    if database == "sqlite":
        engine.dialect = _sqlite(address)
        engine.update_execution_options(compiled_cache=TRANSLATED)

    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))

    event.listen(engine, "begin", begin)
    return engine


@contextmanager
def reading(engine: sa.Engine) -> Generator[Transaction, None, None]:
    """A transaction that sees one moment of a database, and changes nothing."""
    with _begun(engine, BEGIN_READING) as connection:
        yield Transaction(connection, "", milliseconds())


@contextmanager
def writing(
    engine: sa.Engine, *, by: str, now: int | None = None
) -> Generator[Transaction, None, None]:
    """A transaction that is committed at the end; servers may use the database meanwhile."""
    with _begun(engine, BEGIN_WRITING) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(WRITING)))
        yield Transaction(connection, by, milliseconds() if now is None else now)


@contextmanager
def _begun(engine: sa.Engine, begin: Mapping[str, str]) -> Generator[sa.Connection, None, None]:
    statement = begin.get(engine.dialect.name, "BEGIN")
    with engine.connect().execution_options(begin=statement) as connection, connection.begin():
        yield connection


def milliseconds() -> int:
    """The time, since 1970."""
    return int(time.time() * 1_000)
