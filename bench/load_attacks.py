"""What other players notice of a client that asks for as much as it may.

python -m bench.load_attacks [SECONDS]

One table has 3,000 moves. One client asks for its story as fast as its limits allow, or opens
streams that begin with the first move and reads none of them. Another player looks at a table of
their own meanwhile; every look is timed. Both have addresses of their own, as behind a proxy.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

import httpx
import uvloop
from bench.load_client import request
from bench.load_process import Running, percentile, running

MOVES = 3_000
STREAMS = 100
"""As many as one client may have open."""

RATE = 100.0
"""Requests per second that one client may send for long."""

PAUSE = 0.01
"""Seconds between two looks of the other player."""

OPTIONS = {"rounds": "10", "stall": "1000"}
VICTIM, ATTACKER = "192.0.2.1", "192.0.2.2"


def open_table(server: Running, token: str, moves: int = 0) -> str:
    """A table of Die Mauer at which one guest has all seats, after that many moves: all pass."""
    order = {
        "game": "mauer",
        "chairs": [{"kind": "human"}] * 3,
        "mine": [0, 1, 2],
        "options": OPTIONS,
        "moves": " ".join(f"{move % 3}:-" for move in range(moves)),
    }
    headers = {"authorization": f"Bearer {token}", "x-forwarded-for": VICTIM}
    made = httpx.post(f"{server.home}/api/tables", json=order, headers=headers, timeout=60)
    table: str = made.raise_for_status().json()["table"]
    return table


@asynccontextmanager
async def line(
    server: Running,
) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter], None]:
    """A connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def answer(reader: asyncio.StreamReader) -> int:
    """Read a whole response; its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    await reader.readexactly(length)
    return int(head.split(b" ", 2)[1])


def ask(path: str, token: str, address: str) -> bytes:
    """A request as it comes through a proxy."""
    bare = request("GET", path, token)
    return bare.replace(b"\r\n\r\n", b"\r\nx-forwarded-for: %b\r\n\r\n" % address.encode())


async def look(server: Running, message: bytes, seconds: float) -> list[float]:
    """How long each look takes, in milliseconds."""
    took: list[float] = []
    end = time.perf_counter() + seconds
    async with line(server) as (reader, writer):
        while (began := time.perf_counter()) < end:
            writer.write(message)
            status = await answer(reader)
            if status != HTTPStatus.OK:
                raise RuntimeError(f"a look was answered with {status}")
            took.append(1_000 * (time.perf_counter() - began))
            await asyncio.sleep(PAUSE)
    return took


Attack = Callable[[Running, str, str], Awaitable[None]]
"""Goes on until it is cancelled; it gets a token and the long table."""


async def rest(server: Running, token: str, table: str) -> None:
    """Do nothing, for comparison."""
    del server, token, table
    await asyncio.Event().wait()


async def ask_for_stories(server: Running, token: str, table: str) -> None:
    """Ask for the longest page of the story, at the rate that is allowed, whatever is answered."""
    message = ask(f"/api/tables/{table}/history?seat=none&limit=500", token, ATTACKER)
    async with line(server) as (reader, writer):
        began, asked = time.perf_counter(), 0
        while True:
            writer.write(message)
            await answer(reader)
            asked += 1
            await asyncio.sleep(max(0.0, began + asked / RATE - time.perf_counter()))


async def leave_streams_unread(server: Running, token: str, table: str) -> None:
    """Open as many streams as allowed from the first move on, read nothing, and do so again."""
    message = ask(f"/api/tables/{table}/stream?seat=none&after=0", token, ATTACKER)
    while True:
        open_streams: list[asyncio.WriteTransport] = []
        try:
            for _ in range(STREAMS):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1)
                del reader
                writer.write(message)
                open_streams.append(writer.transport)
            await asyncio.sleep(3.0)
        finally:
            for each in open_streams:
                each.abort()


ATTACKS: dict[str, Attack] = {
    "nothing else": rest,
    f"pages of a story of {MOVES:,} moves, {RATE:.0f} per second": ask_for_stories,
    f"{STREAMS} unread streams of {MOVES:,} moves": leave_streams_unread,
}


def measure(seconds: float) -> dict[str, list[float]]:
    """Milliseconds of each look, by what else happens."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, running("guarded", Path(folder)) as server:
        token = server.guest(**{"x-forwarded-for": VICTIM})
        mine, long = open_table(server, token), open_table(server, token, MOVES)
        message = ask(f"/api/tables/{mine}?seat=0", token, VICTIM)

        async def under(attack: Attack) -> list[float]:
            attacking = asyncio.ensure_future(attack(server, token, long))
            await asyncio.sleep(0.1)
            took = await look(server, message, seconds)
            assert not attacking.done(), attacking.exception()
            attacking.cancel()
            return took

        for name, attack in ATTACKS.items():
            found[name] = uvloop.run(under(attack))
    return found


def lines(found: dict[str, list[float]]) -> list[str]:
    """What was measured, as a table."""
    said = ["| meanwhile | median | 95th percentile | worst |", "|---|---|---|---|"]
    for name, took in found.items():
        middle, most = percentile(took, 0.5), percentile(took, 0.95)
        said.append(f"| {name} | {middle:.1f} | {most:.1f} | {max(took):.1f} |")
    return said


if __name__ == "__main__":
    given = float(sys.argv[1]) if len(sys.argv) > 1 else 6.0
    print("\n".join(lines(measure(given))))  # noqa: T201
