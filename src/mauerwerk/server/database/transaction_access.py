"""Opening the transaction of a database, which servers may use meanwhile."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from mauerwerk.server.database.backup import engine_of, failing_in_one_line, looking_into
from mauerwerk.server.database.migrations import check
from mauerwerk.server.database.store import StorageError, file_at, is_url
from mauerwerk.server.database.transaction import Transaction

RULING: Final = 0x72756C65
"""The advisory lock of writers, so that audit entries are committed in order of their ids."""


@contextmanager
def reading_at(place: str | Path) -> Generator[Transaction, None, None]:
    """The transaction of a database, only to look into it. Raises StorageError."""
    with looking_into(place) as connection:
        yield Transaction(connection, "", _now())


def _now() -> int:
    return int(time.time() * 1_000)


@contextmanager
def transaction_at(
    place: str | Path, *, by: str, now: int | None = None
) -> Generator[Transaction, None, None]:
    """The transaction of a database, which servers may use meanwhile. Raises StorageError."""
    if not is_url(place) and not file_at(place).is_file():
        raise StorageError(f"there is no database {file_at(place)}")
    with failing_in_one_line(), engine_of(place, writing=True).connect() as connection:
        if is_url(place):
            check(connection)
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(RULING)))
        else:
            # From the first read on nobody else writes, or this could not write after them.
            connection.exec_driver_sql("ROLLBACK")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            check(connection)
        yield Transaction(connection, by, _now() if now is None else now)
        connection.commit()
