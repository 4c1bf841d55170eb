"""`mauerwerk backup` and `mauerwerk restore`."""

import asyncio
import shutil
from pathlib import Path

import pytest
from tests.cli.asking import refused, run
from tests.support.kept_games import keep_short_game

from mauerwerk.cli import main
from mauerwerk.server.database.connect import store_at


async def _keep(folder: Path) -> None:
    store = store_at(folder)
    await store.open()
    await keep_short_game(store, "over")
    await store.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's folder with one game, which is only copied."""
    folder = tmp_path_factory.mktemp("kept")
    asyncio.run(_keep(folder))
    return folder


@pytest.fixture
def data(kept: Path, tmp_path: Path) -> Path:
    """A server's folder with one game."""
    return shutil.copytree(kept, tmp_path / "data")


def test_there_and_back(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A backup, put into a new folder, is a server's folder again."""
    backup, again = tmp_path / "evening.db", tmp_path / "again"
    assert main(["backup", "--data", str(data), str(backup)]) == 0
    assert main(["restore", str(backup), "--data", str(again)]) == 0
    assert main(["doctor", "--data", str(again)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[:2] == [f"1 table in {backup}", f"1 table from {backup}"]
    assert out[2].startswith("1 table, ")
    assert out[2].endswith(" entries: all sound")


def test_a_folder_of_backups(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup is named for its time, and what was deleted is said."""
    folder = tmp_path / "backups"
    folder.mkdir()
    old = folder / "mauerwerk-20200101T000000Z.db"
    run(capsys, f"backup --data {data} {old}")

    out = run(capsys, f"backup --data {data} --keep-last 1 {folder}").splitlines()
    (made,) = folder.glob("*.db")
    assert out == [f"1 table in {made}", f"deleted {old}"]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("backup --data {data} {data}/mauerwerk.db", "is there already; a backup needs a new name"),
        ("backup --data {data}/nothing {data}/new.db", "there is no database"),
        ("backup --data {data} {data}/no/folder.db", "No such file or directory"),
        ("backup --data {data} --database postgresql:// new.db", "do not go together"),
        ("backup --data {data} --keep-last 1 {data}/new.db", "is no folder"),
        ("restore {data}/mauerwerk.db --data {data}/other.db --as-it-was", "is not a database"),
        ("restore {data}/mauerwerk.db --data {data}/full --as-it-was", "there are tables already"),
        ("restore {data}/other.db --data {data}/new --as-it-was", "not a database"),
    ],
)
def test_bad_input_gets_one_line(
    data: Path, kept: Path, capsys: pytest.CaptureFixture[str], command: str, line: str
) -> None:
    """And nothing is written."""
    (data / "other.db").write_text("a diary, and a long one\n" * 200)
    shutil.copytree(kept, data / "full")
    before = {path: path.stat().st_size for path in data.rglob("*.db")}

    assert line in refused(capsys, command.format(data=data))
    assert {path: path.stat().st_size for path in data.rglob("*.db")} == before


@pytest.mark.parametrize("database", ["postgres//localhost/x", "localhost/x", " ", ""])
def test_a_mistyped_address_is_no_folder(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    """A backup holds secrets: it is not restored into a folder that nobody meant."""
    monkeypatch.chdir(data.parent)
    restore = f"restore {data}/mauerwerk.db --as-it-was"

    said = [refused(capsys, f"{restore} --database '{database}'")]
    if database:
        monkeypatch.setenv("MAUERWERK_DATABASE", database)
        said.append(refused(capsys, restore))

    assert all("--database is like postgresql://" in line for line in said)
    assert list(data.parent.iterdir()) == [data]
