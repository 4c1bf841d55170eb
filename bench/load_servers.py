"""The servers that `bench.load` measures: ours, and one that only echoes.

python -m bench.load_servers mauerwerk FOLDER CORE [PROFILE]
python -m bench.load_servers guarded FOLDER CORE [PROFILE]
python -m bench.load_servers notifying FOLDER CORE [PROFILE]
python -m bench.load_servers echo - CORE [PROFILE]
python -m bench.load_servers storing FOLDER CORE [PROFILE]

All are one process on one core, with the same web server. The echo does only what is unavoidable:
it reads a request as JSON, answers it, and sends it to all listeners. The storing echo does so once
the request is on disk, as a row of a log.
"""

import asyncio
import cProfile
import os
import socket
import sys
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from mauerwerk.server import run as server
from mauerwerk.server.database import rows
from mauerwerk.server.database.connect import is_url, store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications.delivery import Push
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.tables.charter import Chair, Order, charter_for
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.requests import set_up

SETTINGS = Settings(limits=Limits(requests=0), log=False)
GUARDED = Settings(trust_proxy=True, log=False)
"""With the limits that a server has, for clients whose addresses a proxy passes on."""

NOTIFYING = Settings(
    limits=Limits(requests=0),
    sections=(Push(on=True, contact="mailto:load@example.org", private=True),),
    log=False,
)
"""It notifies people whose turn it is."""

ALL_SETTINGS = {"mauerwerk": SETTINGS, "guarded": GUARDED, "notifying": NOTIFYING}


def serve_mauerwerk(folder: str, waiting: socket.socket, settings: Settings) -> None:
    """Our server, with SQLite in a folder and full synchronisation, or with PostgreSQL."""
    host = Host(store_at(folder if is_url(folder) else Path(folder)))
    server.serve(host, settings, waiting, lambda: say(waiting))


class Logs:
    """The logs of the storing echo: rows of what was said at tables, and nothing else."""

    def __init__(self, folder: str) -> None:
        """In this folder."""
        self.store = store_at(Path(folder))
        self._lengths: dict[str, int] = {}

    async def add(self, table: str, said: bytes) -> None:
        """Have it on disk."""
        if table not in self._lengths:
            charter = charter_for(Order("mauer", (Chair("open"),) * 3, {}), table, SEED, 0)
            empty = set_up(charter, SEED, {}).table
            self._lengths[table] = 0
            await self.store.put(rows.creation(charter, SEED, (), empty.card(), empty.owners))
        row = (table, self._lengths[table], 0, Kind.MOVE.value, 0, said.decode(), None, "", "")
        self._lengths[table] += 1
        await self.store.put(rows.Batch(table, entries=(row,)))


SEED = bytes(32)


def serve_echo(waiting: socket.socket, logs: Logs | None = None) -> None:
    """An echo with listeners by table, which stores what is said if it has logs."""
    listening: dict[str, list[asyncio.Queue[bytes]]] = {}

    async def move(request: Request) -> JSONResponse:
        said = await request.json()
        if logs is not None:
            await logs.add(request.path_params["table"], await request.body())
        frame = b"id: %d\nevent: move\ndata: %b\n\n" % (said["version"], await request.body())
        for queue in listening.get(request.path_params["table"], ()):
            queue.put_nowait(frame)
        return JSONResponse({"number": said["version"]})

    async def stream(request: Request) -> StreamingResponse:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        listening.setdefault(request.path_params["table"], []).append(queue)

        async def frames() -> object:
            yield b"retry: 1000\n\n"
            while True:
                yield await queue.get()

        return StreamingResponse(frames(), media_type="text/event-stream")  # type: ignore[arg-type]

    app = Starlette(
        routes=[
            Route("/api/tables/{table}/moves", move, methods=["POST"]),
            Route("/api/tables/{table}/stream", stream),
        ]
    )
    config = uvicorn.Config(
        app, lifespan="off", log_config=None, access_log=False, server_header=False, ws="none"
    )
    running = uvicorn.Server(config)

    async def run() -> None:
        if logs is not None:
            await logs.store.open()
        say(waiting)
        await running.serve([waiting])
        if logs is not None:
            await logs.store.close()

    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(run())


def say(waiting: socket.socket) -> None:
    """Print the port for the parent process."""
    print(waiting.getsockname()[1], flush=True)  # noqa: T201


def main(which: str, folder: str, core: str, profile: str = "") -> None:
    """Serve until stopped."""
    os.sched_setaffinity(0, {int(core)})
    waiting = server.listen("127.0.0.1", 0)
    watch = cProfile.Profile()
    if profile:
        watch.enable()
    try:
        if which == "echo":
            serve_echo(waiting)
        elif which == "storing":
            serve_echo(waiting, Logs(folder))
        else:
            serve_mauerwerk(folder, waiting, ALL_SETTINGS[which])
    finally:
        if profile:
            watch.disable()
            watch.dump_stats(profile)


if __name__ == "__main__":
    main(*sys.argv[1:])
