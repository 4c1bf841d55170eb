"""A process that adds to logs as fast as it can, and says which entries it was told are kept.

python -m tests.server.database.appending PLACE MARK COUNT TABLE...
"""

import asyncio
import sys

from tests.support.rows import play

from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.errors import OvertakenError
from mauerwerk.server.database.store import Store


async def append(store: Store, table: str, mark: str, count: int) -> None:
    """Add so many entries; who is overtaken reads on and tries again."""
    seq = len(await store.entries(table, 0))
    for number in range(count):
        word = f"{mark}{number}"
        while True:
            try:
                await play(store, table, seq, word)
            except OvertakenError:
                seq += len(await store.entries(table, seq))
            else:
                print(table, seq, word, flush=True)  # noqa: T201 - what the test reads
                seq += 1
                break


async def main(place: str, mark: str, count: str, *tables: str) -> None:
    """All tables at once."""
    store = store_at(place)
    await store.open()
    await asyncio.gather(*(append(store, table, mark, int(count)) for table in tables))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
