"""The schema is that of the last step, and has the indexes that lists need."""

from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from tests.support.rows import keep_table

from mauerwerk.server.database import migrations
from mauerwerk.server.database.connect import engine_of
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio

SCANS = ("SCAN tables", "SCAN entries", "SCAN owners")
"""How SQLite says that it would read everything there is."""


def test_the_program_speaks_of_the_last_step() -> None:
    """`REVISION` is the last migration."""
    steps = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert steps.get_current_head() == migrations.REVISION


async def test_lists_are_found_by_an_index(tmp_path: Path) -> None:
    """The lobby, a guest's tables and due tables are found without reading all tables."""
    from mauerwerk.server.database.sqlite import SQLiteDriver, SQLiteStore  # noqa: PLC0415

    store = SQLiteStore(tmp_path / "mauerwerk.db")
    await store.open()
    await keep_table(store)
    say = SQLiteDriver(store.path).say
    queries = {
        say.lobby.sql: say.lobby.row(status=Status.OPEN.value, before=9, most=9),
        say.tables_of.sql: say.tables_of.row(guest="ann", before=9, most=9),
        say.due.sql: say.due.row(before=9),
        say.entries.sql: say.entries.row(table="first", seq=0),
    }
    with engine_of(tmp_path).connect() as connection:
        for sql, row in queries.items():
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", row).all()
            steps = [step[3] for step in plan]
            assert not [step for step in steps if step.startswith(SCANS)], steps
    await store.close()
