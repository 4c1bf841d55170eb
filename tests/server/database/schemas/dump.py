"""Write a small database as the present program makes it, to test upgrades from its schema.

    python tests/server/database/schemas/dump.py

The file is named for the schema. Once a schema is released, its file is never written again.
"""

import asyncio
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[3]))

from tests.support.kept_games import GUESTS, keep_short_game  # noqa: E402 - found by the path

from mauerwerk.core.game import Seat  # noqa: E402
from mauerwerk.server.database.connect import store_at  # noqa: E402
from mauerwerk.server.database.migrations import REVISION  # noqa: E402
from mauerwerk.server.engine.host import Host  # noqa: E402
from mauerwerk.server.tables.charter import Chair, Order  # noqa: E402


async def fill(folder: Path) -> None:
    """A finished game, one that is running, and a table that waits for players."""
    host = Host(store_at(folder))
    await host.open()
    await keep_short_game(host.store, "over")
    await keep_short_game(host.store, "running", most=9)
    order = Order("mauer", (Chair("human"), Chair("open"), Chair("open")), {}, (Seat(0),))
    await host.create(order, GUESTS[Seat(0)])
    await host.close()


def one_line(statement: str) -> str:
    """A statement that makes a table, in one line; others as they are."""
    return " ".join(statement.split()) if statement.startswith("CREATE") else statement


def main() -> None:
    """Write the file: the statements that make the tables and their rows."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fill(Path(folder)))
        with closing(sqlite3.connect(Path(folder) / "mauerwerk.db")) as connection:
            text = "\n".join(map(one_line, connection.iterdump()))
    (HERE / f"{REVISION}.sql").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
