"""What other players notice of a client that asks for as much as it can.

    python -m bench.load_attacks [SECONDS] [TREE …]       each tree with its own .venv

One table has 3,000 moves. One client attacks, in a process of its own, by one means after the
other, whatever is answered; where a rate is named, that is what a client may send for long. Another
player looks at a table of their own meanwhile; every look is timed. Both have addresses of their
own, as behind a proxy. On a machine that does other work, run it with a raised priority (`nice`).
"""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from itertools import count, cycle
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import httpx
import msgspec
import uvloop
from bench.load_client import request
from bench.load_process import Running, percentile, running

ROOT: Final = Path(__file__).parents[1]
MOVES = 3_000
STREAMS = 100
"""As many as one client may have open."""

LINES = 30
"""Connections of an attack by requests."""

RATE = 100.0
"""Requests per second that one client may send for long."""

PAUSE = 0.01
"""Seconds between two looks of the other player."""

OPTIONS = {"rounds": "10", "stall": "1000"}
VICTIM, ATTACKER = "192.0.2.1", "192.0.2.2"
BEGUN: Final = b"begun\n"
"""What an attacker says once it attacks."""

BODY = 64 * 1024
"""Bytes of the largest body that is accepted."""


class Target(msgspec.Struct):
    """What an attacker knows."""

    port: int
    token: str
    long: str
    """A table with many moves, which anybody may watch."""
    own: str
    """A table of Mauerbauer at which the attacker has all seats."""
    bots: list[str]
    """Tables at which only bots play, without a pause."""
    replay: str
    record: str


def open_table(
    server: Running, token: str, moves: int = 0, address: str = VICTIM, **more: object
) -> str:
    """A table of Die Mauer at which one guest has all seats, after that many moves: all pass."""
    order: dict[str, object] = {
        "game": "mauer",
        "chairs": [{"kind": "human"}] * 3,
        "mine": [0, 1, 2],
        "options": OPTIONS,
        "initial_moves": " ".join(f"{move % 3}:-" for move in range(moves)),
    }
    headers = {"authorization": f"Bearer {token}", "x-forwarded-for": address}
    made = httpx.post(
        f"{server.home}/api/tables", json={**order, **more}, headers=headers, timeout=60
    )
    table: str = made.raise_for_status().json()["table"]
    return table


def target_at(server: Running, long: str) -> Target:
    """What an attacker has prepared: tables, a replay, and a guest whose pages are long."""
    token = server.guest(**{"x-forwarded-for": ATTACKER})
    of_bots: Any = {"chairs": [{"kind": "bot", "level": "apprentice"}] * 4, "mine": []}
    bots = [
        open_table(server, token, address=ATTACKER, **of_bots, bot_delay_ms=0, public=True)
        for _ in range(5)
    ]
    two: Any = {"chairs": [{"kind": "human"}] * 2, "mine": [0, 1], "options": {}}
    own = [
        open_table(server, token, address=ATTACKER, game="mauerbauer", **two, public=True)
        for _ in range(18)
    ]
    file = max((ROOT / "tests/records/golden/mauerbauer-1").glob("*.txt"), key=_size)
    record = file.read_text(encoding="utf-8")
    host = f"localhost:{server.port}"
    headers = {"x-forwarded-for": ATTACKER, "origin": f"http://{host}", "host": host}
    brought = httpx.post(f"{server.home}/replay", data={"record": record}, headers=headers)
    assert brought.status_code == HTTPStatus.SEE_OTHER, brought.text
    return Target(server.port, token, long, own[0], bots, brought.headers["location"], record)


def _size(path: Path) -> int:
    return path.stat().st_size


@asynccontextmanager
async def line(
    port: int, limit: int = 2**20
) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter], None]:
    """A connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=limit)
    try:
        yield reader, writer
    finally:
        writer.close()


async def answer(reader: asyncio.StreamReader) -> int:
    """Read a whole response; its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    said = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
    if said:
        await reader.readexactly(int(said))
    else:  # in chunks
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return int(head.split(b" ", 2)[1])


def ask(path: str, token: str, address: str, body: bytes = b"", media: str = "") -> bytes:
    """A request as it comes through a proxy; with a body, what a form or a program sends."""
    bare = request("POST" if body else "GET", path, token, body)
    more = f"\r\nx-forwarded-for: {address}\r\norigin: http://localhost\r\naccept-encoding: gzip"
    head, _, rest = bare.partition(b"\r\n\r\n")
    head = head.replace(b"application/json", media.encode()) if media else head
    return head + more.encode() + b"\r\n\r\n" + rest


class Looks(NamedTuple):
    """Each look, in milliseconds."""

    waited: list[float]
    """How long it took."""
    worked: list[float]
    """The CPU time that the server used meanwhile, for whomever; on a busy machine, this says more
    about the server."""


async def look(server: Running, message: bytes, seconds: float) -> Looks:
    """How long each look takes."""
    took = Looks([], [])
    end = time.perf_counter() + seconds
    async with line(server.port) as (reader, writer):
        while (began := time.perf_counter()) < end:
            before = server.cpu()
            writer.write(message)
            status = await answer(reader)
            if status != HTTPStatus.OK:
                raise RuntimeError(f"a look was answered with {status}")
            took.waited.append(1_000 * (time.perf_counter() - began))
            took.worked.append(1_000 * (server.cpu() - before))
            await asyncio.sleep(PAUSE)
    return took


# --- Attacks ----------------------------------------------------------------------------------

FORM: Final = "application/x-www-form-urlencoded"
Attack = Callable[[Target], Awaitable[None]]
"""Goes on until it is ended."""

STATUSES: Final[Counter[int]] = Counter()
"""What the attacker was answered."""


async def rest(target: Target) -> None:
    """Do nothing, for comparison."""
    del target
    await asyncio.Event().wait()


def asking(
    messages: Callable[[Target], Sequence[bytes]], rate: float = RATE, lines: int = LINES
) -> Attack:
    """Send these requests in turn by several connections; without a rate, as fast as it goes."""

    async def attack(target: Target) -> None:
        wanted: Iterator[bytes] = cycle(messages(target))
        numbers, began = count(), time.perf_counter()

        async def by_one_line() -> None:
            while True:
                try:
                    async with line(target.port) as (reader, writer):
                        while True:
                            due = began + next(numbers) / rate if rate else 0.0
                            await asyncio.sleep(max(0.0, due - time.perf_counter()))
                            writer.write(next(wanted))
                            STATUSES[await answer(reader)] += 1
                except (OSError, EOFError, RuntimeError):  # it was closed, perhaps while writing
                    STATUSES[0] += 1
                    await asyncio.sleep(0.01)

        await asyncio.gather(*(by_one_line() for _ in range(lines)))

    return attack


def pages(*paths: str) -> Callable[[Target], Sequence[bytes]]:
    """Requests for these paths."""

    def messages(target: Target) -> Sequence[bytes]:
        known = msgspec.structs.asdict(target)
        return [ask(path.format_map(known), target.token, ATTACKER) for path in paths]

    return messages


def posts(path: str, body: Callable[[Target], bytes], media: str = "") -> Callable[[Target], Any]:
    """Requests that send something to a path."""

    def messages(target: Target) -> Sequence[bytes]:
        known = msgspec.structs.asdict(target)
        return [ask(path.format_map(known), target.token, ATTACKER, body(target), media)]

    return messages


def form(**fields: str) -> bytes:
    """The body of a form."""
    return urlencode(fields).encode()


async def leave_streams_unread(target: Target) -> None:
    """Open as many streams as allowed from the first move on, read nothing, and do so again."""
    path = f"/api/tables/{target.long}/stream?seat=none&after=0"
    message = ask(path, target.token, ATTACKER)
    while True:
        open_streams: list[asyncio.WriteTransport] = []
        try:
            for _ in range(STREAMS):
                reader, writer = await asyncio.open_connection("127.0.0.1", target.port, limit=1)
                del reader
                writer.write(message)
                open_streams.append(writer.transport)
            await asyncio.sleep(3.0)
        finally:
            for each in open_streams:
                each.abort()


async def open_pages_of_bots(target: Target) -> None:
    """Watch bots that play without a pause, on as many pages as allowed."""

    async def watch(table: str) -> None:
        while True:
            async with line(target.port) as (reader, writer):
                writer.write(ask(f"/t/{table}/live", target.token, ATTACKER))
                while await reader.read(2**20):
                    pass
            await asyncio.sleep(0.1)

    watched = cycle(target.bots)
    await asyncio.gather(*(watch(next(watched)) for _ in range(STREAMS)))


async def play_before_own_pages(target: Target) -> None:
    """Play and take back as fast as it goes, at a table that as many pages of one's own show."""
    headers = {"authorization": f"Bearer {target.token}", "x-forwarded-for": ATTACKER}
    home, path = f"http://127.0.0.1:{target.port}", f"/api/tables/{target.own}"

    async def watch() -> None:
        while True:
            async with line(target.port) as (reader, writer):
                writer.write(ask(f"/t/{target.own}/live?seat=0", target.token, ATTACKER))
                while await reader.read(2**20):
                    pass
            await asyncio.sleep(0.1)

    async def play() -> None:
        async with httpx.AsyncClient(base_url=home, headers=headers, timeout=60) as client:
            while True:
                for seat in (0, 1):
                    seen = await client.get(f"{path}?seat={seat}")
                    STATUSES[seen.status_code] += 1
                    if seen.is_success and (legal := seen.json()["legal"]):
                        said = {"seat": seat, "version": seen.json()["number"]}
                        await client.post(f"{path}/moves", json={**said, "move": legal[0]["move"]})

    await asyncio.gather(*(watch() for _ in range(STREAMS)), play())


async def open_streams_again(target: Target) -> None:
    """Open the stream of a page, wait for the first picture, and begin again."""

    async def begin() -> None:
        while True:
            async with line(target.port) as (reader, writer):
                writer.write(ask(f"/t/{target.own}/live?seat=0", target.token, ATTACKER))
                await reader.read(2**16)

    await asyncio.gather(*(begin() for _ in range(LINES)))


async def send_slowly(target: Target) -> None:
    """Send the body of a request byte by byte, by many connections."""
    head = ask("/api/tables", target.token, ATTACKER, b"x" * 5_000)[:-5_000]

    async def send() -> None:
        while True:
            try:
                async with line(target.port) as (_, writer):
                    writer.write(head)
                    for _ in range(900):
                        writer.write(b"[")
                        await writer.drain()
                        await asyncio.sleep(0.05)
            except OSError:
                await asyncio.sleep(0.05)

    await asyncio.gather(*(send() for _ in range(STREAMS)))


async def connect_only(target: Target) -> None:
    """Connect and go away."""

    async def knock() -> None:
        while True:
            async with line(target.port):
                pass

    await asyncio.gather(*(knock() for _ in range(4)))


def _positions(target: Target) -> Sequence[bytes]:
    paths = [f"{target.replay}?at={at}&seat={seat}" for at in range(1, 200) for seat in ("all", 0)]
    random.Random(1).shuffle(paths)  # noqa: S311 - any order will do
    return [ask(path, target.token, ATTACKER) for path in paths]


def _boards(target: Target) -> Sequence[bytes]:
    brushes = ("W", "E", "N", "S")
    fields = [f"{row}-{column}" for row in range(1, 9) for column in range(1, 9)]
    return [
        ask(f"/workshop?brush={brush}&field={field}&rows=24&columns=24", target.token, ATTACKER)
        for brush in brushes
        for field in fields
    ]


_JSON: Final = msgspec.json.encode
ATTACKS: dict[str, Attack] = {
    "nothing else": rest,
    f"pages of a story of {MOVES:,} moves, {RATE:.0f} per second": asking(
        pages("/api/tables/{long}/history?seat=none&limit=500")
    ),
    f"{STREAMS} unread streams of {MOVES:,} moves": leave_streams_unread,
    f"the home page, {RATE:.0f} per second": asking(pages("/")),
    f"`/me`, {RATE:.0f} per second": asking(pages("/me")),
    f"positions of a replay, {RATE:.0f} per second": asking(_positions),
    f"the board editor, {RATE:.0f} per second": asking(pages("/workshop")),
    "boards that are changed in the editor": asking(_boards),
    f"the leaderboard, {RATE:.0f} per second": asking(pages("/leaderboard")),
    f"the page of a long table, {RATE:.0f} per second": asking(pages("/t/{long}")),
    f"previews of a choice, {RATE:.0f} per second": asking(
        pages("/t/{own}/preview?seat=0&move=-", "/t/{own}?seat=1", "/t/{own}?seat=0")
    ),
    f"lists of tables, {RATE:.0f} per second": asking(
        pages("/api/tables?status=running&limit=100", "/api/guests/me/tables?limit=100")
    ),
    f"pages that do not exist, {RATE:.0f} per second": asking(pages("/a", "/b/c", "/t/none")),
    f"the rules, {RATE:.0f} per second": asking(
        pages(*(f"/rules/mauerbauer?lang={code}&n={n}" for code in ("de", "it") for n in range(50)))
    ),
    "hints": asking(pages("/api/tables/{own}/hints?seat=0")),
    "pictures for links": asking(pages("/t/{long}/picture.png", "{replay}/picture.png?at=9")),
    "analyses": asking(posts("{replay}/analyse", lambda _: form(at="3", seat="all"), FORM)),
    "exports of one's data": asking(pages("/data/all.zip", "/api/guests/me/data")),
    "uploads of records": asking(posts("/replay", lambda target: form(record=target.record), FORM)),
    "uploads of 60 kB that are no record": asking(
        posts("/replay", lambda _: form(record="mauer/1 seats=3\n" + "0:T " * 10_000), FORM)
    ),
    "moves that are refused": asking(
        posts(
            "/api/tables/{own}/moves",
            lambda _: _JSON({"move": "nonsense", "seat": 0, "version": 3}),
        )
    ),
    "bodies of 64 kB of JSON": asking(
        posts("/api/tables", lambda _: b'{"options":{' + b'"a":"b",' * (BODY // 9) + b'"c":"d"}}')
    ),
    "new tables": asking(
        posts(
            "/api/tables",
            lambda _: _JSON({"game": "mauer", "chairs": [{"kind": "human"}] * 3, "mine": [0]}),
        )
    ),
    "new guests": asking(posts("/api/guests", lambda _: _JSON({"name": "Eve"}))),
    "drafts of tables": asking(
        posts("/new/mauerbauer/draft", lambda _: form(seats="4", board="large"), FORM)
    ),
    "recovery codes that are guessed": asking(
        posts("/me/recover", lambda _: form(code="ABCD-EFGH-JKLM-NPQR"), FORM)
    ),
    "messages of chat": asking(
        posts(
            "/api/tables/{own}/chat",
            lambda _: _JSON({"form": "phrase", "content": "well-built", "seat": 0}),
        )
    ),
    f"ever other addresses of the home page, {RATE:.0f} per second": asking(
        pages(*(f"/?n={n}" for n in range(200)))
    ),
    f"pages of all kinds, {RATE:.0f} per second": asking(
        pages(
            *(
                f"{path}?n={n}"
                for n in range(50)
                for path in ("/puzzles", "/evening", "/find", "/settings", "/data", "/real")
            ),
            *("/new/mauerbauer", "/t/{own}/people", "/t/{own}/screen", "/t/{own}/search"),
        )
    ),
    "games as films": asking(pages("{replay}/film.gif", "{replay}/film.webp")),
    "games as one moving picture": asking(pages("{replay}/game.svg")),
    "steps of a lesson": asking(pages("/learn/mauerbauer/3", "/learn/burgbaumeister/5")),
    "the document of the API": asking(pages("/api/openapi.json")),
    f"moves before {STREAMS} pages of one's own": play_before_own_pages,
    f"{STREAMS} slow bodies": send_slowly,
    f"streams of a page that are opened again and again, {LINES} at once": open_streams_again,
    f"{STREAMS} pages that watch bots without a pause": open_pages_of_bots,
    f"the home page as fast as {LINES} connections go": asking(pages("/"), rate=0.0),
    "positions of a replay as fast as 200 connections go": asking(_positions, 0.0, 200),
    f"a look at a table as fast as {LINES} connections go": asking(
        pages("/api/tables/{own}?seat=0"), rate=0.0
    ),
    "connections that ask for nothing": connect_only,
}


@contextmanager
def attacking(target: Target, name: str) -> Generator[None]:
    """Have a process attack, which counts less than the others on a busy machine."""
    given = msgspec.json.encode(target).decode()
    command = [sys.executable, "-m", "bench.load_attacks", "attack", name, given]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:  # noqa: S603 - ourselves
        assert process.stdout is not None
        try:
            # On a busy machine it takes seconds until it has begun.
            assert process.stdout.readline() == BEGUN, f"no attack: {name}"
            time.sleep(1.0)
            assert process.poll() is None, f"no attack: {name}"
            yield
        finally:
            process.terminate()


def attack(name: str, target: Target) -> None:
    """Attack until this process is ended."""

    async def and_tell() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(ATTACKS[name](target))  # type: ignore[arg-type] # a coroutine
            sys.stdout.buffer.write(BEGUN)
            sys.stdout.flush()
            while "TELL" in os.environ:
                await asyncio.sleep(2)
                print(dict(STATUSES), flush=True)  # noqa: T201

    uvloop.run(and_tell())


def measure(
    seconds: float, trees: Sequence[Path] = (ROOT,), only: str = ""
) -> dict[str, list[Looks]]:
    """The looks, by what else happens, for each tree."""
    found: dict[str, list[Looks]] = {}
    wanted = [name for name in ATTACKS if only in name]
    for tree in trees:
        for name in wanted:  # each begins with a fresh server: no attack pays for another
            with (
                tempfile.TemporaryDirectory() as folder,
                running("guarded", Path(folder), tree=tree) as server,
            ):
                token = server.guest(**{"x-forwarded-for": VICTIM})
                mine, long = open_table(server, token), open_table(server, token, MOVES)
                target = target_at(server, long)
                message = ask(f"/api/tables/{mine}?seat=0", token, VICTIM)
                with attacking(target, name):
                    took = uvloop.run(look(server, message, seconds))
            found.setdefault(name, []).append(took)
            print(f"{tree.name}: {name}: {_row([took])}", file=sys.stderr, flush=True)  # noqa: T201
    return found


def _row(columns: Sequence[Looks]) -> str:
    return " | ".join(
        f"{percentile(waited, 0.5):.1f} | {percentile(waited, 0.95):.1f} | "
        f"{percentile(worked, 0.5):.1f} | {percentile(worked, 0.95):.1f} | {max(worked):.1f}"
        for waited, worked in columns
    )


def lines(found: dict[str, list[Looks]]) -> list[str]:
    """What was measured, as a table."""
    trees = len(next(iter(found.values())))
    return [
        "| meanwhile |" + " waits: median | 95 % | CPU: median | 95 % | worst |" * trees,
        "|---|" + "---|" * 5 * trees,
        *(f"| {name} | {_row(columns)} |" for name, columns in found.items()),
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == ["attack"]:
        attack(sys.argv[2], msgspec.json.decode(sys.argv[3], type=Target))
    else:
        given = float(sys.argv[1]) if len(sys.argv) > 1 else 6.0
        asked = [Path(each).resolve() for each in sys.argv[2:]] or [ROOT]
        print("\n".join(lines(measure(given, asked, os.environ.get("ONLY", "")))))  # noqa: T201
