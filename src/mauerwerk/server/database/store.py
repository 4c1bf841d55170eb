"""A store: what a server asks of a database, whichever it is.

    store = store_at("postgresql://...")    # or a folder, in which a file mauerwerk.db is made

What is written is on disk when the call returns. It is all of it or nothing, and nobody is told
before. Two servers that write the same entry are told apart by its number: the second gets
`OvertakenError`, reads what has come in between, and thinks again.
"""

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from mauerwerk.core.game import Seat
from mauerwerk.server.database import rows as batches
from mauerwerk.server.database import transaction as transactions
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.rows import Batch, Row, Stored
from mauerwerk.server.database.schema import Statement
from mauerwerk.server.database.transaction import Transaction, engine_by
from mauerwerk.server.database.writer import Connection, Driver, Writer, Writing
from mauerwerk.server.meter import metered
from mauerwerk.server.tables.log import Entry
from mauerwerk.server.tables.table import Card, Status

_Made = TypeVar("_Made")

THREADS: Final = 12
"""How many threads read, or carry out transactions."""

KEPT_READERS: Final = 4
"""How many of their connections are kept while nobody reads."""


LATEST: Final = 2**62
"""Later than anything: where a page begins if nothing else is said."""


class Store(ABC):
    """A database for tables: one thread that writes, a few that read.

    Cards come newest change first, a page at a time. A page begins where `changed` is less than
    `before` and has `most` cards. Where others changed in the same millisecond as the last, it has
    these too: what follows begins `before` it.
    """

    shared = False
    """Whether other processes may write, too."""

    writer: type[Writer] = Writer
    """What writes: a thread, or the event loop where there are none."""

    def __init__(self, driver: Driver, place: str | Path) -> None:
        self._driver = driver
        self.place = place
        self._say = driver.say
        self._secret = b""
        self._writer: Writer | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._reading, self._writing = self._engine(writing=False), self._engine(writing=True)
        self.on_audit: Callable[[], Awaitable[None]] | None = None
        """Called after every transaction of this process that added to the audit log."""

    def _engine(self, *, writing: bool) -> sa.Engine:
        """The database for SQLAlchemy. It keeps connections, since opening one takes long."""
        return engine_by(
            self._driver.database,
            partial(self._driver.connect, writing=writing),
            poolclass=QueuePool,
            pool_size=1 if writing else KEPT_READERS,
            max_overflow=-1,
            pool_use_lifo=True,  # so that most is read by one, and the others stay small
            pool_pre_ping=writing,
            pool_reset_on_return=None,  # nothing is open then: every transaction is ended
        )

    @abstractmethod
    def _migrate(self) -> bytes:
        """Take the database, bring it up to date, and fetch the server's secret."""

    async def open(self) -> None:
        """Connect, and bring an older schema up to date. Raises SchemaError for a newer one."""
        try:
            self._secret = await asyncio.to_thread(self._migrate)
        except StorageError:
            raise
        except Exception as fault:
            raise self._driver.failure(fault) from fault
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mauerwerk-store")
        self._writer = self.writer(self._driver, asyncio.get_running_loop())

    async def close(self) -> None:
        """Finish what was begun, and let go of the database."""
        threads, self._threads = self._threads, None
        writer, self._writer = self._writer, None
        self.on_audit = None
        if threads is not None:  # also what was cancelled goes on until it has a result
            await asyncio.to_thread(threads.shutdown)
        self._reading.dispose()
        self._writing.dispose()
        if writer is not None:  # goes last: at this, SQLite puts everything into the one file
            await asyncio.to_thread(writer.stop)

    async def secret(self) -> bytes:
        """The server's own key: 32 bytes, made once, the same for all servers of a database."""
        return self._secret

    async def _ask(self, statement: Statement, **given: Any) -> Sequence[Row]:  # noqa: ANN401
        return await self._run(self._fetch, statement.sql, statement.row(**given))

    async def _run(self, work: Callable[..., _Made], *given: object) -> _Made:
        if self._threads is None:
            raise StorageError("the store is closed")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, metered(work), *given)

    def _fetch(self, sql: str, row: Row) -> Sequence[Row]:
        """Rows, without SQLAlchemy; by a new connection where a kept one was broken."""
        try:
            kept = self._reading.raw_connection()
            try:
                rows = _rows(kept.dbapi_connection, sql, row)
            except Exception:  # noqa: BLE001 - what it was shows the second time
                kept.invalidate()
            else:
                kept.close()
                return rows
            with closing(self._driver.connect(writing=False)) as new:
                return _rows(new, sql, row)
        except Exception as fault:
            raise self._driver.failure(fault) from fault

    # --- Writing -----------------------------------------------------------------------------

    def put(self, batch: Batch) -> Writing:
        """Write what a request makes (`rows`).

        The future is done when it is on disk, and cannot be cancelled. Raises OvertakenError where
        another process was faster.
        """
        if self._writer is None:
            raise StorageError("the store is closed")
        return self._writer.write(batch)

    async def try_writing(self) -> None:
        """Write something that does not matter. Raises StorageError if nothing can be written."""
        with suppress(OvertakenError):  # another server has just done so
            # A health check must be able to give up, and nothing is lost if this is written later.
            await asyncio.shield(self.put(batches.probe(os.urandom(8))))

    @property
    def failures(self) -> int:
        """The number of transactions that could not be written since the store was opened."""
        return 0 if self._writer is None else self._writer.failures

    @property
    def failed_at(self) -> float:
        """When something could last not be written, in seconds since 1970; 0 if all could be."""
        return 0.0 if self._writer is None else self._writer.failed_at

    # --- Reading -----------------------------------------------------------------------------

    async def load(self, table: str, /) -> Stored | None:
        """A table with its whole log; None where there is no such table."""
        found = await self._ask(self._say.table, table=table)
        if not found:
            return None
        log = await self.entries(table, 0)
        if batches.has_gap(log):  # perhaps it has just been thinned
            found = await self._ask(self._say.table, table=table)
        return batches.stored_of(found[0], log) if found else None

    async def entries(self, table: str, start: int, /) -> tuple[Entry, ...]:
        """The log of a table from this sequence number on."""
        return batches.entries_of(await self._ask(self._say.entries, table=table, seq=start))

    async def lobby(self, status: Status, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """Public tables."""
        say = self._say
        running = (say.running, say.running_ties)
        page, ties = running if status is Status.RUNNING else (say.lobby, say.lobby_ties)
        return await self._page(page, ties, before, most, status=status.value)

    async def tables_of(self, guest: str, /, *, before: int | None, most: int) -> tuple[Card, ...]:
        """Tables at which this guest has a seat, public or not."""
        return await self._page(self._say.tables_of, self._say.ties_of, before, most, guest=guest)

    async def seats_of(self, guest: str, /, *, since: int) -> Mapping[str, tuple[Seat, ...]]:
        """The seats of this guest, by tables that have changed since that time."""
        found: dict[str, tuple[Seat, ...]] = {}
        for table, seat in await self._ask(self._say.seats_of, guest=guest, since=since):
            found[table] = (*found.get(table, ()), Seat(seat))
        return found

    async def record(self, table: str, /) -> str | None:
        """A finished game as text."""
        rows = await self._ask(self._say.record, table=table)
        return rows[0][0] if rows else None

    async def stored_by(self, opener: str, /) -> int:
        """How many bytes the tables take up that this guest opened, about."""
        ((size,),) = await self._ask(self._say.size, opener=opener)
        return int(size)

    async def due(self, before: int, /) -> tuple[str, ...]:
        """Tables that should have gone on by themselves before this time, most overdue first."""
        return tuple(table for (table,) in await self._ask(self._say.due, before=before))

    async def count(self) -> Mapping[str, int]:
        """How many tables there are of each status."""
        found: dict[str, int] = {row[0]: row[1] for row in await self._ask(self._say.count)}
        return {status.value: found.get(status.value, 0) for status in Status}

    # --- Transactions ------------------------------------------------------------------------

    async def write(self, by: str, work: Callable[[Transaction], _Made], /) -> _Made:
        """Run a function in one transaction; `by` names the actor in the audit log.

        When it returns, `on_audit` has run.
        """

        def write() -> tuple[_Made, bool]:
            with self._failing(), transactions.writing(self._writing, by=by) as transaction:
                return work(transaction), transaction.audited

        made, audited = await self._run(write)
        if audited and self.on_audit is not None:
            await self.on_audit()
        return made

    async def read(self, work: Callable[[Transaction], _Made], /) -> _Made:
        """Run a function that only reads, at one moment of the database."""

        def read() -> _Made:
            with transactions.reading(self._reading) as transaction:
                return work(transaction)

        def try_twice() -> _Made:
            with self._failing():
                try:
                    return read()
                except DBAPIError as fault:
                    if not fault.connection_invalidated:
                        raise
                return read()  # by a new connection: SQLAlchemy has let go of all that were kept

        return await self._run(try_twice)

    @contextmanager
    def _failing(self) -> Generator[None, None, None]:
        """What the database does not do is a StorageError."""
        try:
            yield
        except DBAPIError as fault:
            raise self._driver.failure(fault) from fault

    async def last_audit_entry(self) -> int:
        """The number of the last line of the audit log."""
        ((last,),) = await self._ask(self._say.last_audit_entry)
        return int(last)

    @abstractmethod
    def changes(self) -> AsyncIterator[str | None]:
        """Tables that other processes change, from the opening on, for one listener.

        None after a break, in which any of them may have been changed.
        """

    async def _page(
        self, page: Statement, ties: Statement, before: int | None, most: int, **given: str
    ) -> tuple[Card, ...]:
        """A page, and whatever changed in the same millisecond as its last table."""
        start = LATEST if before is None else before
        found = list(await self._ask(page, before=start, most=most + 1, **given))
        rows = found[:most]
        if rows and len(found) > most and found[most][1] == rows[-1][1]:
            _, changed, last = rows[-1]
            rows += await self._ask(ties, changed=changed, after=last, **given)
        return tuple(msgspec.json.decode(card, type=Card) for card, _, _ in rows)


def _rows(connection: Connection, sql: str, row: Row) -> Sequence[Row]:
    rows: Sequence[Row] = connection.execute(sql, row).fetchall()
    return rows
