"""A server under mixed load for a long time: it must end with the memory that it had early on.

python -m bench.soak [MINUTES] [STEPS_PER_SECOND]

People come, open tables, play with bots and alone, change their minds, look at pages, stories and
the lobby, listen to streams and leave them. Memory and open files are noted every half minute.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from bench.load_process import Running, running

WARM = 5 * 60.0
"""Seconds after which the memory counts: by then everything has been used."""

NOTED = 30.0
TABLES = 40
"""How many tables are played at once; the oldest is left for a new one."""

PAGES = ("/", "/api/games", "/api/tables?status=running", "/api/tables?status=over", "/metrics")


class Visitors:
    """All who come to a server."""

    def __init__(self, server: Running, client: httpx.AsyncClient) -> None:
        """Nobody has come yet."""
        self._server = server
        self._client = client
        self._rng = random.Random(1)  # noqa: S311 - any load will do
        self._tables: deque[tuple[str, str]] = deque()
        self._listening: deque[asyncio.Task[None]] = deque()
        self.steps = 0

    async def step(self) -> None:
        """One thing that somebody does."""
        self.steps += 1
        self._client.cookies.clear()  # each is somebody else
        steps = (self._open, self._play, self._listen, self._look)
        (step,) = self._rng.choices(steps, (3, 67, 10, 20))
        await (step if self._tables else self._open)()

    async def _open(self) -> None:
        made = await self._client.post("/api/guests", json={"name": "Soak"})
        token = made.raise_for_status().json()["token"]
        bots = self._rng.randrange(3)
        chairs = [{"kind": "human"}] * (3 - bots) + [{"kind": "bot", "level": "apprentice"}] * bots
        order = {
            "game": "mauer",
            "chairs": chairs,
            "mine": list(range(3 - bots)),
            "public": True,
            "bot_delay_ms": 100,
            "options": {"rounds": "1", "stall": "6"},
        }
        headers = {"authorization": f"Bearer {token}"}
        opened = await self._client.post("/api/tables", json=order, headers=headers)
        self._tables.append((opened.raise_for_status().json()["table"], token))
        if len(self._tables) > TABLES:
            self._tables.popleft()

    async def _play(self) -> None:
        place = self._rng.randrange(len(self._tables))
        table, token = self._tables[place]
        headers = {"authorization": f"Bearer {token}"}
        seen: Any = {}
        for seat in self._rng.sample((0, 1, 2), 3):
            look = await self._client.get(f"/api/tables/{table}?seat={seat}", headers=headers)
            seen = look.json()
            if look.is_success and seen["legal"]:
                word = self._rng.choice(seen["legal"])["move"]
                said = {"seat": seat, "move": word, "version": seen["number"]}
                path = f"/api/tables/{table}/moves"
                await self._client.post(path, json=said, headers=headers)
                break
        if seen.get("status") == "over":
            del self._tables[place]

    async def _listen(self) -> None:
        table, token = self._rng.choice(self._tables)
        self._listening.append(asyncio.create_task(self._follow(table, token)))
        if len(self._listening) > TABLES:
            self._listening.popleft().cancel()

    async def _follow(self, table: str, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"}
        path = f"/api/tables/{table}/stream?seat=none&after=0"
        with suppress(httpx.HTTPError):
            async with self._client.stream("GET", path, headers=headers) as stream:
                async for _ in stream.aiter_bytes():
                    pass

    async def _look(self) -> None:
        table, _ = self._rng.choice(self._tables)
        paths = (*PAGES, f"/t/{table}", f"/api/tables/{table}/history?seat=none")
        await self._client.get(self._rng.choice(paths))


async def soak(server: Running, minutes: float, rate: float) -> list[tuple[float, int, int]]:
    """The memory and the open files of a server, again and again, by seconds."""
    noted: list[tuple[float, int, int]] = []
    began, due = time.perf_counter(), 0.0
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
    async with httpx.AsyncClient(base_url=server.home, timeout=60, limits=limits) as client:
        visitors = Visitors(server, client)
        while (now := time.perf_counter() - began) < 60 * minutes:
            await visitors.step()
            if now >= due:
                due += NOTED
                noted.append((now, server.memory(), server.files()))
                say(f"{now:6.0f} s {noted[-1][1] / 1e6:7.1f} MB {noted[-1][2]:4} files")
            wait = visitors.steps / rate - (time.perf_counter() - began)
            await asyncio.sleep(max(0.0, wait))
    say(f"{visitors.steps} steps, {server.cpu():.0f} s of CPU time")
    return noted


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201


def main(minutes: float, rate: float) -> None:
    """Print how the memory goes, and what it comes to."""
    with tempfile.TemporaryDirectory() as folder, running("mauerwerk", Path(folder)) as server:
        noted = asyncio.run(soak(server, minutes, rate))
    warm = [memory for seconds, memory, _ in noted if seconds >= WARM] or [noted[-1][1]]
    say(f"after 5 minutes {warm[0] / 1e6:.1f} MB, in the end {warm[-1] / 1e6:.1f} MB")


if __name__ == "__main__":
    given = [float(each) for each in sys.argv[1:]]
    main(*given, *(30.0, 20.0)[len(given) :])
