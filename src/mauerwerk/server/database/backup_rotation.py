"""Backups in a folder: a new one each time, and old ones deleted by a policy.

    keep = Keep(daily=7, weekly=4, monthly=12)
    rotated = back_up_into(place, folder, keep, now)

A backup is named for the second in which it was made, `mauerwerk-20260131T180411Z.db`. Old ones are
deleted only after the new one was written and found sound. A file that is named otherwise, or is no
backup, is never touched.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.server.database.backup import back_up, looking_into
from mauerwerk.server.database.store import SchemaError, StorageError

NAME: Final = re.compile(r"mauerwerk-(\d{8}T\d{6}Z)\.db")
STAMP: Final = "%Y%m%dT%H%M%SZ"


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


def is_backup(path: Path) -> bool:
    """Whether a file holds tables of Mauerwerk, of whatever version."""
    if path.is_symlink() or not path.is_file():
        return False
    try:
        with looking_into(path):
            return True
    except SchemaError as fault:
        return fault.found is not None
    except StorageError:
        return False


def fault_of(backup: Path) -> str:
    """What SQLite finds wrong with a backup; empty where it is sound."""
    with looking_into(backup) as connection:
        said = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    return "" if said == "ok" else " ".join(str(said).split())
