"""A database of every schema there has been is brought up to date, with all that is in it.

The dumps in `schemas` were written by the programs that had these schemas. One more step that is
made up here shows that a database is upgraded whatever its schema.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from tests.cli.asking import refused
from tests.server.database.schemas.dump import one_line
from tests.support.hosts import opened
from tests.support.kept_games import GUESTS
from tests.support.notifications import Clock, Postbox, notify, notifying

from mauerwerk.core.game import Seat
from mauerwerk.server.database import migrations
from mauerwerk.server.database.backup import restore
from mauerwerk.server.database.connect import engine_of, is_url, store_at
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.database.errors import SchemaError
from mauerwerk.server.database.migrations import VERSION, migrate, revision_of
from mauerwerk.server.database.migrations import steps as steps_module
from mauerwerk.server.database.schema import METADATA, TABLES
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio

SCHEMAS = Path(__file__).parent / "schemas"
OLD = sorted(path.stem for path in SCHEMAS.glob("*.sql"))

NEXT = f"{int(migrations.REVISION) + 1:04}"
STEP = f'''"""A colour for every table."""

import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{migrations.REVISION}"


def upgrade() -> None:
    op.add_column("tables", sa.Column("colour", sa.Text, nullable=False, server_default="red"))
    op.execute("UPDATE tables SET size = 7")
'''  # noqa: S608 - nothing of it comes from outside


def write_file(schema: str, path: Path) -> None:
    """The database of this schema as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SCHEMAS / f"{schema}.sql").read_text(encoding="utf-8"))


def write_postgresql(file: Path, url: str, schema: str) -> None:
    """The rows of such a file in PostgreSQL, in the same tables."""
    dump = (SCHEMAS / f"{schema}.sql").read_text(encoding="utf-8").splitlines()
    made = [line for line in dump if line.startswith("CREATE")]
    with engine_of(url, writing=True).begin() as target, engine_of(file).connect() as connection:
        for statement in sorted(made, key=lambda line: "REFERENCES" in line or "INDEX" in line):
            in_postgresql = statement.replace("BLOB", "BYTEA").replace("WITHOUT ROWID", "")
            target.exec_driver_sql(in_postgresql.replace("%", "%%"))
        tables = sa.MetaData()
        tables.reflect(target)
        for table in tables.sorted_tables:
            rows = connection.execute(sa.select(table)).mappings().all()
            if rows:
                target.execute(sa.insert(table), [dict(row) for row in rows])


def put(file: Path, place: str, schema: str) -> None:
    """Such a database at this place."""
    if is_url(place):
        write_postgresql(file, place, schema)
    else:
        Path(place).mkdir(parents=True, exist_ok=True)
        shutil.copy(file, Path(place) / "mauerwerk.db")


@pytest.fixture(params=OLD)
def schema(request: pytest.FixtureRequest) -> str:
    """A schema that there has been."""
    name: str = request.param
    return name


@pytest.fixture
def next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is one step further."""
    steps = tmp_path / "steps"
    shutil.copytree(steps_module.STEPS, steps)
    (steps / "versions" / f"v{NEXT}_colours.py").write_text(STEP, encoding="utf-8")
    monkeypatch.setattr(steps_module, "STEPS", steps)
    monkeypatch.setattr(migrations, "REVISION", NEXT)


@pytest.fixture
def file(schema: str, tmp_path: Path) -> Path:
    """A database file of that schema."""
    path = tmp_path / "old" / "mauerwerk.db"
    write_file(schema, path)
    return path


@pytest.fixture
def old(place: str, schema: str, file: Path) -> str:
    """Where a database of that schema is."""
    put(file, place, schema)
    return place


def test_every_schema_has_a_dump() -> None:
    """A new migration needs a new dump: `python tests/server/database/schemas/dump.py`."""
    steps = ScriptDirectory(str(steps_module.STEPS))
    assert sorted(each.revision for each in steps.walk_revisions()) == OLD


async def test_the_steps_make_what_the_metadata_says(old: str) -> None:
    """A database that was brought up to date has exactly the schema of a new one."""
    store = store_at(old)
    await store.open()
    await store.close()
    with engine_of(old).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_the_steps_make_each_statement_that_the_metadata_makes(file: Path, tmp_path: Path) -> None:
    """Also what Alembic does not compare, such as the rows that an index leaves out.

    Where this fails, the schema has changed and needs a new migration, or a step has changed.
    """
    new = tmp_path / "mauerwerk.db"
    new.touch()

    def made(path: Path) -> set[str]:
        with engine_of(path, writing=True).begin() as connection:
            migrate(connection)
            found = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql <> ''")
            return {one_line(sql) for sql in found.scalars()}

    assert made(file) == made(new)


async def test_all_that_was_there_is_there(old: str, file: Path) -> None:
    """Tables, records, lists and the secret read as before, and the doctor finds them sound."""
    with engine_of(file).connect() as connection:
        secret = connection.exec_driver_sql("SELECT value FROM server_state WHERE name = 'secret'")
        kept = bytes(secret.scalar_one())
        rows = connection.exec_driver_sql("SELECT id, length, record FROM tables").all()
    store = store_at(old)
    await store.open()
    assert await store.secret() == kept
    assert await store.count() == {"open": 1, "running": 1, "over": 1}
    for id_, length, record in rows:
        stored = await store.load(id_)
        assert stored
        assert len(stored.entries) == length
        assert await store.record(id_) == record
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
            for card in await host.store.tables_of(GUESTS[Seat(0)].id, before=None, most=9)
            if card.status is Status.OPEN
        ]
        for guest in (1, 2):
            await host.sit(waiting.id, None, GUESTS[Seat(guest)])
        assert (await host.table(waiting.id)).status is Status.RUNNING
    assert not any(each.faults for each in examine(old))


async def test_messages_that_wait_are_sent_after_an_upgrade(
    place: str, tmp_path: Path, clock: Clock, postbox: Postbox
) -> None:
    """Schema 0002 makes their table anew, in either database."""
    file = tmp_path / "old" / "mauerwerk.db"
    write_file("0001", file)
    with engine_of(file, writing=True).begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO notification_preferences VALUES"
            " ('ada', 'now', 0, 0, 'UTC', 'en', 'ada@post.example', NULL, 'proof', 'stop')"
        )
        connection.exec_driver_sql(
            "INSERT INTO outbox VALUES"
            " ('m', 'ada', 'confirm', 'ada@post.example', '[]', 0, 'waiting', 0, NULL)"
        )
    put(file, place, "0001")
    clock.now = 1.0
    async with notifying(place, clock, postbox) as host:
        await notify(host)
    assert [each.id for each in postbox.sent] == ["m"]


# --- One more step ---------------------------------------------------------------------------


def sizes(place: str | Path) -> tuple[str | None, list[int]]:
    """The schema of a database, and what the next step wrote for each table."""
    with engine_of(place).connect() as connection:
        return revision_of(connection), list(connection.scalars(sa.select(TABLES.c.size)))


@pytest.mark.usefixtures("next_step")
async def test_a_server_brings_an_older_database_up_to_date(old: str, schema: str) -> None:
    """When it starts, and everything that was there is there."""
    with pytest.raises(SchemaError, match=f"has schema {schema}, this program reads schema {NEXT}"):
        list(examine(old))
    store = store_at(old)
    await store.open()
    assert await store.count() == {"open": 1, "running": 1, "over": 1}
    await store.close()
    assert sizes(old) == (NEXT, [7] * 3)
    with engine_of(old).connect() as connection:
        colours = connection.exec_driver_sql("SELECT colour FROM tables").scalars()
        assert list(colours) == ["red"] * 3


@pytest.mark.usefixtures("next_step")
async def test_a_new_database_needs_no_steps(place: str) -> None:
    """It is of the last schema from the beginning."""
    store = store_at(place)
    await store.open()
    await store.close()
    assert sizes(place) == (NEXT, [])


@pytest.mark.usefixtures("next_step")
def test_a_backup_of_an_older_program_is_restored(file: Path, schema: str, place: str) -> None:
    """Into either database; the backup itself is not touched."""
    assert restore(file, place, as_it_was=True).tables == 3
    assert sizes(place) == (NEXT, [7] * 3)
    with engine_of(file).connect() as connection:
        assert revision_of(connection) == schema


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    """A file of another program is not examined."""
    path = tmp_path / "mauerwerk.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(SchemaError, match="holds no tables of Mauerwerk"):
        list(examine(path))


# --- Newer -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder that a newer program has used, and one of this program; neither is changed."""
    newer, older = tmp_path_factory.mktemp("newer"), tmp_path_factory.mktemp("older")
    for folder in (newer, older):
        write_file(migrations.REVISION, folder / "mauerwerk.db")
    with engine_of(newer, writing=True).begin() as connection:
        connection.execute(sa.update(VERSION).values(version_num="9999"))
    return newer, older


@pytest.mark.parametrize(
    "command",
    [
        "backup --data {newer} {folder}/copy.db",
        "doctor --data {newer}",
        "restore {newer}/mauerwerk.db --data {folder}/new --as-it-was",
        "restore {older}/mauerwerk.db --data {newer} --as-it-was",
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
