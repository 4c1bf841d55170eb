"""What a page costs: CPU time of the server for each answer, for several trees side by side.

    python -m bench.page_costs [TREE …]     each with its own .venv; without one, this tree

All servers run at the same time and are asked in turn, a few requests each, so that whatever else
the machine does falls on all of them alike. The figures are medians of the rounds, in milliseconds
of CPU time in all threads. A move is one request that all viewers' streams then tell of.
"""

import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Generator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from bench import paths
from bench.load_process import Running

from mauerwerk.core import options
from mauerwerk.core.game import Setup
from mauerwerk.games import mauer

ROOT: Final = Path(__file__).parents[1]
ROUNDS: Final = 5
AT_ONCE: Final = 20
"""Requests of one round."""

MOVES: Final = 12
ENDED: Final = 8
RUNNING: Final = 3
"""How many finished games the guest has, and how many open and running tables of each game."""

RECORDS: Final = "tests/records/golden/mauerbauer-1"
HEADERS: Final = {"accept-encoding": "gzip", "accept-language": "de", "sec-fetch-site": "none"}


class Place(NamedTuple):
    """A server, a visitor without a name, a guest, and what there is to see."""

    server: Running
    paths: paths.Server
    visitor: httpx.AsyncClient
    guest: httpx.AsyncClient
    table: str
    replay: str


@contextmanager
def serving(tree: Path, database: str = "") -> Generator[Running]:
    """A server of this tree, without limits; without a database, it has a folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(tree / ".venv/bin/python"), "-m", "mauerwerk", "serve", "--port", "0"]
        command += ["--rate", "0", "--quiet", "--no-compile"]
        command += ["--database", database] if database else ["--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tree) as process:  # noqa: S603 - ourselves
            assert process.stdout is not None
            try:
                found = re.search(r"http://[^:]+:(\d+)", process.stdout.readline())
                assert found, "the server did not start"
                yield Running(int(found[1]), process.pid)
            finally:
                process.terminate()


async def furnished(server: Running, stack: AsyncExitStack) -> Place:
    """The server with a few tables of a guest, some of them public, and a replay."""
    home = paths.Server(server.home, None, paths.fields_of(server.home))  # type: ignore[arg-type] # no hook
    guest = await stack.enter_async_context(paths.person(home, "Ada"))
    visitor = await stack.enter_async_context(paths.person(home))
    fields, made = home.fields, ""
    for number in range(ENDED):
        await finished_game(home, guest, number)
    for game, seats in (("mauer", 3), ("burgbaumeister", 2), ("mauerbauer", 2)):
        for kind in ("open", "human") * RUNNING:
            order = {
                "game": game,
                fields["seats"]: [{"kind": kind}] * seats,
                fields["own_seats"]: [0] if kind == "open" else list(range(seats)),
                "public": True,
            }
            made = (await paths.post(guest, "/api/tables", **order))["table"]
    record = max((ROOT / RECORDS).glob("*.txt"), key=lambda path: path.stat().st_size)
    brought = await visitor.post("/replay", data={"record": record.read_text(encoding="utf-8")})
    assert brought.status_code == httpx.codes.SEE_OTHER, brought.text
    for client in (guest, visitor):
        client.headers.update(HEADERS)
    return Place(server, home, visitor, guest, made, brought.headers["location"])


async def finished_game(home: paths.Server, guest: httpx.AsyncClient, seed: int) -> None:
    """A game of Die Mauer that the guest has played at all seats."""
    fields, rng = home.fields, random.Random(seed)  # noqa: S311 - any game will do
    words = {"rounds": "1", "stall": "6"}
    order = {
        "game": "mauer",
        fields["seats"]: [{"kind": "human"}] * paths.SEATS,
        fields["own_seats"]: list(range(paths.SEATS)),
        "options": words,
    }
    table = (await paths.post(guest, "/api/tables", **order))["table"]
    state: Any = mauer.start(Setup(paths.SEATS, options.from_words(mauer.Options, words)))
    version = (await guest.get(f"/api/tables/{table}?seat=0")).json()["number"]
    while waiting := mauer.to_act(state):
        seat = rng.choice(waiting)
        action = rng.choice(mauer.legal(state, seat))
        state = mauer.apply(state, seat, action).state
        said = {fields["move"]: mauer.write(action), "seat": seat, "version": version}
        version = (await paths.post(guest, f"/api/tables/{table}/moves", **said))["number"]


def asked(path: str, *, as_guest: bool = False) -> Callable[[Place], Awaitable[int]]:
    """Ask for the same page again and again."""

    async def ask(place: Place) -> int:
        client = place.guest if as_guest else place.visitor
        for number in range(AT_ONCE):
            known = {"table": place.table, "replay": place.replay, "at": str(7 + 5 * number)}
            answer = await client.get(path.format_map(known))
            assert answer.is_success, (path, answer.status_code, answer.text)
        return AT_ONCE

    return ask


def played(*, pages: bool) -> Callable[[Place], Awaitable[int]]:
    """Play at a new table, with three players and a spectator who watch."""

    async def play(place: Place) -> int:
        spent = 0.0
        async with paths.people(place.paths, 1) as clients:
            for client in clients:
                client.headers.update({"accept-encoding": "gzip"} if pages else {})
            table = await paths.open_table(place.paths, clients[: paths.SEATS])
            if pages:
                shown = [await paths.page_of(client, table) for client in clients]
                wanted = [(c, p.stream, p.event) for c, p in zip(clients, shown, strict=True)]
            else:
                seats = [*map(str, range(paths.SEATS)), "none"]
                path = f"/api/tables/{table}/stream?seat="
                wanted = [(c, path + seat, "") for c, seat in zip(clients, seats, strict=True)]
            async with paths.following(wanted) as streams:
                for number in range(MOVES):
                    player = clients[number % paths.SEATS]
                    move = await paths.prepared(place.paths, player, table, pages=pages)
                    before = place.server.cpu()
                    await paths.told(streams, move)
                    spent += place.server.cpu() - before
        PLAYED[place.server.port] = spent
        return MOVES

    return play


PLAYED: Final[dict[int, float]] = {}
"""Seconds of CPU time that only the moves took."""

MEASURED: Final[dict[str, Callable[[Place], Awaitable[int]]]] = {
    "`/`, a visitor": asked("/"),
    "`/`, a guest with 18 tables and 8 finished games": asked("/", as_guest=True),
    "`/me`": asked("/me", as_guest=True),
    "`/leaderboard`": asked("/leaderboard"),
    "`/workshop`": asked("/workshop"),
    "`/rules/mauerbauer`": asked("/rules/mauerbauer"),
    "a table of Mauerbauer, its player": asked("/t/{table}?seat=0", as_guest=True),
    "a table of Mauerbauer, a spectator": asked("/t/{table}"),
    "a replay of Mauerbauer, other positions": asked("{replay}?at={at}&seat=all"),
    "a replay of Mauerbauer, one position": asked("{replay}?at=20&seat=0"),
    "a move on the page, four viewers": played(pages=True),
    "a move over the API, four viewers": played(pages=False),
}


async def measure(servers: list[Running]) -> dict[str, list[list[float]]]:
    """Milliseconds for each answer, by what was asked and by server, for each round."""
    found: dict[str, list[list[float]]] = {what: [[] for _ in servers] for what in MEASURED}
    async with AsyncExitStack() as stack:
        places = [await furnished(server, stack) for server in servers]
        for number in range(ROUNDS + 1):
            for what, ask in MEASURED.items():
                for place, values in zip(places, found[what], strict=True):
                    PLAYED.pop(place.server.port, None)
                    before = place.server.cpu()
                    times = await ask(place)
                    spent = place.server.cpu() - before
                    if number:  # the first round is for warming up
                        spent = PLAYED.get(place.server.port, spent)
                        values.append(1_000 * spent / times)
    return found


def main() -> None:
    """Print a table with a column for each tree."""
    trees = [Path(each).resolve() for each in sys.argv[1:]] or [ROOT]
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(tree)) for tree in trees]
        found = asyncio.run(measure(servers))
    print("| CPU time in ms |", " | ".join(tree.name for tree in trees), "|")  # noqa: T201
    print("|---|" + "---|" * len(trees))  # noqa: T201
    for what, columns in found.items():
        print(f"| {what} |", " | ".join(f"{statistics.median(each):.2f}" for each in columns), "|")  # noqa: T201


if __name__ == "__main__":
    main()
