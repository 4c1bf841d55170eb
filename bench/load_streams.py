"""How many streams one process can hold, when the last of them has heard, and what each takes up.

python -m bench.load_streams [STREAMS]
"""

import asyncio
import random
import resource
import statistics
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import httpx
import uvloop
from bench.load_attacks import open_table
from bench.load_client import FIRST, request
from bench.load_process import Running, running
from tests.support.kept_games import by_chance, charter_of

from mauerwerk.games import GAMES
from mauerwerk.server.tables.folding import fold

STREAMS = 10_000
AT_ONCE = 200
MOVES = 6
LIVE = 10
"""How many tables of each game are brought into memory to see how large they are."""


class Hearing(asyncio.Protocol):
    """One of many listeners; each tells when it has heard something."""

    def __init__(self, heard: "Heard") -> None:
        """Count here."""
        self._heard = heard

    def data_received(self, data: bytes) -> None:
        """Count notices, and that the stream has begun."""
        if b"retry: " in data:
            self._heard.add()
        for _ in range(data.count(b"\ndata: ")):
            self._heard.add()


class Heard:
    """How many listeners have heard something."""

    def __init__(self, all_of_them: int) -> None:
        """Wait for this many."""
        self._wanted = all_of_them
        self.missing = all_of_them
        self.done = asyncio.Event()

    def add(self) -> None:
        """One more has."""
        self.missing -= 1
        if not self.missing:
            self.done.set()

    def again(self) -> None:
        """Wait for all of them once more."""
        self.missing = self._wanted
        self.done.clear()


async def listen(server: Running, table: str, token: str, streams: int) -> tuple[list[float], int]:
    """Milliseconds until the last stream has heard each move, and bytes for each stream."""
    loop, heard = asyncio.get_running_loop(), Heard(streams)
    message = request("GET", f"/api/tables/{table}/stream?seat=none", token)
    before = server.memory()
    for start in range(0, streams, AT_ONCE):
        made = await asyncio.gather(
            *(
                loop.create_connection(lambda: Hearing(heard), "127.0.0.1", server.port)
                for _ in range(min(AT_ONCE, streams - start))
            )
        )
        for transport, _ in made:
            transport.write(message)
    await heard.done.wait()
    held = (server.memory() - before) // streams
    took: list[float] = []
    async with httpx.AsyncClient(base_url=f"{server.home}/api/tables/{table}") as client:
        for move in range(MOVES):
            heard.again()
            began = time.perf_counter()
            said = {"seat": move % 3, "move": "-", "version": FIRST + move}
            headers = {"authorization": f"Bearer {token}"}
            (await client.post("/moves", json=said, headers=headers)).raise_for_status()
            await heard.done.wait()
            took.append(1_000 * (time.perf_counter() - began))
    return took, held


def streams_of(streams: int) -> tuple[list[float], int]:
    """The same, of a server that holds so many streams of one table."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the server inherits it
    with tempfile.TemporaryDirectory() as folder, running("mauerwerk", Path(folder)) as server:
        token = server.guest()
        table = open_table(server, token)
        return uvloop.run(listen(server, table, token, streams))


def table_sizes() -> dict[str, tuple[float, float]]:
    """For each game, the kilobytes of a table in memory after a whole game, and of an entry."""
    found: dict[str, tuple[float, float]] = {}
    for name in GAMES:
        seed = bytes(32)
        charter = charter_of(name, {}, seed=seed)
        games = [
            [
                entry
                for each in by_chance(charter, seed, random.Random(game))  # noqa: S311
                for entry in each.entries
            ]
            for game in range(LIVE)
        ]
        tracemalloc.start()
        tables = [fold(charter, entries) for entries in games]
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        entries = sum(table.seq for table in tables)
        found[name] = size / 1_000 / len(tables), size / 1_000 / entries
    return found


def sentence(streams: int, took: list[float], held: int) -> str:
    """What was measured of streams."""
    return (
        f"{streams:,} open streams of one table in one process: {statistics.median(took):.0f} ms "
        f"until the last has heard a move (worst of {len(took)}: {max(took):.0f} ms), "
        f"{held / 1_000:.1f} kB of memory for each stream."
    )


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else STREAMS
    print(sentence(number, *streams_of(number)))  # noqa: T201
    print(table_sizes())  # noqa: T201
