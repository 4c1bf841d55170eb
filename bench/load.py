"""Load test of one server: moves, streams, attacks, memory, a full store.

python -m bench.load [SECONDS]       writes bench/results-load.md

The server has one core, and the load has another. In the same run a server that only echoes is
measured too. It shows the limit of the web server that both use.
"""

import asyncio
import os
import platform
import pstats
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop
from bench import load_attacks, load_streams
from bench.load_client import (
    OPTIONS,
    PushServices,
    Table,
    at_a_rate,
    chat,
    connect,
    flat_out,
    script,
)
from bench.load_process import LOAD_CORE, Running, percentile, running
from tests.support.kept_games import by_chance, charter_of
from tests.support.push_service import PushService

from mauerwerk.games import GAMES
from mauerwerk.server.database import rows
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.transcript import transcript

RESULTS = Path(__file__).with_name("results-load.md")
BUSY_TABLES = 64
WATCHED_TABLES = 250
"""Each has four viewers, so there are a thousand streams."""

RATE = 200.0
CHAT = 50.0
"""How often per second somebody says something, where people chat."""

NOTIFIED = 100
"""How many people are notified meanwhile, each on a device of their own."""

GAMES_KEPT = 10_000
LINES = 25


def lay_tables(
    which: str, server: Running, count: int, services: PushServices
) -> tuple[list[Table], str]:
    """Tables that are about to begin, each with a prepared game; the echo accepts any table.

    Where people are notified, some wait at tables of their own, whose turn lasts long enough.
    """
    scripts = [script(seed) for seed in range(8)]
    if which == "echo":
        names = [f"table{each}" for each in range(count)]
        return [Table(n, scripts[i % 8], "x") for i, n in enumerate(names)], "x"
    order = {
        "game": "mauer",
        "chairs": [{"kind": "human"}] * 3,
        "mine": [0, 1, 2],
        "options": OPTIONS,
        "public": True,
    }
    tables: list[Table] = []
    token = ""
    with httpx.Client(base_url=server.home) as client:
        for each in range(NOTIFIED if which == "notifying" else 0):
            token = server.guest()
            ask_for_calls(client, token, f"{services.address}/{each}")
            headers = {"authorization": f"Bearer {token}"}
            client.post("/api/tables", json=order, headers=headers).raise_for_status()
        for each in range(count):
            if each % 40 == 0:  # the number of tables of a guest is limited
                token = server.guest()
                if which == "notifying":
                    ask_for_calls(client, token, f"{services.address}/of-{each}")
            headers = {"authorization": f"Bearer {token}"}
            name = client.post("/api/tables", json=order, headers=headers).json()["table"]
            tables.append(Table(name, scripts[each % 8], token))
    return tables, token


def ask_for_calls(client: httpx.Client, token: str, endpoint: str) -> None:
    """Let a guest be notified at any time on a device of this address."""
    device = PushService().device
    client.cookies.set("mauerwerk", token)
    fields = {"endpoint": endpoint, "key": device.key, "auth": device.auth}
    headers = {"origin": str(client.base_url).rstrip("/")}
    always = {"pace": "now", "from": "00:00", "to": "00:00", "zone": "UTC"}
    for path, said in (("/me/notifications", always), ("/me/notifications/device", fields)):
        answer = client.post(path, data=said, headers=headers)
        assert answer.status_code in {200, 303}, answer.text
    client.cookies.clear()


def measure(which: str, count: int, seconds: float, rate: float = 0, profile: str = "") -> Any:  # noqa: ANN401
    """The results of a server under this load: at a given rate, or at full speed.

    At full speed these are the moves per second, and the microseconds of CPU time for each.
    """
    with tempfile.TemporaryDirectory() as folder, running(which, Path(folder), profile) as server:
        services, notifying = PushServices(), which == "notifying"
        tables, _ = lay_tables(which, server, count, services)

        async def load() -> Any:  # noqa: ANN401
            for table in tables:
                await connect(server.port, table, table.token, chats=notifying)
            if notifying:
                async with await services.open():
                    chatting = asyncio.create_task(chat(server.port, tables, CHAT))
                    heard = await at_a_rate(server.port, tables, rate, seconds)
                    chatting.cancel()
                    overheard = sum(table.overheard for table in tables)
                    return heard, services.taken, overheard
            if rate:
                return await at_a_rate(server.port, tables, rate, seconds)
            before = server.cpu()
            moves = await flat_out(server.port, tables, seconds)
            spent = server.cpu() - before
            return moves, 1e6 * spent / sum(table.answered for table in tables)

        return uvloop.run(load())


# --- A full house ----------------------------------------------------------------------------


def fill(folder: Path) -> list[str]:
    """Store ten thousand finished games of all three kinds; return their ids."""
    originals = [_played(name, seed) for name in GAMES for seed in range(4)]

    async def keep() -> list[str]:
        store = store_at(folder)
        await store.open()
        names: list[str] = []
        for each in range(GAMES_KEPT):
            charter, seed, entries, card, text = originals[each % len(originals)]
            name = f"game{each:05}"
            named = msgspec.structs.replace(charter, id=name)
            shown = msgspec.structs.replace(card, id=name, changed=card.changed + each)
            owners = (f"guest{each % 500}", *(("",) * (card.seats - 1)))
            names.append(name)
            # A table is laid before it is over; nobody waits for the disk here.
            await store.put(rows.creation(named, seed, entries[:1], shown, owners))
            await store.put(rows.change(name, entries[1:], shown, owners, text))
        await store.close()
        return names

    with _without_sync():
        return asyncio.run(keep())


@contextmanager
def _without_sync() -> Generator[None, None, None]:
    """Switch off disk synchronisation while the store is filled, which is not measured."""
    from mauerwerk.server.database import sqlite  # noqa: PLC0415 - changed for a moment

    connect_fully = sqlite.connect

    def connect_lightly(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect_fully(path, mode)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    sqlite.connect = connect_lightly
    try:
        yield
    finally:
        sqlite.connect = connect_fully


def _played(game: str, number: int) -> tuple[Any, ...]:
    """A whole random game."""
    seed = bytes([number]) * 32
    charter = charter_of(game, {}, seed=seed)
    pens = list(by_chance(charter, seed, random.Random(number)))  # noqa: S311
    entries = tuple(entry for transaction in pens for entry in transaction.entries)
    table = pens[-1].table
    assert fold(charter, entries) == table
    return charter, seed, entries, table.card(), transcript(table, seed)


def open_all(folder: Path, names: list[str]) -> dict[str, list[float]]:
    """Milliseconds for opening pages for the first time."""
    rng = random.Random(2)  # noqa: S311
    found: dict[str, list[float]] = {}
    with running("mauerwerk", folder) as server, httpx.Client(timeout=20) as client:
        home = f"{server.home}/api/tables"
        client.get(f"{server.home}/healthz")

        def get(what: str, path: str) -> Any:  # noqa: ANN401
            began = time.perf_counter()
            answer = client.get(home + path)
            if path != "/nothing":
                answer.raise_for_status()
            found.setdefault(what, []).append(1_000 * (time.perf_counter() - began))
            return answer

        before = ""
        for _ in range(200):
            page = get("the lobby, page by page", f"?status=over&limit=50{before}").json()["tables"]
            before = f"&before={page[-1]['changed']}"
        for name in rng.sample(names, 300):
            get("for comparison: a game that does not exist", "/nothing")
            get("a game for the first time", f"/{name}")
            get("its story", f"/{name}/history")
            get("its record", f"/{name}/record")
    return found


# --- The report ------------------------------------------------------------------------------


def profiled(seconds: float) -> str:
    """Profile the server at full speed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile"
        measure("mauerwerk", BUSY_TABLES, seconds, profile=str(file))
        out = Path(folder) / "out"
        with out.open("w") as stream:
            pstats.Stats(str(file), stream=stream).sort_stats("tottime").print_stats(LINES)
        text = out.read_text()
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def main(seconds: float) -> None:
    """Measure everything, and write the page."""
    os.sched_setaffinity(0, {LOAD_CORE})
    echoes: list[tuple[float, float]] = []
    mine: list[tuple[float, float]] = []
    for _ in range(3):
        echoes.append(measure("echo", BUSY_TABLES, seconds))
        mine.append(measure("mauerwerk", BUSY_TABLES, seconds))
    (echo, echo_cpu), (ours, cpu) = (
        [statistics.median(column) for column in zip(*each, strict=True)] for each in (echoes, mine)
    )
    echo_heard = [1_000 * each for each in measure("echo", WATCHED_TABLES, seconds, RATE)]
    heard = [1_000 * each for each in measure("mauerwerk", WATCHED_TABLES, seconds, RATE)]
    also_heard, notified, overheard = measure("notifying", WATCHED_TABLES, max(seconds, 20), RATE)
    also_heard = [1_000 * each for each in also_heard]
    with tempfile.TemporaryDirectory() as folder:
        names = fill(Path(folder))
        opened = open_all(Path(folder), names)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    figures = f"{ours:,.0f} | {echo:,.0f} | {ours / echo:.2f}"
    work = f"{cpu:.0f} | {echo_cpu:.0f} | {echo_cpu / cpu:.2f}"
    lines = [
        "# Benchmarks of one server under load",
        "",
        f"Written by `python -m bench.load` on {datetime.now(UTC):%Y-%m-%d}.",
        f"Python {platform.python_version()}; one core for the server, one for the load.",
        f"Load average of the machine at the end: {load}.",
        "The echo is the same web server without tables, rules or disk.",
        "",
        "| what | Mauerwerk | echo | ratio |",
        "|---|---|---|---|",
        f"| moves per second, each on disk and received by 4 viewers | {figures} |",
        f"| CPU time of the server for each of them, µs | {work} |",
    ]
    for name, share in (("median", 0.5), ("99th percentile", 0.99)):
        our, their = percentile(heard, share), percentile(echo_heard, share)
        lines.append(
            f"| {RATE:.0f} moves per second, 1,000 streams: ms until the last viewer has it, "
            f"{name} | {our:.1f} | {their:.1f} | {our / their:.1f} |"
        )
        also = percentile(also_heard, share)
        lines.append(
            f"| the same with {notified} people notified, and {overheard:,} times something said "
            f"is heard, {name} | {also:.1f} | {their:.1f} | {also / their:.1f} |"
        )
    lines += ["", f"With {GAMES_KEPT:,} finished games of all three kinds stored, in ms:", ""]
    lines += ["| opened | median | 99th percentile | worst |", "|---|---|---|---|"]
    for what, values in opened.items():
        middle, most = statistics.median(values), percentile(values, 0.99)
        lines.append(f"| {what} | {middle:.1f} | {most:.1f} | {max(values):.1f} |")
    lines += [
        "",
        "One client asks for as much as it may. What another player waits for a look at a table",
        "of their own, in ms:",
        "",
        *load_attacks.lines(load_attacks.measure(seconds)),
        "",
        load_streams.sentence(load_streams.STREAMS, *load_streams.streams_of(load_streams.STREAMS)),
        "",
        "| game | kB of a table in memory after a whole game | kB of an entry |",
        "|---|---|---|",
    ]
    lines += [
        f"| {game} | {table:.0f} | {entry:.2f} |"
        for game, (table, entry) in load_streams.table_sizes().items()
    ]
    RESULTS.write_text("\n".join(lines) + "\n")
    print(RESULTS.read_text())  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1:2] == ["profile"]:
        print(profiled(8.0))  # noqa: T201
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
