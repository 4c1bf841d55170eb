"""`mauerwerk maintain`."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.asking import refused, run
from tests.support.kept_games import keep_short_game
from tests.support.rows import keep_table

from mauerwerk.server.database.connect import store_at
from mauerwerk.server.features.registry import know_tables


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A server's folder with an open table and a finished game, both from 1970."""
    folder = tmp_path / "kept"

    know_tables()  # as a server does before it opens its database

    async def keep() -> None:
        store = store_at(folder)
        await store.open()
        await keep_table(store, "open")
        await keep_short_game(store, "over")
        await store.close()

    asyncio.run(keep())
    return folder


def test_a_dry_run_changes_nothing(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what is due, as often as one asks."""
    command = f"maintain --data {kept} --dry-run"
    said = "due: 1 open table deleted, 1 log thinned, 4 names removed from tables\n"
    assert run(capsys, command) == said
    assert run(capsys, command) == said
    assert json.loads(run(capsys, f"{command} --json"))["thinned"] == 1


def test_it_does_what_the_settings_say(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And then nothing is left to do; the doctor finds everything sound."""
    settings = tmp_path / "settings.toml"
    settings.write_text("[retention]\nguest_days = 0\n", encoding="utf-8")
    command = f"maintain --data {kept} --settings {settings}"
    assert run(capsys, command) == "done: 1 open table deleted, 1 log thinned\n"
    assert run(capsys, command) == "done: nothing\n"
    assert run(capsys, f"doctor --data {kept}").endswith("all sound\n")


def test_bad_input_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without tables, or settings that do not exist."""
    assert "there is no database" in refused(capsys, f"maintain --data {tmp_path}")
    settings = tmp_path / "settings.toml"
    settings.write_text("[retention]\nopen = 3\n", encoding="utf-8")
    line = refused(capsys, f"maintain --data {tmp_path} --settings {settings}")
    assert "there is no setting open in [retention]" in line
