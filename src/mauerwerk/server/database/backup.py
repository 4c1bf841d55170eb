"""Copies of all tables: into a file while the server runs, and from there into another store.

A backup is an SQLite file like the one a server keeps, whichever database it came from. So it can
be looked into, examined, served, or put into PostgreSQL.
"""

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from mauerwerk.server.database import metadata, migrations, schema, sqlite
from mauerwerk.server.database.store import FILE, SchemaError, StorageError, file_at, is_url

ROWS_AT_ONCE: Final = 1_000


def engine_of(place: str | Path, *, writing: bool = False) -> sa.Engine:
    """A database as it is, for who looks into it beside a running server."""
    if is_url(place):
        from mauerwerk.server.database import postgresql  # noqa: PLC0415 - an extra

        return postgresql.engine_at(str(place))
    return sqlite.engine_at(file_at(place), "rw" if writing else "ro")


@contextmanager
def looking_into(place: str | Path) -> Generator[sa.Connection, None, None]:
    """A connection that sees one moment and changes nothing. Raises StorageError."""
    if not is_url(place) and not file_at(place).is_file():
        raise StorageError(f"there is no database {file_at(place)}")
    with failing_in_one_line(), engine_of(place).connect() as connection:
        if is_url(place):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        migrations.check(connection)
        yield connection


@contextmanager
def failing_in_one_line() -> Generator[None, None, None]:
    """Whatever a database does not do is a StorageError."""
    try:
        yield
    except ModuleNotFoundError as fault:
        raise StorageError(
            f"this needs {fault.name}: pip install 'mauerwerk[postgresql]'"
        ) from None
    except (DBAPIError, sqlite3.Error) as fault:
        cause = fault.orig if isinstance(fault, DBAPIError) else fault
        raise StorageError(" ".join(str(cause).split())) from fault


def back_up(place: str | Path, target: Path) -> int:
    """Copy everything into a new file; how many tables there are in it.

    Raises FileExistsError where there is such a file, and StorageError. Then nothing is written.
    """
    with looking_into(place) as source:
        if target.exists():
            raise FileExistsError(target)
        part = target.with_name(f"{target.name}.part")
        try:
            os.close(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
            if is_url(place):
                with sqlite.engine_at(part, "rw").begin() as copy:
                    migrations.migrate(copy)
                    _copy(source, copy)
            else:
                _copy_file(file_at(place), part)
            with sqlite.engine_at(part, "ro").connect() as copy:
                tables = count_tables(copy)
            _name(part, target)
        finally:
            with suppress(FileNotFoundError):
                part.unlink()
    return tables


def _name(part: Path, target: Path) -> None:
    """Give a whole copy its name, unless another file has it. Raises FileExistsError."""
    with part.open("rb") as copy:
        os.fsync(copy.fileno())
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # not every file system knows links
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        part.replace(target)


def restore(backup: str | Path, place: str | Path) -> int:
    """Put all tables of a backup into a store that has none; how many they are.

    The store gets the secret of the backup too, so that links stay good. No server may be running
    there. Raises StorageError, and then nothing has changed.
    """
    with _up_to_date(backup) as current, looking_into(current) as source, failing_in_one_line():
        if is_url(place):
            return _fill(source, engine_of(place, writing=True))
        path = file_at(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite.locked(path)):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            return _fill(source, engine_of(path, writing=True))


@contextmanager
def _up_to_date(backup: str | Path) -> Generator[str | Path, None, None]:
    """This backup, or where an older program made it, a copy that was brought up to date."""
    try:
        with looking_into(backup):
            pass
    except SchemaError as fault:
        if not migrations.is_older(fault.found):
            raise
        with failing_in_one_line(), TemporaryDirectory() as folder:
            copy = Path(folder) / FILE
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            _copy_file(file_at(backup), copy)
            with sqlite.engine_at(copy, "rw").begin() as connection:
                migrations.migrate(connection)
            yield copy
    else:
        yield backup


def _fill(source: sa.Connection, engine: sa.Engine) -> int:
    with engine.begin() as target:
        migrations.migrate(target)
        if count_tables(target):
            raise StorageError("there are tables already; a backup goes where there are none")
        _copy(source, target)
        return count_tables(target)


def count_tables(connection: sa.Connection) -> int:
    """How many tables are kept."""
    return connection.execute(sa.select(sa.func.count()).select_from(schema.TABLES)).scalar_one()


def _copy_file(source: Path, target: Path) -> None:
    """A copy of the file as it is at one moment; who writes meanwhile need not wait."""
    with (
        closing(sqlite.connect_to_read(source)) as original,
        closing(sqlite.connect(target, "rw")) as copy,
    ):
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it


def _copy(source: sa.Connection, target: sa.Connection) -> None:
    """Copy every row, row by row, into tables that are empty but for the settings."""
    target.execute(sa.delete(schema.SERVER_STATE))
    streaming = source.execution_options(yield_per=ROWS_AT_ONCE)
    for table in metadata.EVERYTHING:
        for rows in streaming.execute(sa.select(table)).mappings().partitions():
            target.execute(sa.insert(table), [dict(row) for row in rows])
