"""Backups in a folder: a new one each time, old ones deleted by a policy, nothing else touched."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.support.rows import keep_table, words_at

from mauerwerk.server.database import backup
from mauerwerk.server.database.backup import NOTED, Keep, back_up_into, kept
from mauerwerk.server.database.connect import engine_of, store_at
from mauerwerk.server.database.errors import StorageError

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 3, 31, 12, 0, 0, tzinfo=UTC)


def named(at: datetime) -> Path:
    """A backup of that time."""
    return Path(f"mauerwerk-{at.strftime(backup.STAMP)}.db")


def days_of(backups: frozenset[Path]) -> list[str]:
    """When they were made."""
    return sorted(backup.made_at(each).strftime("%m-%d %H") for each in backups)


def every(hours: int, days: int) -> list[Path]:
    """A backup every few hours, for several days."""
    return [named(NOON - timedelta(hours=each)) for each in range(0, 24 * days, hours)]


@pytest.mark.parametrize(
    ("keep", "left"),
    [
        (Keep(last=2), ["03-31 00", "03-31 12"]),
        (Keep(daily=3), ["03-29 12", "03-30 12", "03-31 12"]),
        (Keep(weekly=2), ["03-29 12", "03-31 12"]),
        (Keep(monthly=2), ["02-28 12", "03-31 12"]),
        (Keep(last=1, daily=2, monthly=3), ["01-31 12", "02-28 12", "03-30 12", "03-31 12"]),
    ],
)
def test_the_last_of_each_period_is_kept(keep: Keep, left: list[str]) -> None:
    """Of each day, week or month the newest, and as many as the policy says."""
    assert days_of(kept(every(12, 100), keep)) == left


def test_the_newest_is_always_kept() -> None:
    """Whatever the policy says, and where the last backup is old."""
    old = [named(NOON - timedelta(days=400)), named(NOON - timedelta(days=500))]
    assert kept(old, Keep()) == {old[0]}


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """A server's folder with one table."""
    store = store_at(tmp_path / "data")
    await store.open()
    await keep_table(store)
    await store.close()
    return tmp_path / "data"


async def test_old_ones_go_once_the_new_one_is_there(data: Path, tmp_path: Path) -> None:
    """The newest can be served, and those that the policy does not keep are deleted."""
    folder = tmp_path / "backups"
    folder.mkdir()
    done = [
        back_up_into(data, folder, Keep(last=2), NOON + timedelta(days=day)) for day in range(3)
    ]

    assert [each.deleted for each in done] == [(), (), (done[0].made,)]
    assert sorted(folder.iterdir()) == [done[1].made, done[2].made, folder / NOTED]
    assert done[2].made.stat().st_mode & 0o077 == 0
    copy = store_at(done[2].made)
    await copy.open()
    assert await words_at(copy, "first") == ["Änn 🧱", "easy"]
    await copy.close()


async def test_foreign_files_are_left_alone(data: Path, tmp_path: Path) -> None:
    """Whether they are named otherwise, or like a backup and hold something else."""
    folder = tmp_path / "backups"
    folder.mkdir()
    diary = folder / named(NOON - timedelta(days=9))
    diary.write_text("dear diary")
    half = folder / named(NOON - timedelta(days=8))
    half.touch()
    other = folder / "mauerwerk-before-the-party.db"
    other.write_bytes((data / "mauerwerk.db").read_bytes())
    link = folder / named(NOON - timedelta(days=7))
    link.symlink_to(data / "mauerwerk.db")

    done = back_up_into(data, folder, Keep(last=1), NOON)

    assert done.foreign == (diary, half, link)
    assert sorted(folder.iterdir()) == sorted([diary, half, other, link, done.made, folder / NOTED])


async def test_nothing_is_deleted_for_a_bad_copy(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last good backup stays, however little the policy keeps."""
    folder = tmp_path / "backups"
    folder.mkdir()
    good = back_up_into(data, folder, Keep(last=1), NOON).made

    def damaged(_: Path) -> str:
        return "page 3 is never used"

    monkeypatch.setattr(backup, "fault_of", damaged)
    with pytest.raises(StorageError, match="damaged, so nothing was deleted: page 3"):
        back_up_into(data, folder, Keep(last=1), NOON + timedelta(days=1))

    assert sorted(folder.iterdir()) == [good, folder / NOTED]


async def test_a_backup_of_an_older_program_counts_as_one(data: Path, tmp_path: Path) -> None:
    """It is rotated like the others; what it holds is not read."""
    folder = tmp_path / "backups"
    folder.mkdir()
    old = back_up_into(data, folder, Keep(), NOON).made
    with engine_of(old, writing=True).begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))

    done = back_up_into(data, folder, Keep(last=1), NOON + timedelta(days=1))
    assert done.deleted == (old,)
