"""Copies of all tables: into a file while the server runs, and from there into another store.

A backup is an SQLite file like the one a server keeps, whichever database it came from. So it can
be looked into, examined, served, or put into PostgreSQL.

    keep = Keep(daily=7, weekly=4, monthly=12)
    rotated = back_up_into(place, folder, keep, now)

In a folder, a backup is named for the second in which it was made, `mauerwerk-20260131T180411Z.db`.
Old ones are deleted by a policy, and only after the new one was written and found sound. A file
that is named otherwise, or is no backup, is never touched.
"""

import asyncio
import os
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import sqlalchemy as sa

from mauerwerk.core.game import Value
from mauerwerk.server.database import connect, sqlite
from mauerwerk.server.database.errors import SchemaError, StorageError
from mauerwerk.server.database.migrations import is_older, migrate
from mauerwerk.server.database.schema import SERVER_STATE, TABLES, tables_in
from mauerwerk.server.database.store import Store

ROWS_AT_ONCE: Final = 1_000
NAME: Final = re.compile(r"mauerwerk-(\d{8}T\d{6}Z)\.db")
STAMP: Final = "%Y%m%dT%H%M%SZ"


def back_up(place: str | Path, target: Path) -> int:
    """Copy everything into a new file; how many tables there are in it.

    Raises FileExistsError where there is such a file, and StorageError. Then nothing is written.
    """
    with connect.looking_into(place) as source:
        if target.exists():
            raise FileExistsError(target)
        part = target.with_name(f"{target.name}.part")
        try:
            os.close(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
            if connect.is_url(place):
                with sqlite.engine_at(part, "rw").begin() as copy:
                    migrate(copy)
                    _copy(source, copy)
            else:
                _copy_file(connect.file_at(place), part)
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
    with (
        _up_to_date(backup) as current,
        connect.looking_into(current) as source,
        connect.failing_in_one_line(),
    ):
        if connect.is_url(place):
            return _fill(source, connect.engine_of(place, writing=True))
        path = connect.file_at(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite.locked(path)):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            return _fill(source, connect.engine_of(path, writing=True))


@contextmanager
def _up_to_date(backup: str | Path) -> Generator[str | Path, None, None]:
    """This backup, or where an older program made it, a copy that was brought up to date."""
    try:
        with connect.looking_into(backup):
            pass
    except SchemaError as fault:
        if not is_older(fault.found):
            raise
        with connect.failing_in_one_line(), TemporaryDirectory() as folder:
            copy = Path(folder) / connect.FILE
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            _copy_file(connect.file_at(backup), copy)
            with sqlite.engine_at(copy, "rw").begin() as connection:
                migrate(connection)
            yield copy
    else:
        yield backup


def _fill(source: sa.Connection, engine: sa.Engine) -> int:
    with engine.begin() as target:
        migrate(target)
        if count_tables(target):
            raise StorageError("there are tables already; a backup goes where there are none")
        _copy(source, target)
        return count_tables(target)


def count_tables(connection: sa.Connection) -> int:
    """How many tables are kept."""
    return connection.execute(sa.select(sa.func.count()).select_from(TABLES)).scalar_one()


def _copy_file(source: Path, target: Path) -> None:
    """A copy of the file as it is at one moment; writers need not wait."""
    with (
        closing(sqlite.connect_to_read(source)) as original,
        closing(sqlite.connect(target, "rw")) as copy,
    ):
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it


def _copy(source: sa.Connection, target: sa.Connection) -> None:
    """Copy every row, row by row, into tables that are empty but for the settings."""
    target.execute(sa.delete(SERVER_STATE))
    streaming = source.execution_options(yield_per=ROWS_AT_ONCE)
    there = set(sa.inspect(source).get_table_names())
    for table in tables_in(source):
        if table.name not in there:  # of a feature that was added later
            continue
        for rows in streaming.execute(sa.select(table)).mappings().partitions():
            target.execute(sa.insert(table), [dict(row) for row in rows])


# --- A folder of backups ---------------------------------------------------------------------


class Keep(Value):
    """How many backups are kept: the last ones, and the last of each day, week and month."""

    last: int = 0
    daily: int = 0
    weekly: int = 0
    monthly: int = 0

    @property
    def anything(self) -> bool:
        """Whether old backups are deleted at all; where nothing is said, all are kept."""
        return any((self.last, self.daily, self.weekly, self.monthly))


class Rotated(Value):
    """What became of a folder of backups."""

    made: Path
    tables: int
    deleted: tuple[Path, ...] = ()
    foreign: tuple[Path, ...] = ()
    """Files that are named like backups but are none; they were not touched."""


def back_up_into(place: str | Path, folder: Path, keep: Keep, now: datetime) -> Rotated:
    """Make a backup in this folder, check it, and delete those that are not to be kept.

    Raises FileExistsError, and StorageError where the copy is not sound; then nothing is deleted.
    """
    made = folder / f"mauerwerk-{now.astimezone(UTC).strftime(STAMP)}.db"
    tables = back_up(place, made)
    if fault := fault_of(made):
        made.unlink()
        raise StorageError(f"the new backup is damaged, so nothing was deleted: {fault}")
    if not keep.anything:
        return Rotated(made, tables)
    old = [path for path in folder.iterdir() if NAME.fullmatch(path.name) and path != made]
    foreign = tuple(sorted(path for path in old if not is_backup(path)))
    ours = [made, *(path for path in old if path not in foreign)]
    deleted = [path for path in sorted(ours) if path not in kept(ours, keep) and path != made]
    for path in deleted:
        with suppress(FileNotFoundError):  # another backup has just deleted it
            path.unlink()
    return Rotated(made, tables, tuple(deleted), foreign)


def last_backup(folder: Path) -> datetime | None:
    """When the newest backup of a folder was made; None if there is none, or no folder."""
    try:
        found = [path for path in folder.iterdir() if NAME.fullmatch(path.name)]
    except OSError:
        return None
    return max(map(made_at, found), default=None)


def kept(backups: Iterable[Path], keep: Keep) -> frozenset[Path]:
    """The backups that a policy keeps; the newest is always one of them."""
    newest_first = sorted(backups, key=made_at, reverse=True)
    return frozenset(
        (
            *newest_first[: max(keep.last, 1)],
            *_one_of_each(newest_first, keep.daily, lambda at: at.strftime("%Y-%m-%d")),
            *_one_of_each(newest_first, keep.weekly, lambda at: at.strftime("%G-%V")),
            *_one_of_each(newest_first, keep.monthly, lambda at: at.strftime("%Y-%m")),
        )
    )


def _one_of_each(
    newest_first: Sequence[Path], most: int, period: Callable[[datetime], str]
) -> Sequence[Path]:
    """The last backup of each of the last periods in which there was one."""
    found: dict[str, Path] = {}
    for path in newest_first:
        found.setdefault(period(made_at(path)), path)
    return list(found.values())[:most]


def made_at(backup: Path) -> datetime:
    """When a backup was made, by its name."""
    named = NAME.fullmatch(backup.name)
    assert named
    return datetime.strptime(named[1], STAMP).replace(tzinfo=UTC)


async def back_up_store(store: Store, folder: Path) -> str:
    """Make a backup of a store in this folder; its name. Raises StorageError and OSError."""
    now = datetime.now(UTC)
    made = await asyncio.to_thread(back_up_into, store.place, folder, Keep(), now)
    return made.made.name


def is_backup(path: Path) -> bool:
    """Whether a file holds tables of Mauerwerk, of whatever version."""
    if path.is_symlink() or not path.is_file():
        return False
    try:
        with connect.looking_into(path):
            return True
    except SchemaError as fault:
        return fault.found is not None
    except StorageError:
        return False


def fault_of(backup: Path) -> str:
    """What SQLite finds wrong with a backup; empty where it is sound."""
    with connect.looking_into(backup) as connection:
        said = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    return "" if said == "ok" else " ".join(str(said).split())
