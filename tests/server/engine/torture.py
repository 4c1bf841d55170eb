"""Kill a server under load, again and again: what anybody was told must be in the log.

python -m tests.server.engine.torture KILLS [SEED]

Clients play many tables and repeat, with its key, every request that got no answer. Watchers follow
the streams. The server is killed (SIGKILL) at random moments and started again. In the end every
table must be over, each receipt and each notice in its log, no key in it twice.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.driven_table import bytes_of

from mauerwerk.core.game import Seat
from mauerwerk.server.api.table_messages import notice_messages
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.notices import notices
from mauerwerk.server.tables.table import Status, Table, Viewer

CLIENTS = 3
TABLES = 3
"""So many at once for each client."""

OPTIONS = {"rounds": "1", "stall": "3"}
TIMEOUT = 300.0
"""Seconds after which something is taken not to happen any more."""


class Told(NamedTuple):
    """An answer that a client got: this move has this number."""

    table: str
    seat: int
    word: str
    key: str
    number: int


class Server:
    """A server that can be killed and started again."""

    def __init__(self, *where: str) -> None:
        """Keep the tables there: `--data FOLDER` or `--database URL`."""
        self._where = where
        self._process: subprocess.Popen[str] | None = None
        self._up = threading.Event()
        self._port = 0
        self._killed: list[int] = []

    def start(self) -> None:
        """Come up, at any port."""
        command = [
            sys.executable,
            "-m",
            "mauerwerk",
            "serve",
            "--port",
            "0",
            "--quiet",
            "--no-compile",
        ]
        command += [*self._where, "--rate", "0"]
        self._process = subprocess.Popen(  # noqa: S603 - our own
            command, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, f"the server did not start: {line}"
        self._port = int(found[1])
        self._up.set()

    def kill(self) -> None:
        """End at once, in the middle of whatever it does."""
        process = self._process
        assert process
        self._up.clear()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout
        process.stdout.close()
        self._process = None
        self._killed.append(process.pid)

    def stop(self) -> None:
        """End as a host would end it."""
        if self._process is None:
            return
        self._up.clear()
        process, self._process = self._process, None
        process.send_signal(signal.SIGTERM)
        process.wait(TIMEOUT)
        assert process.stdout
        process.stdout.close()

    def check_workers(self) -> None:
        """Where bots think, nobody may outlive their server, but for a moment."""
        until = time.monotonic() + TIMEOUT
        while self._killed:
            try:
                os.killpg(self._killed[-1], 0)
            except ProcessLookupError:
                self._killed.pop()
            assert time.monotonic() < until, "processes outlive their server"
            time.sleep(0.01)

    @property
    def is_up(self) -> bool:
        """Whether it takes requests, as far as is known."""
        return self._up.is_set()

    def connect(self) -> HTTPConnection:
        """A connection, once it is up."""
        if not self._up.wait(TIMEOUT):
            raise ConnectionError("the server does not come back")
        return HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)


class Connection:
    """Somebody's connection; what gets no answer is asked again."""

    def __init__(self, server: Server, token: str = "") -> None:
        """Not connected yet."""
        self._server = server
        self._connection: HTTPConnection | None = None
        self._response: HTTPResponse | None = None
        self.token = token

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:  # noqa: ANN401
        """The status and the answer, whatever it takes."""
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            try:
                response = self.send(method, path, body)
                content = response.read()
            except (OSError, HTTPException):
                self.hang_up()
                continue
            if response.status >= 500:
                time.sleep(0.05)
                continue
            return response.status, json.loads(content)
        raise AssertionError(f"no answer to {method} {path}")

    def send(self, method: str, path: str, body: Any = None, last: int = -1) -> HTTPResponse:  # noqa: ANN401
        """Ask once."""
        if self._connection is None:
            self._connection = self._server.connect()
        headers = {"content-type": "application/json"} if body is not None else {}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        if last >= 0:
            headers["last-event-id"] = str(last)
        content = None if body is None else json.dumps(body)
        self._connection.request(method, path, content, headers)
        self._response = self._connection.getresponse()
        return self._response

    def hang_up(self) -> None:
        """Connect anew next time."""
        if self._response:
            self._response.close()
        if self._connection:
            self._connection.close()
        self._connection = self._response = None


class Client(threading.Thread):
    """Plays tables, one guest at all seats that no bot has, until told to begin no more."""

    def __init__(self, server: Server, seed: int, *, bots: bool) -> None:
        """Somebody who plays by chance."""
        super().__init__(daemon=True)
        self._server = server
        self._rng = random.Random(seed)
        self.line = Connection(server)
        self._name = f"client {seed}"
        self._bots = bots
        self.told: list[Told] = []
        self.late = 0
        self.finished: list[str] = []
        self.begin_no_more = threading.Event()
        self.fault: BaseException | None = None
        self.watchers: list[Watcher] = []

    def run(self) -> None:
        """Play until the last table is over."""
        try:
            _, guest = self.line.ask("POST", "/api/guests", {"name": self._name})
            self.line.token = guest["token"]
            tables = [self._open() for _ in range(TABLES)]
            while tables:
                table = self._rng.choice(tables)
                if self._move(table):
                    continue
                tables.remove(table)
                self.finished.append(table)
                if not self.begin_no_more.is_set():
                    tables.append(self._open())
        except BaseException as fault:  # noqa: BLE001 - told to who waits
            self.fault = fault
        finally:
            self.line.hang_up()

    def _open(self) -> str:
        human, bot = {"kind": "human"}, {"kind": "bot", "level": "apprentice"}
        chairs = [human, human, bot if self._bots else human]
        mine = [seat for seat, chair in enumerate(chairs) if chair is human]
        order = {
            "game": "mauer",
            "chairs": chairs,
            "mine": mine,
            "options": OPTIONS,
            "bot_delay_ms": 0,
        }
        status, opened = self.line.ask("POST", "/api/tables", order)
        assert status == 201, opened
        table: str = opened["table"]
        watcher = Watcher(self._server, table, self._rng.choice([None, 0]), self.line.token)
        watcher.start()
        self.watchers.append(watcher)
        return table

    def _move(self, table: str) -> bool:
        """Play something; False when the game is over."""
        seat = self._rng.randrange(2 if self._bots else 3)
        status, table_view = self.line.ask("GET", f"/api/tables/{table}?seat={seat}")
        assert status == 200, table_view
        if table_view["status"] == "over":
            return False
        if not table_view["legal"] or (table_view["replaces_choice"] and self._rng.random() < 0.8):
            if self._bots and not any(place["asked"] for place in table_view["seats"][:2]):
                time.sleep(0.01)
            return True
        word = self._rng.choice(table_view["legal"])["move"]
        key = f"{self._rng.getrandbits(64):x}"
        move = {"seat": seat, "move": word, "version": table_view["number"], "idempotency_key": key}
        status, answer = self.line.ask("POST", f"/api/tables/{table}/moves", move)
        if status == 200:
            self.told.append(Told(table, seat, word, key, answer["number"]))
        else:
            # A bot, or the seat itself before a crash, was faster.
            assert status in {409, 422}, answer
            self.late += 1
        return True


class Watcher(threading.Thread):
    """Follows a table to its end, and comes back whenever the stream breaks off."""

    def __init__(self, server: Server, table: str, seat: int | None, token: str) -> None:
        """Observer with these eyes."""
        super().__init__(daemon=True)
        self.table = table
        self.seat = seat
        self.heard: list[bytes] = []
        self._line = Connection(server, token)
        self.over = threading.Event()

    @property
    def viewer(self) -> Viewer:
        """Whose eyes they are."""
        return None if self.seat is None else Seat(self.seat)

    def run(self) -> None:
        """Listen, and listen again."""
        eyes = "none" if self.seat is None else self.seat
        while not self.over.is_set():
            try:
                path = f"/api/tables/{self.table}/stream?seat={eyes}"
                response = self._line.send("GET", path, last=len(self.heard))
                while (line := response.readline()) and not self.over.is_set():
                    if line.startswith(b"data: "):
                        self.heard.append(line[6:].rstrip(b"\n"))
            except (OSError, HTTPException, ValueError):
                continue
            finally:
                self._line.hang_up()


# --- The proof -------------------------------------------------------------------------------


class Result(NamedTuple):
    """What came of it."""

    kills: int
    tables: int
    receipts: int
    late: int
    notices: int

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.tables} tables, {self.receipts} receipts and "
            f"{self.notices} notices, all in the log; {self.late} moves came too late"
        )


def torture(folder: Path, kills: int, seed: int) -> Result:
    """Play, kill and look. Raises AssertionError where something was told that is not so."""
    rng = random.Random(seed)
    server = Server("--data", str(folder))
    server.start()
    clients = [Client(server, seed * 100 + each, bots=each == 0) for each in range(CLIENTS)]
    try:
        for client in clients:
            client.start()
        for _ in range(kills):
            _let_them_play(clients, rng.randrange(60), rng.random() * 0.1)
            server.kill()
            server.start()
        for client in clients:
            client.begin_no_more.set()
        for client in clients:
            client.join(TIMEOUT)
            assert client.fault is None, client.fault
            assert not client.is_alive(), "a table does not end"
        _let_them_hear(server, clients)
        server.check_workers()
    finally:
        server.stop()
    watchers = [watcher for client in clients for watcher in client.watchers]
    for watcher in watchers:
        watcher.join(TIMEOUT)
    tables = _kept(folder)
    for client in clients:
        _check_receipts(client, tables)
    for watcher in watchers:
        _check_notices(watcher, tables[watcher.table])
    _check_logs(tables, [told.key for client in clients for told in client.told])
    return Result(
        kills=kills,
        tables=len(watchers),
        receipts=sum(len(client.told) for client in clients),
        late=sum(client.late for client in clients),
        notices=sum(len(watcher.heard) for watcher in watchers),
    )


def _let_them_play(clients: list[Client], moves: int, seconds: float) -> None:
    """Until so many moves were made, and a moment longer."""

    def count() -> int:
        return sum(len(client.told) for client in clients)

    goal, until = count() + moves, time.monotonic() + 10
    while count() < goal and time.monotonic() < until:
        assert all(client.fault is None for client in clients), clients
        time.sleep(0.002)
    time.sleep(seconds)


def _let_them_hear(server: Server, clients: list[Client]) -> None:
    """Until every watcher has heard the end of the game."""
    line = Connection(server)
    for client in clients:
        line.token = client.line.token
        for watcher in client.watchers:
            eyes = "none" if watcher.seat is None else watcher.seat
            _, table_view = line.ask("GET", f"/api/tables/{watcher.table}?seat={eyes}")
            until = time.monotonic() + TIMEOUT
            while len(watcher.heard) < table_view["number"]:
                assert time.monotonic() < until, "a stream misses something"
                time.sleep(0.01)
            watcher.over.set()
    line.hang_up()


def _kept(folder: Path) -> dict[str, Table]:
    """All tables as they lie on the disk."""
    import asyncio  # noqa: PLC0415 - for this alone
    import sqlite3  # noqa: PLC0415

    with sqlite3.connect(folder / "mauerwerk.db") as database:
        names = [name for (name,) in database.execute("SELECT id FROM tables")]

    async def read() -> dict[str, Table]:
        store = store_at(folder)
        await store.open()
        found: dict[str, Table] = {}
        for name in names:
            stored = await store.load(name)
            assert stored
            found[name] = fold(stored.charter, stored.entries)
        await store.close()
        return found

    return asyncio.run(read())


def _check_receipts(client: Client, tables: dict[str, Table]) -> None:
    """What a client was answered is so."""
    for name in client.finished:
        assert tables[name].status is Status.OVER
    for told in client.told:
        table, seat = tables[told.table], Seat(told.seat)
        entry = table.log.keyed(seat, told.key)
        assert entry is not None
        assert (entry.kind, entry.word) == (Kind.MOVE, told.word)
        assert table.number_of(entry.seq, seat) == told.number


def _check_notices(watcher: Watcher, table: Table) -> None:
    """What a watcher heard is the whole story, once, in order."""
    told = notice_messages(table.game, notices(table, watcher.viewer))
    story = [bytes_of(notice) for notice in told]
    assert watcher.heard == story


def _check_logs(tables: dict[str, Table], answered: list[str]) -> None:
    """No gap in any log (folding it would have failed), and no request in it twice."""
    keys = Counter(
        logged.entry.key
        for table in tables.values()
        for logged in table.log
        if logged.entry.kind is Kind.MOVE and logged.entry.key
    )
    assert all(count == 1 for count in keys.values())
    assert set(answered) <= set(keys)


if __name__ == "__main__":
    how_often = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    number = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(10**6)
    print(f"seed {number}", flush=True)  # noqa: T201
    with tempfile.TemporaryDirectory() as place:
        print(torture(Path(place), how_often, number))  # noqa: T201
