"""Write a small database as the present program makes it, to test upgrades from its schema.

    python tests/server/database/schemas/dump.py

The file is named for the schema. Once a schema is released, its file is never written again.
"""

import asyncio
import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[3]))

from tests.support.kept_games import GUESTS, keep_short_game  # noqa: E402 - found by the path

from mauerwerk.core.game import Seat  # noqa: E402
from mauerwerk.server.database.store import store_at  # noqa: E402
from mauerwerk.server.engine.host import Host  # noqa: E402
from mauerwerk.server.tables.charter import Chair, Order  # noqa: E402


async def fill(folder: Path) -> None:
    """A finished game, one that goes on, and a table that waits for players."""
    host = Host(store_at(folder))
    await host.open()
    await keep_short_game(host.store, "over")
    await keep_short_game(host.store, "running", most=9)
    order = Order("mauer", (Chair("human"), Chair("open"), Chair("open")), {}, (Seat(0),))
    await host.create(order, GUESTS[Seat(0)])
    await host.close()


def dumped(path: Path) -> dict[str, Any]:
    """The statements that made its tables, and all rows."""
    connection = sqlite3.connect(path)
    made = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    ).fetchall()
    names = [
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
    ]
    rows: dict[str, list[dict[str, Any]]] = {}
    for name in names:
        cursor = connection.execute(f"SELECT * FROM {name}")  # noqa: S608 - a name that was just read
        columns = [each[0] for each in cursor.description]
        rows[name] = [dict(zip(columns, map(_text, row), strict=True)) for row in cursor]
    return {"made": [sql for _, sql in made], "rows": rows}


def _text(value: object) -> object:
    """Bytes as JSON has them."""
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fill(Path(folder)))
        found = dumped(Path(folder) / "mauerwerk.db")
    (row,) = found["rows"]["alembic_version"]
    file = HERE / f"{row['version_num']}.json"
    file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
