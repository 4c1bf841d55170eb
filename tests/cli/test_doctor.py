"""`mauerwerk doctor`."""

import asyncio
import json
import os
import shutil
from collections.abc import Generator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.support.kept_games import keep_short_game

from mauerwerk.cli import main
from mauerwerk.server.database.connect import engine_of, store_at


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A server's folder with two games."""

    async def keep() -> None:
        store = store_at(tmp_path)
        await store.open()
        await keep_short_game(store, "one")
        await keep_short_game(store, "two")
        await store.close()

    asyncio.run(keep())
    return tmp_path


def test_all_is_well(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so, and JSON for programs."""
    assert main(["doctor", "--data", str(data)]) == 0
    assert capsys.readouterr().out.endswith(" entries: all sound\n")
    assert main(["doctor", "--data", str(data), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tables"], found["sound"], found["faulty"]) == (2, True, [])


def test_what_is_wrong_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table and what is wrong with it; the exit code is 1."""
    with engine_of(data, writing=True).begin() as connection:
        connection.exec_driver_sql("DELETE FROM entries WHERE seq = 7 AND table_id = 'two'")
    assert main(["doctor", "--data", str(data)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "two: the log has no entry 7"
    assert out[-1].startswith("2 tables, ")
    assert out[-1].endswith(" entries: 1 table with faults")

    assert main(["doctor", "--data", str(data), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] is False
    assert found["faulty"][0]["table"] == "two"
    assert found["faulty"][0]["faults"][0] == "the log has no entry 7"


def test_bad_input_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No database, or two."""
    assert main(["doctor", "--data", str(tmp_path / "nowhere")]) == 2
    assert "there is no database" in capsys.readouterr().err
    assert main(["doctor", "--data", "a", "--database", "postgresql://b"]) == 2
    assert capsys.readouterr().err == "mauerwerk: --data and --database do not go together\n"


@contextmanager
def without_rights(folder: Path) -> Generator[None, None, None]:
    """Nobody may write into this folder, not even root."""
    rights = folder.stat().st_mode
    folder.chmod(0o555)
    if as_root := os.getuid() == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if as_root:
            os.seteuid(0)
        folder.chmod(rights)


def test_a_folder_that_may_only_be_read(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The doctor and a backup need nothing but the file."""
    commands = (["doctor", "--data"], ["backup", "copy.db", "--data"])
    # Other users cannot see the folders of pytest.
    with TemporaryDirectory() as place:
        folder, target = Path(place, "data"), Path(place, "backups")
        shutil.copytree(data, folder, ignore=shutil.ignore_patterns("*.lock", "*-wal", "*-shm"))
        target.mkdir()
        for each in (Path(place), target):
            each.chmod(0o777)
        (folder / "mauerwerk.db").chmod(0o444)
        with chdir(target):
            for command in commands:  # all modules are loaded, while that is allowed
                assert main([*command, str(data)]) == 0
            for made in Path().iterdir():  # which belongs to somebody else
                made.unlink()
            with without_rights(folder):
                for command in commands:
                    assert main([*command, str(folder)]) == 0
            assert Path("copy.db").is_file()
    assert capsys.readouterr().err == ""
