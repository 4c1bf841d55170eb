"""Several clients at one server, several servers at one database: one of them is first."""

import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from tests.server.engine.torture import TIMEOUT, Connection, Server
from tests.support.amounts import amount

pytestmark = pytest.mark.process

CLIENTS = amount(10, 10, 40)


@pytest.fixture
def servers(postgresql_url: str) -> Iterator[tuple[Server, Server]]:
    """Two processes at one database."""
    both = (Server("--database", postgresql_url), Server("--database", postgresql_url))
    try:
        for server in both:
            server.start()
        yield both
    finally:
        for server in both:
            server.stop()


class Player:
    """A guest, who can speak to any server of the house."""

    def __init__(self, server: Server) -> None:
        """Give oneself a name there."""
        line = Connection(server)
        _, guest = line.ask("POST", "/api/guests", {"name": "Ada"})
        line.hang_up()
        self.token: str = guest["token"]

    def ask(self, server: Server, method: str, path: str, body: Any = None) -> tuple[int, Any]:  # noqa: ANN401
        """One request, by a connection of its own."""
        line = Connection(server, self.token)
        try:
            return line.ask(method, path, body)
        finally:
            line.hang_up()

    def open(self, server: Server, bots: int = 0, **more: Any) -> str:  # noqa: ANN401
        """A table of Die Mauer with so many bots; the path of it."""
        chairs = [{"kind": "human"}] * (3 - bots) + [{"kind": "bot", "level": "apprentice"}] * bots
        order = {"game": "mauer", "chairs": chairs, "mine": list(range(3 - bots)), **more}
        status, opened = self.ask(server, "POST", "/api/tables", order)
        assert status == 201, opened
        return f"/api/tables/{opened['table']}"

    def table_view(self, server: Server, path: str, seat: int = 0) -> Any:  # noqa: ANN401
        """The table as this seat sees it."""
        status, table_view = self.ask(server, "GET", f"{path}?seat={seat}")
        assert status == 200, table_view
        return table_view

    def move(self, server: Server, path: str, seat: int, word: str) -> int:
        """Play a word; the number that it got."""
        number = self.table_view(server, path, seat)["number"]
        body = {"move": word, "seat": seat, "version": number}
        status, done = self.ask(server, "POST", f"{path}/moves", body)
        assert status == 200, done
        told: int = done["number"]
        return told

    def race(self, servers: Sequence[Server], path: str, word: str) -> Counter[int]:
        """Many clients play the same word at the same moment; what they are answered."""
        number = self.table_view(servers[0], path)["number"]
        line_up = threading.Barrier(CLIENTS)

        def run(each: int) -> int:
            line = Connection(servers[each % len(servers)], self.token)
            line.ask("GET", path + "?seat=0")
            line_up.wait(TIMEOUT)
            body = {"move": word, "seat": 0, "version": number, "idempotency_key": f"client {each}"}
            status, answer = line.ask("POST", f"{path}/moves", body)
            line.hang_up()
            assert status == 200 or answer["table_view"]["number"] > number
            return status

        with ThreadPoolExecutor(CLIENTS) as clients:
            return Counter(clients.map(run, range(CLIENTS)))


class Listener(threading.Thread):
    """Hears what a stream tells."""

    def __init__(
        self, server: Server, player: Player, path: str, seat: int, after: int | None = None
    ) -> None:
        """Begin to listen: to what comes from now on, or after that number."""
        super().__init__(daemon=True)
        self.heard: list[dict[str, Any]] = []
        self._line = Connection(server, player.token)
        start = "" if after is None else f"&after={after}"
        self._stream = self._line.send("GET", f"{path}/stream?seat={seat}{start}")
        assert self._stream.readline().startswith(b"retry")
        self.start()

    def run(self) -> None:
        """Until the other end hangs up."""
        with suppress(OSError, HTTPException), closing(self._stream):
            while line := self._stream.readline():
                if line.startswith(b"data: "):
                    self.heard.append(json.loads(line[6:]))
        self._line.hang_up()

    def numbers(self, count: int) -> list[int]:
        """The numbers of so many notices, once they have come."""
        wait_for(lambda: len(self.heard) >= count)
        return [notice["number"] for notice in self.heard]


def wait_for(condition: Callable[[], bool], seconds: float = TIMEOUT) -> None:
    """Until it is so."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.02)


def test_of_many_who_move_one_is_first(tmp_path: Path) -> None:
    """The others are too late and get the table as it is."""
    server = Server("--data", str(tmp_path))
    server.start()
    try:
        ada = Player(server)
        path = ada.open(server)
        for seat, word in enumerate("T44"):
            ada.move(server, path, seat, word)

        assert ada.race([server], path, ">") == {200: 1, 409: CLIENTS - 1}
    finally:
        server.stop()


def test_two_servers_share_their_tables(servers: tuple[Server, Server]) -> None:
    """Viewers of one server are told what the other accepts."""
    here, there = servers
    ada = Player(here)
    path = ada.open(here)
    at_both = [Listener(server, ada, path, seat=1) for server in servers]
    numbers = [
        ada.move(here, path, 0, "T"),
        ada.move(there, path, 1, "4"),
        ada.move(here, path, 2, "4"),
    ]
    assert [listener.numbers(3) for listener in at_both] == [numbers, numbers]

    assert ada.race(servers, path, ">") == {200: 1, 409: CLIENTS - 1}
    assert [listener.numbers(4)[-1] for listener in at_both] == [numbers[-1] + 1] * 2
    assert at_both[0].heard == at_both[1].heard


@pytest.mark.thorough  # nearly all of it is waiting until the other server is missed
def test_a_server_goes_on_alone(servers: tuple[Server, Server]) -> None:
    """One is killed while bots think; the other plays on for them."""
    here, there = servers
    ada = Player(here)
    path = ada.open(here, bots=2, bot_delay_ms=1_500)
    elsewhere = Listener(there, ada, path, seat=0)
    ada.move(here, path, 0, "T")
    here.kill()
    wait_for(lambda: {1, 2} <= {notice["seat"] for notice in elsewhere.heard})
    assert ada.table_view(there, path)["number"] == elsewhere.heard[-1]["number"]
    here.start()
    assert ada.table_view(here, path) == ada.table_view(there, path)


def test_a_client_may_ask_any_server(servers: tuple[Server, Server]) -> None:
    """Whoever changes the server at every request never sees an older table, nor is refused."""
    turn = itertools.cycle(servers)
    ada = Player(servers[0])
    path = ada.open(servers[0])
    number = [0, 0, 0]
    for place in range(amount(10, 10, 300)):
        seat = place % 3
        seen = ada.table_view(next(turn), path, seat)
        assert seen["number"] >= number[seat]
        if seen["status"] == "over":
            path, number = ada.open(next(turn)), [0, 0, 0]
        if not seen["legal"]:
            continue
        body = {
            "move": seen["legal"][0]["move"],
            "seat": seat,
            "version": seen["number"],
            "idempotency_key": f"key {place}",
        }
        answers = [ada.ask(next(turn), "POST", f"{path}/moves", body) for _ in range(3)]
        assert [status for status, _ in answers] == [200] * 3, answers
        assert len({answer["number"] for _, answer in answers}) == 1
        number[seat] = answers[0][1]["number"]
        told = Listener(next(turn), ada, path, seat, after=number[seat] - 1)
        heard = told.numbers(1)
        assert heard == list(range(number[seat], number[seat] + len(heard)))


def test_no_request_is_lost_between_servers(servers: tuple[Server, Server]) -> None:
    """What one server acknowledges is done, though the other did not know the seat's last state."""
    turn = itertools.cycle(servers)
    ada = Player(servers[0])
    path = ada.open(servers[0])
    for place in range(amount(6, 6, 60)):
        away = place % 2 == 0
        body = {"seat": 0, "level": "apprentice"} if away else {"seat": 0}
        status, said = ada.ask(next(turn), "POST", f"{path}/{'away' if away else 'back'}", body)
        assert status == 200, said
        assert ada.table_view(next(turn), path)["seats"][0]["away"] is away
        next(turn)  # so that each of both is asked by a server that did not hear of the last
