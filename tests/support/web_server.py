"""A real server in a thread, and people who chat to it."""

import asyncio
import json
import ssl
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

import httpx
import uvicorn.server

from mauerwerk.bots.levels import LEVELS
from mauerwerk.server import run as server
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.http.limits import Limiter
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Limits, Settings

UNLIMITED = Settings(limits=Limits(requests=0))
LEVEL = next(iter(LEVELS))

TIMEOUT: Final = 120
"""Seconds: what takes longer never comes, however busy the machine is."""

_NO_TLS: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of servers without TLS: each would read all root certificates otherwise, 25 ms."""


class _Asyncio:
    """What Uvicorn's server knows as `asyncio`: it sleeps a tenth as long.

    It looks now and then whether it is to stop and whether connections have ended, so that each
    server of a test would take two tenths of a second to stop.
    """

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever is asked for
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds / 10)


vars(uvicorn.server)["asyncio"] = _Asyncio()


def state_of(settings: Settings) -> AppState:
    """A server that has settings, but neither host nor tables."""
    return AppState(cast("Host", None), settings, Limiter(settings.limits), Metrics())


class Running:
    """A server that is up."""

    def __init__(self, app: App, address: str, lines: list[bytes]) -> None:
        """Know where it is, and what it has logged."""
        self.app = app
        self.address = address
        self.lines = lines
        self.loop: asyncio.AbstractEventLoop | None = None
        self._open: list[httpx.Client] = []

    @property
    def log(self) -> list[dict[str, Any]]:
        """The lines of the log."""
        return [json.loads(line) for line in self.lines]

    def client(self, **headers: str) -> httpx.Client:
        """Somebody with these headers; underscores stand for hyphens.

        Unless they say so, nothing is compressed, which takes a fifth of the time of a page.
        """
        named = {"accept-encoding": "identity"}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        client = httpx.Client(base_url=self.address, headers=named, timeout=TIMEOUT, verify=_NO_TLS)
        self._open.append(client)
        return client

    def guest(self, name: str = "Ada") -> "Player":
        """A guest who shows their token."""
        made = self.client().post("/api/guests", json={"name": name})
        assert made.status_code == 201
        return Player(self.client(authorization=f"Bearer {made.json()['token']}"))

    def bearer(self, token: str) -> "Player":
        """A program with the token of a seat."""
        return Player(self.client(authorization=f"Bearer {token}"))

    def anybody(self) -> "Player":
        """Somebody without a name."""
        return Player(self.client())

    def browser(self, name: str = "") -> "Player":
        """A browser on a page of this server; with a name, as a guest with a cookie."""
        client = self.client(origin=self.address, sec_fetch_site="same-origin")
        if name:
            assert client.post("/api/guests", json={"name": name}).status_code == 201
        return Player(client)

    def write(self, work: Callable[[Transaction], object]) -> None:
        """Decide something, as the host of the server."""
        assert self.loop is not None
        acting = self.app.state.host.store.write("page", work)
        asyncio.run_coroutine_threadsafe(acting, self.loop).result(TIMEOUT)

    def close(self) -> None:
        """Let everybody hang up."""
        for client in self._open:
            client.close()


class Player:
    """Somebody who asks for things."""

    def __init__(self, client: httpx.Client) -> None:
        """Over this connection."""
        self.client = client

    def get(self, path: str, **query: Any) -> httpx.Response:  # noqa: ANN401 - any field
        """Look at something."""
        return self.client.get(path, params=query)

    def post(self, path: str, **body: Any) -> httpx.Response:  # noqa: ANN401 - any field
        """Do something."""
        return self.client.post(path, json=body)

    def open(self, chairs: str = "hhh", **more: Any) -> dict[str, Any]:  # noqa: ANN401
        """Set up a table of Die Mauer: `h`uman, `o`pen or `b`ot, a letter a chair."""
        kinds = {
            "h": {"kind": "human"},
            "o": {"kind": "open"},
            "b": {"kind": "bot", "level": LEVEL},
        }
        order = {
            "game": "mauer",
            "chairs": [kinds[each] for each in chairs],
            "bot_delay_ms": 0,
            **more,
        }
        opened = self.post("/api/tables", **order)
        assert opened.status_code == 201, opened.text
        table: dict[str, Any] = opened.json()
        return table

    def table_view(self, table: str, **query: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
        """The table as this player sees it."""
        seen = self.get(f"/api/tables/{table}", **query)
        assert seen.status_code == 200, seen.text
        table_view: dict[str, Any] = seen.json()
        return table_view

    def move(self, table: str, word: str, **more: Any) -> httpx.Response:  # noqa: ANN401
        """Play a word, in answer to what is to be seen now."""
        seat = {"seat": more["seat"]} if "seat" in more else {}
        more = {"version": self.table_view(table, **seat)["number"], **more}
        return self.post(f"/api/tables/{table}/moves", move=word, **more)

    @contextmanager
    def listen(
        self,
        table: str,
        *,
        last: int | None = None,
        **query: Any,  # noqa: ANN401 - any field
    ) -> Generator["Listener", None, None]:
        """Follow a table; `last` is the event that was heard last."""
        headers = {} if last is None else {"last-event-id": str(last)}
        path = f"/api/tables/{table}/stream"
        with self.client.stream("GET", path, params=query, headers=headers) as stream:
            assert stream.status_code == 200
            listener = Listener(stream)
            assert listener.block() == {"retry": "1000"}
            yield listener


class Listener:
    """Hears what a stream tells."""

    def __init__(self, stream: httpx.Response) -> None:
        """From the beginning."""
        self._lines: Iterator[str] = stream.iter_lines()

    def block(self) -> dict[str, str]:
        """The next block of fields; empty for a comment or at the end."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line:
                return fields
            name, _, value = line.partition(": ")
            fields |= {name: value} if name != ":" else {}
        return fields

    def hear(self) -> dict[str, Any]:
        """The next notice, with its number as the id and its kind as the name of the event."""
        fields = self.block()
        notice: dict[str, Any] = json.loads(fields["data"])
        assert fields["id"] == str(notice["number"])
        assert fields["event"] == notice["kind"]
        return notice

    def numbers(self, count: int) -> list[int]:
        """The numbers of the next notices, this many."""
        return [self.hear()["number"] for _ in range(count)]

    def ends(self) -> bool:
        """Whether nothing more comes."""
        return not [line for line in self._lines if line]


@contextmanager
def serving(
    folder: Path,
    settings: Settings = UNLIMITED,
    port: int = 0,
    **of_host: Any,  # noqa: ANN401 - what a host takes
) -> Generator[Running, None, None]:
    """A server with its tables in this folder, at any free port unless one is given."""
    lines: list[bytes] = []
    host = Host(store_at(folder), **of_host)
    app = App(host, settings, write=lines.append)
    running = server.Server(app)
    waiting = server.listen("127.0.0.1", port)
    ready = threading.Event()
    faults: list[BaseException] = []

    loops: list[asyncio.AbstractEventLoop] = []

    def is_ready() -> None:
        loops.append(asyncio.get_running_loop())
        ready.set()

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=running.config.get_loop_factory()) as runner:
                runner.run(server.run(running, host, waiting, is_ready))
        except BaseException as fault:  # noqa: BLE001 - told to the test
            faults.append(fault)
            ready.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(TIMEOUT)
    site = Running(app, server.address_of(waiting), lines)
    site.loop = loops[0] if loops else None
    try:
        yield site
    finally:
        running.should_exit = True
        thread.join(TIMEOUT)
        site.close()
        waiting.close()
        assert not thread.is_alive()
        assert faults == []
