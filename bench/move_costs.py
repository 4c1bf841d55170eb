"""What a durable move with four viewers costs beside an echo, for several trees side by side.

    python -m bench.move_costs [TREE …]     each with its own .venv; without one, this tree

Each tree serves SQLite and PostgreSQL at the same time. Tables play at all servers in turn, as fast
as each goes, a second each, so that whatever else the machine does falls on all of them alike. The
figures are microseconds of CPU time of the server in all threads, medians of the rounds. The echo
reads a move as JSON, answers it and sends it to four listeners; it checks and stores nothing. The
storing echo also has the move on disk before: no server that keeps its promises can do with less.
"""

import asyncio
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import uvloop
from bench import paths
from bench.load_client import OPTIONS, Table, connect, flat_out, script
from bench.load_process import Running, running
from bench.page_costs import ROOT, serving

ROUNDS: Final = 5
SECONDS: Final = 1.0
TABLES: Final = 40
SCRIPTS: Final = [script(seed) for seed in range(8)]


class Side:
    """A server and its tables, which play on in each round."""

    def __init__(self, name: str, server: Running, *, echo: bool = False) -> None:
        """Open the tables."""
        self.name = name
        self.server = server
        self.costs: list[float] = []
        self._echo = echo

    def tables(self) -> list[Table]:
        """Tables that are about to begin."""
        if self._echo:
            return [Table(f"table{each}", SCRIPTS[each % 8], "x") for each in range(TABLES)]
        home, token = self.server.home, self.server.guest()
        fields = paths.fields_of(home)
        key = {"move": "idempotency_key", "word": "key"}[fields["move"]]
        order = {
            "game": "mauer",
            fields["seats"]: [{"kind": "human"}] * 3,
            fields["own_seats"]: [0, 1, 2],
            "options": OPTIONS,
        }
        headers, made = {"authorization": f"Bearer {token}"}, []
        with httpx.Client(base_url=home, headers=headers) as client:
            for each in range(TABLES):
                name = client.post("/api/tables", json=order).raise_for_status().json()["table"]
                bodies = [_named(body, fields["move"], key) for body in SCRIPTS[each % 8]]
                made.append(Table(name, bodies, token))
        return made

    async def play(self) -> None:
        """One round: everybody comes, plays and goes."""
        tables = self.tables()
        for table in tables:
            await connect(self.server.port, table, table.token)
        await asyncio.sleep(0.3)
        before = self.server.cpu()
        await flat_out(self.server.port, tables, SECONDS)
        spent = self.server.cpu() - before
        self.costs.append(1e6 * spent / sum(table.answered for table in tables))
        for table in tables:
            table.leave()


def _named(body: bytes, move: str, key: str) -> bytes:
    said: dict[str, Any] = msgspec.json.decode(body)
    words = {"move": move, "idempotency_key": key}
    return msgspec.json.encode({words.get(name, name): value for name, value in said.items()})


async def measure(sides: list[Side]) -> None:
    """Play at all of them in turn."""
    for number in range(ROUNDS + 1):
        for side in sides:
            await side.play()
            if not number:  # the first round is for warming up
                side.costs.clear()


def main() -> None:
    """Print a table with a line for each server."""
    trees = [Path(each).resolve() for each in sys.argv[1:]] or [ROOT]
    with ExitStack() as stack:
        sides = [Side("echo", stack.enter_context(running("echo", "-")), echo=True)]
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        storing = stack.enter_context(running("storing", folder))
        sides.append(Side("an echo that stores", storing, echo=True))
        for tree in trees:
            sides.append(Side(f"{tree.name}, SQLite", stack.enter_context(serving(tree))))
            url = stack.enter_context(paths.postgresql())
            sides.append(Side(f"{tree.name}, PostgreSQL", stack.enter_context(serving(tree, url))))
        uvloop.run(measure(sides))
    echo = statistics.median(sides[0].costs)
    print("| a move with four viewers | CPU time in µs | lowest, highest | echo / this |")  # noqa: T201
    print("|---|---|---|---|")  # noqa: T201
    for side in sides:
        middle, low, high = statistics.median(side.costs), min(side.costs), max(side.costs)
        print(f"| {side.name} | {middle:.0f} | {low:.0f}, {high:.0f} | {echo / middle:.2f} |")  # noqa: T201


if __name__ == "__main__":
    main()
