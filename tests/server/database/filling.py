"""A process whose disk is full for a while: nothing may be written beyond a size.

python -m tests.server.database.filling PLACE
"""

import asyncio
import os
import resource
import sys

from tests.support.rows import keep_table, play

from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.errors import StorageError

MOST = 5_000
LONG = "x" * 2_000


async def main(place: str) -> None:
    """Play until the disk is full, then make room and play on; print what was acknowledged."""
    store = store_at(place)
    await store.open()
    await keep_table(store)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = os.stat(f"{place}/mauerwerk.db-wal").st_size  # noqa: PTH116 - moments
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1_000_000, unlimited[1]))
    seq = 2
    try:
        while seq < MOST:
            await play(store, "first", seq, f"{seq}{LONG}")
            seq += 1
    except StorageError as fault:
        print("full", str(fault).count("\n"), seq)  # noqa: T201
    still_readable = len(await store.entries("first", 0))
    print("readable", still_readable)  # noqa: T201
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    await play(store, "first", seq, "again")
    print("again", seq)  # noqa: T201
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
