"""Tables in a PostgreSQL database, for any number of servers.

The row of a table decides between two servers that would write the same entry. The one that commits
also tells the others, in the same transaction, which tables have changed.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

import msgspec
import psycopg
import sqlalchemy as sa
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy.pool import NullPool

from mauerwerk.server.database.errors import OvertakenError
from mauerwerk.server.database.migrations import migrate
from mauerwerk.server.database.rows import Batch, Row
from mauerwerk.server.database.schema import ENTRIES, Statement
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import engine_by
from mauerwerk.server.database.writer import Connection, Driver

Listener: TypeAlias = psycopg.AsyncConnection[tuple[Any, ...]]

CHANNEL: Final = "mauerwerk"
MIGRATING: Final = 0x6D617565
"""The advisory lock of the server that brings the schema up to date."""

HEARTBEAT: Final = 20.0
"""Seconds of silence before a listener asks whether the server is still there."""

RETRY: Final = 0.5

SETTINGS: Final = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
    "application_name": "mauerwerk",
}
"""So that a server which cannot be reached is noticed. What the address says goes before."""


TOLD_TOGETHER: Final = 200
"""How many tables one notification names at most: every server has work with each notification,
and one has less than 8,000 bytes."""

CHANGE: Final = """
    status text, changed bigint, due bigint, length integer, card text, over boolean, record text,
    size bigint, id text, start integer
"""
"""The fields of `Batch.change`."""

APPEND: Final = f"""
WITH given AS (
  SELECT * FROM json_to_recordset(%s) AS given ({CHANGE})
), following AS (
  SELECT tables.id FROM tables JOIN given ON tables.id = given.id AND tables.length = given.start
  ORDER BY tables.id FOR UPDATE OF tables
), written AS (
  UPDATE tables SET
    status = given.status, changed = given.changed, due = given.due, length = given.length,
    card = given.card,
    record = CASE WHEN given.over THEN coalesce(given.record, tables.record) END,
    size = tables.size + given.size
  FROM given JOIN following ON following.id = given.id
  WHERE tables.id = given.id
  RETURNING tables.id, tables.changed
), logged AS (
  INSERT INTO entries (table_id, seq, at, kind, seat, word, number, guest, key)
  SELECT entry.* FROM json_to_recordset(%s) AS entry (
    table_id text, seq integer, at bigint, kind text, seat integer, word text, number integer,
    guest text, key text
  )
  JOIN written ON written.id = entry.table_id
), owned AS (
  UPDATE owners SET changed = written.changed FROM written WHERE owners.table_id = written.id
)
SELECT array_agg(id), pg_notify(%s, %s || string_agg(id, ' '))
FROM (SELECT id, (row_number() OVER () - 1) / {TOLD_TOGETHER} AS part FROM written) AS parts
GROUP BY part
"""  # noqa: S608 - all of it stands here
"""Moves of many tables, from the rows of `Batch.change` and `Batch.entries`.

Tables are locked in the order of their ids, as all writers do. Where another server has continued
a log meanwhile, its length is another: those moves are left out, and the rest is written."""

CHANGE_FIELDS: Final = [field.split()[0] for field in CHANGE.split(",")]
ENTRY_FIELDS: Final = ENTRIES.columns.keys()


def address_of(url: str) -> str:
    """The address with all settings."""
    return make_conninfo("", **(SETTINGS | conninfo_to_dict(url)))


class PostgreSQLDriver(Driver):
    """PostgreSQL, in a thread."""

    database = "postgresql"
    appends_at_once = True

    def __init__(self, url: str) -> None:
        self.url = url
        self.mark = secrets.token_hex(8)
        """Tells the notices of this process from those of others."""

    def connect(self, *, writing: bool) -> Connection:
        """Connect once more."""
        connection = psycopg.connect(address_of(self.url), autocommit=True)
        if writing:
            # What is told must be on disk, and the second writer must see the first, whatever
            # else the server is used for.
            try:
                connection.execute("SET default_transaction_isolation TO 'read committed'")
                connection.execute(
                    "SELECT set_config('synchronous_commit', 'on', false)"
                    " WHERE current_setting('synchronous_commit') = 'off'"
                )
            except psycopg.Error:  # the database may be gone again
                connection.close()
                raise
        return connection

    def refusal(self, fault: Exception, /) -> Exception | None:
        """A key that is taken, or values that cannot be kept."""
        match fault:
            case psycopg.errors.UniqueViolation():
                return OvertakenError(_one_line(fault))
            case psycopg.OperationalError() | psycopg.InterfaceError() | psycopg.InternalError():
                return None
            case _:
                return self.failure(fault)

    def append(self, connection: Connection, batches: Sequence[Batch], /) -> Collection[str]:
        """Write moves in one statement, and in one message with the beginning of a transaction."""
        changes = [batch.change for batch in batches if batch.change]
        entries = [row for batch in batches for row in batch.entries]
        given = (_json(CHANGE_FIELDS, changes), _json(ENTRY_FIELDS, entries))
        with connection.pipeline():
            connection.execute("BEGIN")
            written = connection.execute(APPEND, (*given, CHANNEL, f"{self.mark} "))
            return {table for tables, _ in written.fetchall() for table in tables}

    def announce(self, connection: Connection, tables: Sequence[str], /) -> None:
        """Notify all listeners; the server does so after the commit."""
        for start in range(0, len(tables), TOLD_TOGETHER):
            told = " ".join((self.mark, *tables[start : start + TOLD_TOGETHER]))
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, told))

    def describe(self, cause: object, /) -> str:
        """What is wrong; the address stays out of it, since there is a password in it."""
        return f"PostgreSQL: {_one_line(cause)}"


class PostgreSQLStore(Store):
    """Tables that several processes share."""

    shared = True

    def __init__(self, url: str) -> None:
        driver = PostgreSQLDriver(url)
        super().__init__(driver, url)
        self._url = url
        self._mark = driver.mark
        self._listening: asyncio.Task[None] | None = None
        self._changed: dict[str | None, None] = {}
        self._rung = asyncio.Event()

    def _migrate(self) -> bytes:
        with engine_at(self._url).begin() as connection:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            return migrate(connection)

    async def open(self) -> None:
        """Connect, and listen to what others change from now on."""
        await super().open()
        try:
            listener = await self._listener()
        except psycopg.Error as fault:
            await super().close()
            raise self._driver.failure(fault) from fault
        self._listening = asyncio.create_task(self._listen_on(listener))

    async def close(self) -> None:
        """Write what waits, then let go."""
        await super().close()
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
            self._listening = None

    async def _ask(self, statement: Statement, **given: Any) -> Sequence[Row]:  # noqa: ANN401
        """Nothing, for what a text cannot hold here: nobody has stored any of that."""
        if any(isinstance(value, str) and "\0" in value for value in given.values()):
            return ()
        return await super()._ask(statement, **given)

    # --- Hearing of others -------------------------------------------------------------------

    async def changes(self) -> AsyncIterator[str | None]:
        """Tables that others changed; None after a break, when nobody knows which."""
        while True:
            await self._rung.wait()
            self._rung.clear()
            changed, self._changed = self._changed, {}
            for table in changed:
                yield table

    async def _listener(self) -> Listener:
        address = address_of(self._url)
        connection = await psycopg.AsyncConnection.connect(address, autocommit=True)
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
        except BaseException:  # the database may be gone again, or nobody waits any more
            await connection.close()
            raise
        return connection

    async def _listen_on(self, connection: Listener) -> None:
        """Take notices; connect again when the database was gone."""
        try:
            while True:
                try:
                    if connection.closed:
                        connection = await self._listener()
                        self._ring(None)
                    async for notice in connection.notifies(timeout=HEARTBEAT):
                        mark, *tables = notice.payload.split(" ")
                        if mark != self._mark:
                            self._ring(*tables)
                    await connection.execute("SELECT 1")
                except psycopg.Error:
                    await connection.close()
                    await asyncio.sleep(RETRY)
        finally:
            await connection.close()

    def _ring(self, *tables: str | None) -> None:
        self._changed.update(dict.fromkeys(tables))
        self._rung.set()


@lru_cache(maxsize=32)
def engine_at(url: str) -> sa.Engine:
    """The database for SQLAlchemy; it keeps no connection, but knows statements of before."""
    return engine_by(
        "postgresql", partial(PostgreSQLDriver(url).connect, writing=True), poolclass=NullPool
    )


def _one_line(fault: object) -> str:
    return " ".join(str(fault).split())


def _json(fields: Sequence[str], rows: Iterable[Row]) -> str:
    """Rows as JSON, which the database reads faster than as many arrays."""
    return msgspec.json.encode([dict(zip(fields, row, strict=True)) for row in rows]).decode()
