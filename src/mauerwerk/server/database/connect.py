"""Opening a database where it is: at a PostgreSQL address, or in a folder.

store = store_at("postgresql://...")    # or a folder, in which a file mauerwerk.db is made

with transaction_at(place, by="command") as transaction: ...
"""

import sqlite3
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from mauerwerk.server.database import sqlite
from mauerwerk.server.database import transaction as transactions
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.migrations import check
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction

URLS: Final = ("postgresql://", "postgres://")
FILE: Final = "mauerwerk.db"


def is_url(place: str | Path) -> bool:
    """Whether this names a database server, not a file or folder."""
    return str(place).startswith(URLS)


def file_at(place: str | Path) -> Path:
    """The database file: this one, or the one in this folder."""
    path = Path(place)
    return path if path.suffix == Path(FILE).suffix or path.is_file() else path / FILE


def store_at(place: str | Path) -> Store:
    """The store at a PostgreSQL address, or in a folder. Raises StorageError, lacking an extra."""
    if not is_url(place):
        return sqlite.SQLiteStore(file_at(place))
    with failing_in_one_line():
        from mauerwerk.server.database import postgresql  # noqa: PLC0415 - an extra

        return postgresql.PostgreSQLStore(str(place))


def engine_of(place: str | Path, *, writing: bool = False) -> sa.Engine:
    """A database as it is, to look into it beside a running server."""
    if is_url(place):
        from mauerwerk.server.database import postgresql  # noqa: PLC0415 - an extra

        return postgresql.engine_at(str(place))
    return sqlite.engine_at(file_at(place), "rw" if writing else "ro")


@contextmanager
def looking_into(place: str | Path) -> Generator[sa.Connection, None, None]:
    """A connection that sees one moment and changes nothing. Raises StorageError."""
    with reading_at(place) as transaction:
        yield transaction.connection


@contextmanager
def reading_at(place: str | Path) -> Generator[Transaction, None, None]:
    """A transaction that only reads. Raises StorageError."""
    _check_file(place)
    yield from _checked(place, transactions.reading(engine_of(place)))


@contextmanager
def transaction_at(
    place: str | Path, *, by: str, now: int | None = None
) -> Generator[Transaction, None, None]:
    """A transaction in a database that servers may use meanwhile. Raises StorageError."""
    _check_file(place)
    engine = engine_of(place, writing=True)
    yield from _checked(place, transactions.writing(engine, by=by, now=now))


def _checked(
    place: str | Path, opening: AbstractContextManager[Transaction]
) -> Generator[Transaction, None, None]:
    with failing_in_one_line(), ExitStack() as stack:
        # What fails later may be another file, such as the copy.
        with failing_in_one_line(place):
            transaction = stack.enter_context(opening)
            check(transaction.connection)
        yield transaction


def _check_file(place: str | Path) -> None:
    if not is_url(place) and not file_at(place).is_file():
        raise StorageError(f"there is no database {file_at(place)}")


@contextmanager
def failing_in_one_line(place: str | Path = "") -> Generator[None, None, None]:
    """Whatever a database does not do is a StorageError, which names the file at this place."""
    try:
        yield
    except ModuleNotFoundError as fault:
        raise StorageError(
            f"this needs {fault.name}: pip install 'mauerwerk[postgresql]'"
        ) from None
    except (DBAPIError, sqlite3.Error) as fault:
        cause = fault.orig if isinstance(fault, DBAPIError) else fault
        # An address may have a password.
        where = f"{file_at(place)}: " if place and not is_url(place) else ""
        raise StorageError(f"{where}{' '.join(str(cause).split())}") from fault
