"""A database of every schema there has been is brought up to date, with all that is in it.

The dumps in `schemas` were written by the programs that had these schemas.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory
from tests.cli.asking import refused
from tests.support.hosts import opened
from tests.support.kept_games import GUESTS

from mauerwerk.core.game import Seat
from mauerwerk.server.database import migrations
from mauerwerk.server.database.backup import engine_of, restore
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.database.migrations import VERSION, revision_of, take_steps
from mauerwerk.server.database.schema import REVISION
from mauerwerk.server.database.store import is_url, store_at
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio

SCHEMAS = Path(__file__).parent / "schemas"
OLD = sorted(path.stem for path in SCHEMAS.glob("*.json"))


def dump_of(schema: str) -> dict[str, Any]:
    """A database as a program with this schema wrote it."""
    found: dict[str, Any] = json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8"))
    return found


def rows_in(dump: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of each table, those first that others refer to."""
    for name, rows in dump["rows"].items():
        if rows:
            yield (
                name,
                [{key: _value(each) for key, each in row.items()} for row in rows],
            )


def _value(dumped: Any) -> Any:  # noqa: ANN401 - whatever JSON has
    """Bytes are dumped as an object."""
    return bytes.fromhex(dumped["hex"]) if isinstance(dumped, dict) else dumped  # pyright: ignore[reportUnknownArgumentType]


def write_file(dump: dict[str, Any], path: Path) -> None:
    """The database as a file, made by the statements that made it then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        for made in dump["made"]:
            connection.execute(made)
        for name, rows in rows_in(dump):
            marks = ", ".join("?" for _ in rows[0])
            insert = f"INSERT INTO {name} ({', '.join(rows[0])}) VALUES ({marks})"  # noqa: S608 - of the dump
            connection.executemany(insert, [tuple(row.values()) for row in rows])
        connection.commit()


def write_postgresql(dump: dict[str, Any], url: str, schema: str) -> None:
    """The same in PostgreSQL, by the steps that led there."""
    with engine_of(url, writing=True).begin() as connection:
        take_steps(connection, None, schema)
        tables = sa.MetaData()
        tables.reflect(connection)
        for name, rows in rows_in(dump):
            if name == VERSION.name:
                continue
            yes_or_no = {c.name for c in tables.tables[name].c if isinstance(c.type, sa.Boolean)}
            given = [
                {key: bool(each) if key in yes_or_no else each for key, each in row.items()}
                for row in rows
            ]
            connection.execute(sa.insert(tables.tables[name]), given)


@pytest.fixture(
    params=[OLD[0], *(pytest.param(each, marks=pytest.mark.thorough) for each in OLD[1:])]
)
def schema(request: pytest.FixtureRequest) -> str:
    """A schema that there has been."""
    name: str = request.param
    return name


@pytest.fixture
def old(place: str, schema: str) -> str:
    """Where a database of that schema is."""
    if is_url(place):
        write_postgresql(dump_of(schema), place, schema)
    else:
        write_file(dump_of(schema), Path(place) / "mauerwerk.db")
    return place


def test_every_schema_has_a_dump() -> None:
    """A new migration needs a new dump: `python tests/server/database/schemas/dump.py`."""
    steps = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert sorted(each.revision for each in steps.walk_revisions()) == OLD


@pytest.mark.parametrize("schema", OLD)
def test_a_step_never_changes(schema: str, tmp_path: Path) -> None:
    """The steps up to a schema make what they made when the dump was written."""
    path = tmp_path / "mauerwerk.db"
    path.touch()
    with engine_of(path, writing=True).begin() as connection:
        take_steps(connection, None, schema)
    with closing(sqlite3.connect(path)) as connection:
        made = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    assert [sql for (sql,) in made] == dump_of(schema)["made"]


async def test_all_that_was_there_is_there(old: str, schema: str) -> None:
    """Tables, records, lists and the secret read as before, and the doctor finds them sound."""
    dump = dump_of(schema)["rows"]
    store = store_at(old)
    await store.open()
    assert (await store.secret()).hex() == dump["settings"][0]["value"]["hex"]
    assert await store.count() == {"open": 1, "running": 1, "over": 1}
    for row in dump["tables"]:
        stored = await store.load(row["id"])
        assert stored
        assert len(stored.entries) == row["length"]
        assert await store.record(row["id"]) == row["record"]
    ann = GUESTS[Seat(0)].id
    assert len(await store.tables_of(ann, before=None, most=9)) == 3
    assert await store.stored_by(ann) > 0
    await store.close()
    assert not any(each.faults for each in examine(old))


async def test_a_table_plays_on(old: str) -> None:
    """A game that was under way is played to the end, and an open table is joined."""
    async with opened(old) as host:
        while (table := await host.table("running")).status is Status.RUNNING:
            seat = table.deciding[0]
            word = table.game.write(table.game.legal(table.state, seat)[-1])
            await host.move("running", seat, word, table.number(seat), "")
        assert table.outcome is not None
        (waiting,) = [
            card
            for card in await host.tables_of(GUESTS[Seat(0)], before=None, most=9)
            if card.status is Status.OPEN
        ]
        for guest in (1, 2):
            await host.sit(waiting.id, None, GUESTS[Seat(guest)])
        assert (await host.table(waiting.id)).status is Status.RUNNING
    assert not any(each.faults for each in examine(old))


async def test_a_backup_of_an_older_program_is_restored(
    schema: str, place: str, tmp_path: Path
) -> None:
    """Into either database; the backup itself is not touched."""
    backup = tmp_path / "old.db"
    write_file(dump_of(schema), backup)
    assert restore(backup, place) == 3
    assert not any(each.faults for each in examine(place))
    with engine_of(backup).connect() as connection:
        assert revision_of(connection) == schema


# --- Newer -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder that a newer program has used, and one of this program; neither is changed."""
    newer, older = tmp_path_factory.mktemp("newer"), tmp_path_factory.mktemp("older")
    for folder in (newer, older):
        write_file(dump_of(REVISION), folder / "mauerwerk.db")
    with engine_of(newer, writing=True).begin() as connection:
        connection.execute(sa.update(VERSION).values(version_num="9999"))
    return newer, older


@pytest.mark.parametrize(
    "command",
    [
        "backup --data {newer} {folder}/copy.db",
        "doctor --data {newer}",
        "restore {newer}/mauerwerk.db --data {folder}/new",
        "restore {older}/mauerwerk.db --data {newer}",
        "maintain --data {newer}",
        "maintain --data {newer} --dry-run",
        "admin tables --data {newer}",
        "serve --data {newer} --port 0 --no-compile",
    ],
)
def test_a_newer_database_is_refused_in_one_line(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """By every command that opens it, and nothing is changed."""
    newer, older = two
    before = (newer / "mauerwerk.db").read_bytes()

    line = refused(capsys, command.format(newer=newer, older=older, folder=tmp_path))
    assert "a newer Mauerwerk wrote this database: it has schema 9999" in line
    assert (newer / "mauerwerk.db").read_bytes()[100:] == before[100:]
    assert not (tmp_path / "copy.db").exists()
