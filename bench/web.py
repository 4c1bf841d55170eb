"""How many moves a server can take, store and send: Die Mauer, four seats, each with a stream.

    python bench/web.py --tables 50 --seconds 10 --watchers 1000

The server runs in another process, the players run in this one. Each needs a core; if they have to
share one, compare the server's CPU time per move.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from mauerwerk.core import options
from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import mauer

SEATS = 4
WORDS = {"rounds": "1", "first": "0"}
HOST = "127.0.0.1"


class Connection:
    """A connection that sends one request after another."""

    def __init__(self, port: int) -> None:
        """To the server at this port."""
        self._port = port

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(HOST, self._port)

    async def ask(self, path: str, token: str = "", **body: Any) -> Any:  # noqa: ANN401 - JSON
        """Send a request; return the response."""
        content = json.dumps(body).encode()
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {HOST}:{self._port}\r\n{bearer}"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self.writer.write(head.encode() + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in answer.split(b"\r\n")[1:-2])
        said = json.loads(await self.reader.readexactly(int(fields[b"content-length"])))
        if not answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
            raise RuntimeError(said)
        return said


class Count:
    """What was sent and received."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.moves = 0
        self.heard = 0
        self.seconds: list[float] = []


async def listen(port: int, table: str, token: str, count: Count) -> None:
    """Read the stream of a table until it ends."""
    reader, writer = await asyncio.open_connection(HOST, port)
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    path = f"/api/tables/{table}/stream"
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\n{bearer}\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    try:
        while told := await reader.read(65536):
            count.heard += told.count(b"\nevent: ")
    finally:
        writer.close()


async def play(port: int, until: float, count: Count, rng: random.Random) -> None:
    """Play one game after another, at all seats of a table."""
    line = Connection(port)
    await line.open()
    guest = (await line.ask("/api/guests", name="Ada"))["token"]
    chairs = [{"kind": "human"}] * SEATS
    while time.perf_counter() < until:
        opened = await line.ask(
            "/api/tables", guest, game="mauer", chairs=chairs, mine=[0, 1, 2, 3], options=WORDS
        )
        tokens = [seat["token"] for seat in opened["seats"]]
        listeners = [
            asyncio.create_task(listen(port, opened["table"], token, count)) for token in tokens
        ]
        await play_game(line, opened["table"], tokens, until, count, rng)
        for listener in listeners:
            listener.cancel()
    line.writer.close()


async def play_game(  # noqa: PLR0913, PLR0917 - where, who, how long, what for
    line: Connection, table: str, tokens: list[str], until: float, count: Count, rng: random.Random
) -> None:
    """One game; the rules are known here, so the table need not be requested."""
    state: Any = mauer.start(Setup(SEATS, options.from_words(mauer.OPTIONS, WORDS)))
    number = SEATS + 1
    while (asked := mauer.to_act(state)) and time.perf_counter() < until:
        seat = rng.choice(asked)
        action = rng.choice(mauer.legal(state, seat))
        began = time.perf_counter()
        done = await line.ask(
            f"/api/tables/{table}/moves",
            tokens[seat],
            move=mauer.write(action),
            version=number,
            idempotency_key=str(number),
        )
        count.seconds.append(time.perf_counter() - began)
        count.moves += 1
        number = done["number"]
        state = mauer.apply(state, Seat(seat), action).state


def processor_seconds(process: int) -> float:
    """What a process has used so far (Linux)."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:  # noqa: PTH123 - no file on disk
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(port: int, process: int, given: argparse.Namespace) -> Mapping[str, float]:
    """All figures of one run."""
    count, idle = Count(), Count()
    watched = Connection(port)
    await watched.open()
    guest = (await watched.ask("/api/guests", name="Bob"))["token"]
    table = (
        await watched.ask("/api/tables", guest, game="mauer", chairs=[{"kind": "open"}] * SEATS)
    )["table"]
    watchers = [asyncio.create_task(listen(port, table, "", idle)) for _ in range(given.watchers)]
    await asyncio.sleep(1 + given.watchers / 1000)
    before, began = processor_seconds(process), time.perf_counter()
    until = began + given.seconds
    rng = random.Random(1)  # noqa: S311 - not a secret
    await asyncio.gather(*(play(port, until, count, rng) for _ in range(given.tables)))
    passed = time.perf_counter() - began
    used = processor_seconds(process) - before
    for watcher in watchers:
        watcher.cancel()
    taken = sorted(count.seconds)
    return {
        "moves/s": count.moves / passed,
        "notices told/s": count.heard / passed,
        "idle streams besides": given.watchers,
        "moves for a second of the server's processor": count.moves / used,
        "answer, median ms": 1000 * taken[len(taken) // 2],
        "answer, 99 % ms": 1000 * taken[len(taken) * 99 // 100],
    }


def main() -> None:
    """Start a server, play, report."""
    parser = argparse.ArgumentParser(description="Measure a server.")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--watchers", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mauerwerk", "serve", "--port", "0", "--quiet"]
        server = subprocess.Popen(  # noqa: S603 - ourselves
            [*command, "--rate", "0", "--data", folder], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        port = int(server.stdout.readline().split()[3].rpartition(":")[2])
        try:
            figures = asyncio.run(measure(port, server.pid, given))
        finally:
            server.terminate()
            server.wait(30)
    table = Table(title=f"A server, {given.tables} tables of Die Mauer, four seats")
    for figure, value in figures.items():
        table.add_row(figure, f"{value:,.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
