"""The load: requests that are prepared in advance, and viewers that count notices.

Scripts are whole games of Die Mauer without moves of nature, so all requests of a table are known
before the first is sent.
"""

import asyncio
import random
import socket
import time
from itertools import cycle
from typing import TYPE_CHECKING, Any

import msgspec

from mauerwerk.core import options
from mauerwerk.core.game import Setup
from mauerwerk.games import mauer

if TYPE_CHECKING:
    from collections.abc import Callable

VIEWERS = ("0", "1", "2", "none")
"""The players at the table, and a spectator."""

CHATTED = b"event: chat\ndata: "
SAYS = msgspec.json.encode({"form": "phrase", "content": "well-built", "seat": 0})

OPTIONS = {"rounds": "10", "stall": "200"}
FIRST = 4
"""The number of the table view when three players have sat down and the game has begun."""


def script(seed: int) -> list[bytes]:
    """The bodies of all moves of a game."""
    rng = random.Random(seed)  # noqa: S311 - any game will do
    state: Any = mauer.start(Setup(3, options.from_words(mauer.Options, OPTIONS)))
    bodies: list[bytes] = []
    while waiting := mauer.to_act(state):
        seat = rng.choice(waiting)
        action = rng.choice(mauer.legal(state, seat))
        state = mauer.apply(state, seat, action).state
        said = {"move": mauer.write(action), "seat": seat, "version": FIRST + len(bodies)}
        bodies.append(msgspec.json.encode({**said, "idempotency_key": f"k{len(bodies)}"}))
    return bodies


def request(method: str, path: str, token: str, body: bytes = b"") -> bytes:
    """A request as bytes."""
    head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n"
    if method == "POST":
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


class Table:
    """One game: a connection that plays, and four that watch."""

    def __init__(self, name: str, bodies: list[bytes], token: str) -> None:
        """Prepare all requests."""
        path = f"/api/tables/{name}/moves"
        self.name = name
        self.token = token
        self.requests = [request("POST", path, token, body) for body in bodies]
        self.made = 0
        """How many moves were requested."""
        self.answered = 0
        self.sent = 0.0
        self.heard = 0
        """How many viewers have received the last move."""
        self.overheard = 0
        """How often a viewer has received something that was said."""
        self.seconds: list[float] = []
        """Seconds from each request until the last viewer has received it."""
        self.transport: asyncio.Transport | None = None
        self.streams: list[asyncio.BaseTransport] = []
        self.then: Callable[[Table], None] = lambda _: None

    @property
    def idle(self) -> bool:
        """Whether the last move was answered and received by all."""
        return self.answered == self.made and (self.heard == len(VIEWERS) or not self.made)

    @property
    def over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.made == len(self.requests)

    def play(self) -> None:
        """Send the next move."""
        assert self.transport
        self.heard = 0
        self.sent = time.perf_counter()
        self.transport.write(self.requests[self.made])
        self.made += 1

    def leave(self) -> None:
        """Close all connections."""
        for each in (self.transport, *self.streams):
            if each is not None:
                each.close()

    def answer(self) -> None:
        """The request was answered."""
        self.answered += 1
        self._check()

    def hear(self) -> None:
        """Another viewer has received it."""
        self.heard += 1
        if self.heard == len(VIEWERS):
            self.seconds.append(time.perf_counter() - self.sent)
        self._check()

    def _check(self) -> None:
        if self.idle:
            self.then(self)


class Playing(asyncio.Protocol):
    """Reads answers to moves."""

    def __init__(self, table: Table) -> None:
        """For this table."""
        self._table = table
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        """Split the responses by their length, and check their status."""
        self._rest += data
        while True:
            head, found, body = self._rest.partition(b"\r\n\r\n")
            if not found:
                return
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            if len(body) < length:
                return
            if not head.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(self._rest.decode())
            self._rest = body[length:]
            self._table.answer()


class Watching(asyncio.Protocol):
    """Counts notices."""

    def __init__(self, table: Table, ready: asyncio.Future[None]) -> None:
        """Of this table."""
        self._table = table
        self._ready = ready
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        """Count events that are no chat; keep an incomplete event for the next call."""
        data = self._rest + data
        if not self._ready.done() and b"retry" in data:
            self._ready.set_result(None)
        cut = data.rfind(b"\n\n")
        whole, self._rest = (data[:cut], data[cut:]) if cut >= 0 else (b"", data)
        for _ in range(whole.count(b"\ndata: ") - whole.count(CHATTED)):
            self._table.hear()
        self._table.overheard += whole.count(CHATTED)


async def call(port: int, table: Table) -> None:
    """Connect a player; a server closes connections that are silent for some seconds."""
    if table.transport is None or table.transport.is_closing():
        loop = asyncio.get_running_loop()
        table.transport, _ = await loop.create_connection(lambda: Playing(table), "127.0.0.1", port)


async def connect(port: int, table: Table, token: str, *, chats: bool = False) -> None:
    """Connect a player and four viewers, who also hear what is said."""
    loop = asyncio.get_running_loop()
    await call(port, table)
    for eyes in VIEWERS:
        ready = loop.create_future()
        stream, _ = await loop.create_connection(
            lambda ready=ready: Watching(table, ready),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
        path = f"/api/tables/{table.name}/stream?seat={eyes}{'&chat=true' if chats else ''}"
        table.streams.append(stream)
        stream.write(request("GET", path, token))
        await ready


async def chat(port: int, tables: list[Table], rate: float) -> None:
    """Say something at one table after the other, so often per second, until it is cancelled."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    began = time.perf_counter()
    for each, table in enumerate(cycle(tables)):
        await asyncio.sleep(max(0.0, began + each / rate - time.perf_counter()))
        writer.write(request("POST", f"/api/tables/{table.name}/chat", table.token, SAYS))
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        if not head.startswith(b"http/1.1 201"):
            raise RuntimeError(head.decode())
        await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))


class PushServices:
    """Takes whatever is pushed, and counts it."""

    def __init__(self) -> None:
        """Nothing has come yet; browsers can be told its address."""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.taken = 0

    async def open(self) -> asyncio.Server:
        """Answer from now on."""
        return await asyncio.start_server(self._take, sock=self._socket)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))
        self.taken += 1
        writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        writer.close()


async def flat_out(port: int, tables: list[Table], seconds: float) -> float:
    """Make each table's next move as soon as all viewers have the last; return moves per second."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    until = time.perf_counter() + seconds

    def go_on(table: Table) -> None:
        if time.perf_counter() < until and not table.over:
            table.play()
        elif not done.done():
            done.set_result(None)

    began = time.perf_counter()
    for table in tables:
        await call(port, table)
        table.then = go_on
        table.play()
    await done
    moves = sum(table.answered for table in tables)
    taken = time.perf_counter() - began
    for table in tables:
        table.then = lambda _: None
    return moves / taken


async def at_a_rate(port: int, tables: list[Table], rate: float, seconds: float) -> list[float]:
    """Make this many moves per second; return the seconds until the last viewer had each move."""
    rng = random.Random(1)  # noqa: S311
    began = time.perf_counter()
    late = 0
    for each in range(int(rate * seconds)):
        due = began + each / rate
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        free = [table for table in rng.sample(tables, 8) if table.idle and not table.over]
        if free:
            await call(port, free[0])
            free[0].play()
        else:
            late += 1
    await asyncio.sleep(1.0)
    heard = [second for table in tables for second in table.seconds]
    unheard = sum(1 for table in tables if not table.idle)
    return sorted(heard + [float("inf")] * (late + unheard))
