"""Copies of all tables: into a file while the server runs, and from there into another store.

A backup is an SQLite file like the one a server keeps, whichever database it came from. So it can
be looked into, examined, served, or put into PostgreSQL.

    keep = Keep(daily=7, weekly=4, monthly=12)
    rotated = back_up_into(place, folder, keep, now)

What was decided for good (people deleted, guests blocked, devices signed out) must hold also after
a restore. Such decisions are in the database, and a file beside the backups notes them as they are
made. `restore` does those again that the backup does not know.

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
from typing import BinaryIO, Final

import msgspec
import sqlalchemy as sa
from msgspec.structs import asdict

from mauerwerk.core.game import Value
from mauerwerk.core.language import counted
from mauerwerk.server.database import connect, sqlite
from mauerwerk.server.database.errors import SchemaError, StorageError
from mauerwerk.server.database.migrations import is_older, migrate
from mauerwerk.server.database.queries import LASTING
from mauerwerk.server.database.schema import DECISIONS, SERVER_STATE, TABLES, tables_in
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.tables.errors import FeatureError, RefusedError

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
                note_decisions(copy, target.parent)
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


class Restored(Value):
    """What was restored."""

    tables: int
    decisions: int = 0
    """How many were done again that were made after the backup."""
    last: int | None = None
    """When the last one was made of which the file knows."""


def restore(backup: str | Path, place: str | Path, *, as_it_was: bool = False) -> Restored:
    """Put all tables of a backup into a store that has none, and do again what was decided since.

    The store gets the secret of the backup too, so that links stay good. No server may be running
    there. Without the file of decisions a backup is restored only `as_it_was`. Raises
    StorageError, and then nothing has changed.
    """
    noted = None if as_it_was else _noted_beside(backup)
    with (
        _up_to_date(backup) as current,
        connect.looking_into(current) as source,
        connect.failing_in_one_line(),
    ):
        if connect.is_url(place):
            return _fill(source, connect.engine_of(place, writing=True), noted)
        path = connect.file_at(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite.locked(path)):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            return _fill(source, connect.engine_of(path, writing=True), noted)


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


def _fill(source: sa.Connection, engine: sa.Engine, noted: "Sequence[Decision] | None") -> Restored:
    with engine.begin() as target:
        migrate(target)
        if count_tables(target):
            raise StorageError("there are tables already; a backup goes where there are none")
        _copy(source, target)
        if noted is None:
            return Restored(count_tables(target))
        done = _decide_again(target, noted)
        last = max((each.at for each in noted), default=None)
        return Restored(count_tables(target), done, last)


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


# --- What was decided ------------------------------------------------------------------------

NOTED: Final = "mauerwerk-decisions.jsonl"
"""The file beside the backups in which decisions are noted."""


class Decision(Value, tag=False):
    """Something that was decided for good."""

    id: str
    number: int
    at: int
    what: str
    given: str


def decisions_in(connection: sa.Connection, after: int = 0) -> tuple[Decision, ...]:
    """What was decided, beyond that number."""
    if not sa.inspect(connection).has_table(DECISIONS.name):
        return ()  # an older program made this database
    wanted = sa.select(DECISIONS).where(DECISIONS.c.number > after).order_by(DECISIONS.c.number)
    rows = connection.execute(wanted)
    return tuple(msgspec.convert(row, Decision, from_attributes=True) for row in rows)


def last_decision(transaction: Transaction) -> int:
    """The number of the last decision; 0 before the first."""
    return transaction.scalar(sa.select(sa.func.max(DECISIONS.c.number))) or 0


def note_decisions(connection: sa.Connection, folder: Path, after: int = 0) -> int:
    """Note beside the backups what was decided beyond that number; the last number there is."""
    found = decisions_in(connection, after)
    file = folder / NOTED
    known = {each.id for each in noted_in(file)} if file.exists() else set[str]()
    new = [each for each in found if each.id not in known]
    if new or not file.exists():
        opened = os.open(file, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
        with os.fdopen(opened, "ab+") as notes:
            _drop_torn(notes)
            notes.write(b"".join(msgspec.json.encode(each) + b"\n" for each in new))
            notes.flush()
            os.fsync(notes.fileno())
    return max((each.number for each in found), default=after)


def _drop_torn(notes: BinaryIO) -> None:
    """Remove a last line that was not written to its end, or the next one would be a part of it."""
    notes.seek(0)
    content = notes.read()
    notes.truncate(content.rfind(b"\n") + 1)


def noted_in(file: Path) -> tuple[Decision, ...]:
    """What is noted there, in order. Raises StorageError for a file that cannot be read.

    A last line that was not written to its end is left out; it is noted again.
    """
    *lines, _ = file.read_bytes().split(b"\n")
    try:
        noted = [msgspec.json.decode(line, type=Decision) for line in lines if line]
    except msgspec.DecodeError:
        raise StorageError(f"{file} is damaged; nothing was restored") from None
    once = {each.id: each for each in noted}
    return tuple(sorted(once.values(), key=lambda each: (each.at, each.number)))


def _noted_beside(backup: str | Path) -> tuple[Decision, ...]:
    file = connect.file_at(backup).parent / NOTED
    if not file.is_file():
        raise StorageError(
            f"there is no {NOTED} beside the backup: people who were deleted and blocks that were "
            "made since would be undone; put it there, or restore with --as-it-was"
        )
    return noted_in(file)


def _decide_again(target: sa.Connection, noted: Sequence[Decision]) -> int:
    """Do in this database what was decided after it was copied; how much that was."""
    known = {each.id for each in decisions_in(target)}
    new = [each for each in noted if each.id not in known]
    if lost := known - {each.id for each in noted}:
        raise StorageError(
            f"the backup knows {counted(len(lost), 'decision')} that {NOTED} lacks: it is older "
            "or not all of it; put the right one there, or restore with --as-it-was"
        )
    if unknown := [each.what for each in new if each.what not in LASTING]:
        raise StorageError(f"this program does not know how to do {unknown[0]!r} again")
    for each in new:
        transaction = Transaction(target, "restore", each.at)
        transaction.is_restoring = True
        with suppress(FeatureError, RefusedError):  # it concerns what the backup does not have
            LASTING[each.what].again(transaction, each.given)
        transaction.insert(DECISIONS, **asdict(each))
    return len(new)


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
