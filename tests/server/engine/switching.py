"""Two servers on one database, clients that switch at every request, and servers that are killed.

python -m tests.server.engine.switching MOVES URL [SEED]

A client that is alone at its tables must not be able to tell that there are two servers: it never
sees less than it was told, a move that answers the newest version is never refused, a request that
is repeated gets the same answer, what was acknowledged is done, and streams tell everything once.
"""

import json
import random
import sys
import threading
import time
from collections.abc import Sequence
from http.client import HTTPException
from typing import Any, NamedTuple

from tests.server.engine.torture import TIMEOUT, Connection, Server

CLIENTS = 3
OPTIONS = {"rounds": "1", "stall": "3"}
TOGGLES = 100
"""How often a client leaves and comes back at one table; more often is refused at some point."""


class Switching:
    """A guest who asks another server each time, and the next one where that gives no answer."""

    def __init__(self, servers: Sequence[Server], rng: random.Random, token: str = "") -> None:
        """Not connected yet."""
        self._lines = [(server, Connection(server)) for server in servers]
        self._rng = rng
        self._turn = 0
        self.token = token

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:  # noqa: ANN401
        """The status and the answer."""
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            server, line = self._next()
            if not server.is_up:
                time.sleep(0.001)
                continue
            try:
                response = line.send(method, path, body)
                content = response.read()
            except (OSError, HTTPException):
                line.hang_up()
                continue
            if response.status < 500:
                return response.status, json.loads(content)
        raise AssertionError(f"no answer to {method} {path}")

    def _next(self) -> tuple[Server, Connection]:
        self._turn += 1
        server, line = self._lines[self._turn % len(self._lines)]
        line.token = self.token
        return server, line

    def hang_up(self) -> None:
        """Leave all servers."""
        for _, line in self._lines:
            line.hang_up()


class Watcher(threading.Thread):
    """Follows a table at one server, and after a few notices, or a break, at the other."""

    def __init__(self, servers: Sequence[Server], table: str, token: str) -> None:
        """Observe the table as a spectator."""
        super().__init__(daemon=True)
        self.table = table
        self.numbers: list[int] = []
        self.over = threading.Event()
        self._servers = servers
        self._token = token

    def run(self) -> None:
        """Listen, here and there."""
        turn = 0
        while not self.over.is_set():
            turn += 1
            server = self._servers[turn % len(self._servers)]
            if not server.is_up:
                time.sleep(0.001)
                continue
            line = Connection(server, self._token)
            try:
                self._listen(line)
            except (OSError, HTTPException, ValueError):
                continue
            finally:
                line.hang_up()

    def _listen(self, line: Connection) -> None:
        last = self.numbers[-1] if self.numbers else 0
        response = line.send("GET", f"/api/tables/{self.table}/stream?seat=none", last=last)
        heard = 0
        while heard < 5 and not self.over.is_set() and (said := response.readline()):
            if said.startswith(b"data: "):
                self.numbers.append(json.loads(said[6:])["number"])
                heard += 1


class Player(threading.Thread):
    """Plays all seats of its tables by chance, and counts whatever is not as it should be."""

    def __init__(self, servers: Sequence[Server], seed: int, moves: int) -> None:
        """Play this many moves."""
        super().__init__(daemon=True)
        self._servers = servers
        self._rng = random.Random(seed)
        self._line = Switching(servers, self._rng)
        self._goal = moves
        self.moves = 0
        self.violations: list[str] = []
        self.fault: BaseException | None = None
        self.watchers: list[Watcher] = []

    def run(self) -> None:
        """Play."""
        try:
            _, guest = self._line.ask("POST", "/api/guests", {"name": "Ada"})
            self._line.token = guest["token"]
            while self.moves < self._goal:
                self._play_a_game()
        except BaseException as fault:  # noqa: BLE001 - told to who waits
            self.fault = fault
        finally:
            self._line.hang_up()

    def _open(self) -> str:
        order = {
            "game": "mauer",
            "chairs": [{"kind": "human"}] * 3,
            "mine": [0, 1, 2],
            "options": OPTIONS,
        }
        status, opened = self._line.ask("POST", "/api/tables", order)
        assert status == 201, opened
        table: str = opened["table"]
        return table

    def _play_a_game(self) -> None:
        table, doors = self._open(), self._open()
        watcher = Watcher(self._servers, table, self._line.token)
        watcher.start()
        self.watchers.append(watcher)
        told, toggled = [0, 0, 0], 0
        while self.moves < self._goal:
            seat = self._rng.randrange(3)
            seen = self._look(table, seat)
            self._check("an older table", seen["number"] >= told[seat])
            if seen["status"] == "over":
                break
            if not seen["legal"] or (seen["replaces_choice"] and self._rng.random() < 0.8):
                continue
            told[seat] = self._move(table, seat, seen)
            if toggled < TOGGLES and self._rng.random() < 0.3:
                self._leave_or_come_back(doors, away=toggled % 2 == 0)
                toggled += 1
        number = self._look(table, None)["number"]
        until = time.monotonic() + TIMEOUT
        while len(watcher.numbers) < number and time.monotonic() < until:
            time.sleep(0.005)
        watcher.over.set()
        self._check("told twice, or not", watcher.numbers == list(range(1, number + 1)))

    def _look(self, table: str, seat: int | None) -> Any:  # noqa: ANN401
        eyes = "none" if seat is None else seat
        status, seen = self._line.ask("GET", f"/api/tables/{table}?seat={eyes}")
        assert status == 200, seen
        return seen

    def _move(self, table: str, seat: int, seen: Any) -> int:  # noqa: ANN401
        """Play something, in answer to the newest version; the same again is the same."""
        word = self._rng.choice(seen["legal"])["move"]
        body = {
            "seat": seat,
            "move": word,
            "version": seen["number"],
            "idempotency_key": f"{self._rng.getrandbits(64):x}",
        }
        status, done = self._line.ask("POST", f"/api/tables/{table}/moves", body)
        self._check(f"a move refused: {done}", status == 200)
        self.moves += 1
        again = self._line.ask("POST", f"/api/tables/{table}/moves", body)
        self._check("another answer to the same key", again == (status, done))
        number: int = done.get("number", 0)
        return number

    def _leave_or_come_back(self, table: str, *, away: bool) -> None:
        body = {"seat": 0, "level": "apprentice"} if away else {"seat": 0}
        path = f"/api/tables/{table}/{'away' if away else 'back'}"
        status, done = self._line.ask(
            "POST", path, {**body, "idempotency_key": f"{self._rng.random()}"}
        )
        self._check(f"not done: {done}", status == 200)
        self._check("acknowledged, not done", self._look(table, 0)["seats"][0]["away"] is away)

    def _check(self, what: str, is_so: bool) -> None:  # noqa: FBT001 - a claim
        if not is_so:
            self.violations.append(what)


class Result(NamedTuple):
    """What came of it."""

    moves: int
    kills: int
    notices: int
    violations: list[str]

    def __str__(self) -> str:
        faults = ", ".join(self.violations[:5])
        return (
            f"{self.moves} moves, {self.kills} kills, {self.notices} notices: "
            f"{len(self.violations)} violations {faults}"
        )


def switch(url: str, moves: int, kills: int, seed: int) -> Result:
    """Let clients play at two servers, and kill one or the other meanwhile."""
    rng = random.Random(seed)
    servers = [Server("--database", url) for _ in range(2)]
    players = [Player(servers, seed * 100 + each, -(-moves // CLIENTS)) for each in range(CLIENTS)]

    def played() -> int:
        return sum(player.moves for player in players)

    try:
        for server in servers:
            server.start()
        for player in players:
            player.start()
        for kill in range(kills):
            while played() < moves * (kill + 1) // (kills + 1):
                assert any(player.is_alive() for player in players), [p.fault for p in players]
                time.sleep(0.002)
            victim = rng.choice(servers)
            victim.kill()
            victim.start()
        for player in players:
            player.join(TIMEOUT)
            assert player.fault is None, player.fault
            assert not player.is_alive(), "a player does not get on"
    finally:
        for server in servers:
            server.stop()
    watchers = [watcher for player in players for watcher in player.watchers]
    return Result(
        moves=played(),
        kills=kills,
        notices=sum(len(watcher.numbers) for watcher in watchers),
        violations=[fault for player in players for fault in player.violations],
    )


if __name__ == "__main__":
    number = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**6)
    print(f"seed {number}", flush=True)  # noqa: T201
    goal = int(sys.argv[1])
    print(switch(sys.argv[2], goal, max(1, goal // 50), number))  # noqa: T201
