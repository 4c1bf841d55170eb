"""How fast a store is: writing entries of many tables at once, and reading lists of many games.

python -m bench.store                       # a file in a temporary folder
python -m bench.store postgresql://…        # an empty database, which is filled
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from statistics import median, quantiles

import click
from tests.support.rows import OWNERS, card, charter, moves

from mauerwerk.server.database import rows
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.store import Store
from mauerwerk.server.tables.table import Card, Status

TABLES = 200
SECONDS = 4.0
BUSY = 0.004
"""Seconds for which a busy event loop does other work, repeatedly."""

FINISHED = 10_000
ENTRIES = 120
AT_ONCE = 250


def shown(name: str, changed: int, status: Status = Status.RUNNING) -> Card:
    """What the lobby shows of a table; one that is running is also due."""
    due = changed if status is Status.RUNNING else None
    return card(name, changed=changed, status=status, due=due)


async def appends(
    store: Store, lengths: dict[str, int], *, busy: bool
) -> tuple[float, list[float]]:
    """Let every table repeatedly add two entries; return entries per second and each delay."""
    end = time.perf_counter() + SECONDS
    waits: list[float] = []

    async def play(name: str) -> None:
        while (began := time.perf_counter()) < end:
            seq = lengths[name]
            await store.put(rows.change(name, moves(seq, "T T"), shown(name, seq), OWNERS, None))
            lengths[name] += 2
            waits.append(time.perf_counter() - began)

    async def work() -> None:
        while busy and (now := time.perf_counter()) < end:
            while time.perf_counter() < now + BUSY:
                pass
            await asyncio.sleep(0)

    await asyncio.gather(work(), *(play(name) for name in lengths))
    return len(waits) / SECONDS, waits


async def fill(store: Store) -> None:
    """Store many finished games."""
    for start in range(0, FINISHED, AT_ONCE):
        names = [f"over-{n:06}" for n in range(start, start + AT_ONCE)]
        await asyncio.gather(
            *(
                store.put(
                    rows.creation(
                        charter(name),
                        bytes(32),
                        moves(0, "T " * ENTRIES),
                        shown(name, start + n, Status.OVER),
                        OWNERS,
                    )
                )
                for n, name in enumerate(names)
            )
        )


async def timed(what: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds, as a median of many times."""
    took: list[float] = []
    for _ in range(51):
        began = time.perf_counter()
        await what()
        took.append(time.perf_counter() - began)
    return 1_000 * median(took)


async def main(place: str) -> None:
    """Print what was measured."""
    store = store_at(place)
    await store.open()
    lengths = {f"table-{n:03}": 0 for n in range(TABLES)}
    for name in lengths:
        await store.put(rows.creation(charter(name), bytes(32), (), shown(name, 0), OWNERS))
    for busy in (False, True):
        rate, waits = await appends(store, lengths, busy=busy)
        last = 1_000 * quantiles(waits, n=100)[-1]
        click.echo(
            f"{TABLES} tables, loop {'busy' if busy else 'idle'}: {rate:,.0f} appends a second, "
            f"{1_000 * median(waits):.1f} ms in the middle, {last:.1f} ms for the last in a hundred"
        )
    began = time.perf_counter()
    await fill(store)
    click.echo(f"{FINISHED} games of {ENTRIES} entries kept in {time.perf_counter() - began:.1f} s")
    for name, what in (
        ("lobby, 20", lambda: store.lobby(Status.OVER, before=None, most=20)),
        ("lobby, 20, far back", lambda: store.lobby(Status.OVER, before=500, most=20)),
        ("tables of a guest, 20", lambda: store.tables_of("ann", before=None, most=20)),
        ("load a finished game", lambda: store.load("over-004321")),
        ("due", lambda: store.due(0)),
        ("count", store.count),
    ):
        click.echo(f"{name}: {await timed(what):.2f} ms")
    await store.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(main(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(main(folder))
