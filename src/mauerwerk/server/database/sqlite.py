"""Tables in one SQLite file, for one server at a time."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from mauerwerk.server.database.errors import InUseError, OvertakenError
from mauerwerk.server.database.migrations import migrate
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import engine_by
from mauerwerk.server.database.writer import Connection, Driver

BUSY_TIMEOUT: Final = 10.0
"""Seconds to wait where somebody else has the file locked."""

CACHE: Final = 1_024
"""Kilobytes of a file that each connection of a server keeps in memory. SQLite's own limit is twice
that; each of several connections would take an hour to reach it, and the system has the file at
hand anyway."""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to a file that is there, to read (`ro`) or to write (`rw`)."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    return _checked(connection, "PRAGMA foreign_keys = ON", "PRAGMA synchronous = FULL")


def _checked(connection: sqlite3.Connection, *statements: str) -> sqlite3.Connection:
    """The connection, if it can do this; otherwise it is closed."""
    try:
        for statement in statements:
            connection.execute(statement).fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that only reads, also where nothing may be written beside the file.

    A file with a write-ahead log needs another one beside it while it is read. Where that cannot be
    made and no log is left from a server, the file alone is complete.
    """
    try:
        return _checked(connect(path, "ro"), "SELECT 1 FROM sqlite_master")
    except sqlite3.OperationalError:
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise
        return connect(path, "ro&immutable=1")


class SQLiteDriver(Driver):
    """SQLite, in a thread."""

    database = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path

    def connect(self, *, writing: bool) -> Connection:
        """Open the file once more."""
        connection = connect(self.path, "rw" if writing else "ro")
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        return connection

    def refusal(self, fault: Exception, /) -> Exception | None:
        """A key that is taken, or values that cannot be kept."""
        match fault:
            case sqlite3.IntegrityError():
                return OvertakenError(str(fault))
            case sqlite3.OperationalError() | sqlite3.InternalError():
                return None
            case _:
                return self.failure(fault)

    def describe(self, cause: object, /) -> str:
        """Name the file."""
        return f"{self.path}: {cause.strerror if isinstance(cause, OSError) else cause}"


class SQLiteStore(Store):
    """Tables in one file."""

    journal = "WAL"
    """How SQLite can take back what it has begun to write (`PRAGMA journal_mode`)."""

    def __init__(self, path: Path) -> None:
        super().__init__(SQLiteDriver(path), path)
        self.path = path
        self._lock: sqlite3.Connection | None = None

    def _migrate(self) -> bytes:
        """Take the file, or make it. Raises InUseError where another server has it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = locked(self.path)
        try:
            # It holds the seeds and the secret: nobody else here is to read it.
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(connect(self.path, "rw")) as plain:
                plain.execute(f"PRAGMA journal_mode = {self.journal}")
            with engine_at(self.path, "rw").begin() as connection:
                return migrate(connection)
        except BaseException:
            self._lock.close()
            raise

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        await super().close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    async def changes(self) -> AsyncIterator[str | None]:
        """Nothing, ever: nobody else writes here."""
        await asyncio.Event().wait()
        yield ""


@lru_cache(maxsize=32)
def engine_at(path: Path, mode: str) -> sa.Engine:
    """A file for SQLAlchemy; it keeps no connection, but knows statements that it translated."""
    opened = partial(connect_to_read, path) if mode == "ro" else partial(connect, path, mode)
    return engine_by("sqlite", opened, poolclass=NullPool)


def locked(path: Path) -> sqlite3.Connection:
    """A lock that is held while the connection is open, and not beyond the end of the process.

    SQLite itself locks an empty file beside the database: that works on every system, and leaves
    the database open to readers, such as a backup.
    """
    lock = sqlite3.connect(
        path.with_suffix(".lock"), timeout=0, isolation_level=None, check_same_thread=False
    )
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as fault:
        lock.close()
        if fault.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise InUseError(f"{path}: another server has this file") from None
    return lock
