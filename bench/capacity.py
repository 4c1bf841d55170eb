"""What 1, 2 and 4 servers hold on one PostgreSQL: the CPU time of a move, for each part.

    python -m bench.capacity [SECONDS [TABLES]]     prints the tables of docs/how-to/capacity.md

All servers, the database and the load share this machine, so what counts is CPU time: of the
servers that take a move and tell it to four viewers, of all servers together, and of the database.
The viewers of a table are at the server where it is played, as a proxy can arrange, or at another.
With as many tables as servers, moves come one at a time, as at a server that has little to do.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import uvloop
from bench.load import lay_tables
from bench.load_attacks import open_table
from bench.load_client import PushServices, Table, call, connect, flat_out
from bench.load_process import Running, running
from bench.load_streams import listen
from bench.paths import postgresql

SERVERS: Final = (1, 2, 4)
TABLES: Final = 48
STREAMS: Final = 2_000
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Measured(NamedTuple):
    """What moves took, each in microseconds or a number for each move."""

    servers: float
    database: float
    commits: float
    notifications: float
    moves: float
    """Moves per second, of all servers together."""


def cpu_of_postgresql(postmaster: int) -> float:
    """Seconds of CPU time of a PostgreSQL server and its processes, also those that have ended."""
    spent = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = stat.read_text().partition(" (")
        except OSError:
            continue
        fields = rest.rpartition(")")[2].split()
        if int(pid) == postmaster:
            spent += sum(map(int, fields[11:15])) / TICKS
        elif int(fields[1]) == postmaster:
            spent += sum(map(int, fields[11:13])) / TICKS
    return spent


async def spread(tables: Sequence[Table], servers: Sequence[Running], *, crossed: bool) -> None:
    """Connect the player of each table to one server, and its viewers to that or to the next."""
    for number, table in enumerate(tables):
        plays = servers[number % len(servers)]
        watches = servers[(number + crossed) % len(servers)]
        await connect(watches.port, table, table.token)
        assert table.transport
        table.transport.close()
        table.transport = None
        await call(plays.port, table)


def measure(
    number: int, seconds: float, tables: int = TABLES, *, crossed: bool = False
) -> Measured:
    """Play at so many servers of one database as fast as they go."""
    with ExitStack() as stack:
        url = stack.enter_context(postgresql())
        servers = [stack.enter_context(running("mauerwerk", url)) for _ in range(number)]
        # Each may run on any core: there are fewer cores here than servers.
        for server in servers:
            server.set_free()
        laid = [
            lay_tables("mauerwerk", server, tables // number, PushServices())[0]
            for server in servers
        ]
        opened = [table for together in zip(*laid, strict=True) for table in together]
        with psycopg.connect(url, autocommit=True) as database:
            ((backend,),) = database.execute("SELECT pg_backend_pid()").fetchall()
            stat = Path(f"/proc/{backend}/stat").read_text(encoding="ascii")
            postmaster = int(stat.rpartition(")")[2].split()[1])

            def commits() -> int:
                database.execute("SELECT pg_stat_clear_snapshot()")
                said = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
                return int(database.execute(said).fetchall()[0][0])

            database.execute("LISTEN mauerwerk")

            async def play() -> tuple[float, float, float, int]:
                await spread(opened, servers, crossed=crossed)
                await asyncio.sleep(2.0)
                before = sum(server.cpu() for server in servers), cpu_of_postgresql(postmaster)
                began = commits()
                rate = await flat_out(servers[0].port, opened, seconds)
                spent = sum(server.cpu() for server in servers) - before[0]
                by_database = cpu_of_postgresql(postmaster) - before[1]
                await asyncio.sleep(2.0)  # until the statistics are up to date
                return rate, spent, by_database, commits() - began

            rate, spent, by_database, done = uvloop.run(play())
            notices = list(database.notifies(timeout=1.0))
            moves = sum(table.answered for table in opened)
    return Measured(
        1e6 * spent / moves, 1e6 * by_database / moves, done / moves, len(notices) / moves, rate
    )


def of_streams() -> str:
    """The memory of idle streams of one process, and their CPU time."""
    with tempfile.TemporaryDirectory() as folder, running("mauerwerk", Path(folder)) as server:
        start = server.memory()
        token = server.guest()
        table = open_table(server, token)

        async def hold() -> tuple[Any, int, float]:
            took, held = await listen(server, table, token, STREAMS)
            before = server.cpu()
            await asyncio.sleep(16.0)
            return took, held, (server.cpu() - before) / 16

        took, held, idle = uvloop.run(hold())
    return (
        f"A process begins with {start / 1e6:.0f} MB. {STREAMS:,} streams of one table: "
        f"{held / 1e3:.1f} kB each, {1e6 * idle / STREAMS:.1f} µs of CPU time per second each while"
        f" nothing happens, and {1e3 * min(took) / STREAMS:.0f} µs each until the last has a move."
    )


def main(seconds: float, tables: int) -> None:
    """Print what was measured."""
    print(of_streams(), flush=True)  # noqa: T201
    print(  # noqa: T201
        "\n| servers | viewers | CPU of the servers, µs | of PostgreSQL, µs | commits "
        "| notifications |"
        "\n|---|---|---|---|---|---|"
    )
    for number in SERVERS:
        for crossed in (False, True)[: 1 + (number > 1)]:
            found = measure(number, seconds, tables, crossed=crossed)
            where = "at another server" if crossed else "at the same server"
            print(  # noqa: T201
                f"| {number} | {where} | {found.servers:.0f} | {found.database:.0f} | "
                f"{found.commits:.2f} | {found.notifications:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    given = [*map(float, sys.argv[1:])]
    main(given[0] if given else 5.0, int(given[1]) if len(given) > 1 else TABLES)
