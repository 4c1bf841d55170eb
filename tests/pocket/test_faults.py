"""Nothing that was acknowledged is lost in a browser: killed workers, no room, other files."""

import asyncio
import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from tests.pocket.test_server import ask
from tests.server.database.test_upgrades import OLD, write_file
from tests.support.amounts import amount
from tests.support.pocket import NODE, SCRIPTS, built, run

from mauerwerk.core.game import NATURE
from mauerwerk.pocket.server import Pocket
from mauerwerk.server.database.connect import FILE, store_at
from mauerwerk.server.database.migrations import REVISION
from mauerwerk.server.database.rows import Stored
from mauerwerk.server.tables.log import Kind

pytestmark = [
    pytest.mark.process,
    pytest.mark.kernels,  # as WebAssembly
    pytest.mark.skipif(NODE is None, reason="there is no Node here"),
]


def stored_at(data: Path, tables: list[str]) -> list[Stored | None]:
    """What a server finds in a folder."""

    async def load() -> list[Stored | None]:
        store = store_at(data)
        await store.open()
        found = [await store.load(table) for table in tables]
        await store.close()
        return found

    return asyncio.run(load())


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    """In the middle of writing, as browsers end workers; a journal that is left is taken back."""
    assert NODE is not None
    words = [NODE, str(SCRIPTS / "faults.mjs"), str(built()), str(tmp_path), "kill"]
    told: dict[str, int] = {}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own words
        assert process.stdout is not None
        for count, line in enumerate(process.stdout):  # also what it said before it ended
            if line.endswith("\n"):
                said = json.loads(line)
                told[said["table"]] = said["moves"]
            if count == amount(10, 15, 150):
                process.kill()

    tables = stored_at(tmp_path, [*told])

    assert len(told) >= 1
    for table, moves in zip(tables, told.values(), strict=True):
        assert table is not None
        assert [entry.seq for entry in table.entries] == list(range(len(table.entries)))
        kept = [
            entry for entry in table.entries if entry.kind is Kind.MOVE and entry.seat != NATURE
        ]
        assert moves <= len(kept) <= moves + 1


def test_without_room_a_move_is_refused_and_nothing_else_changes(tmp_path: Path) -> None:
    said = run("faults.mjs", str(tmp_path), "quota")

    assert said["first"]["status"] == 200
    refused = [each for each in said["full"] if each["status"] >= 500]
    assert refused
    assert all(each["before"] == each["after"] for each in refused)
    assert said["then"]["status"] == 200
    assert said["then"]["after"] > said["then"]["before"]


def test_games_of_a_file_join_those_that_are_here(tmp_path: Path) -> None:
    """Also one that a server used since; nonsense, or too little room, changes nothing."""
    elsewhere, here = tmp_path / "elsewhere", tmp_path / "here"
    asyncio.run(open_table(elsewhere))
    with closing(sqlite3.connect(elsewhere / FILE)) as connection:
        assert connection.execute("PRAGMA journal_mode = WAL").fetchall() == [("wal",)]
        brought = [table for (table,) in connection.execute("SELECT id FROM tables")]

    said = run("faults.mjs", str(here), "bring", str(elsewhere / FILE))

    assert said == {
        "id": said["id"],
        "nonsense": None,
        "own": 0,
        "full": "refused",
        "brought": 1,
        "home": 200,
    }
    assert len(brought) == 1
    assert None not in stored_at(here, [said["id"], *brought])


async def open_table(data: Path) -> None:
    """Somebody's game against bots, in another browser."""
    pocket = await Pocket.open(str(data), "https://example.org/play/app")
    await ask(pocket, "/play", "game=mauer")
    await pocket.close()


@pytest.mark.parametrize(
    "schema", [OLD[0], *(pytest.param(each, marks=pytest.mark.thorough) for each in OLD[1:])]
)
def test_an_older_database_is_upgraded_in_the_browser(tmp_path: Path, schema: str) -> None:
    """A newer version finds the games of an older one: Alembic runs there, too."""
    file = tmp_path / FILE
    write_file(schema, file)
    with closing(sqlite3.connect(file)) as connection:
        before = connection.execute("SELECT id FROM tables").fetchall()

    said = run("faults.mjs", str(tmp_path), "open")

    assert set(said["pages"].values()) == {200}
    assert said["played"] == 200
    with closing(sqlite3.connect(file)) as connection:
        after = connection.execute("SELECT id FROM tables").fetchall()
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            (REVISION,)
        ]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert before
    assert set(before) < set(after)
