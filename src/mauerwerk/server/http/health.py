"""Health and metrics of a server, for the people who run it."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, Literal

import msgspec
from starlette.routing import Route
from starlette.types import Receive

from mauerwerk.core.game import Value
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.limits import Connections
from mauerwerk.server.http.metrics import MEDIA
from mauerwerk.server.http.request import AppState, Request
from mauerwerk.server.http.response import Endpoint, Response, reply
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.table import Status

DATABASE_SECONDS: Final = 3.0
"""How long the database may take to answer."""


PROBED: Final = 1.0
"""Seconds for which the result of a check stands, unless something could not be written meanwhile:
anybody may ask, and a check costs a write."""

State = Literal["ok", "broken"]


class Health(Value, tag=False):
    """Whether the server and its database work."""

    status: State | Literal["stopping"]
    reading: State
    writing: State


BROKEN: Final = Health("broken", "broken", "broken")


class Monitor:
    """Says how a server is."""

    def __init__(self, app: AppState) -> None:
        self._state = app
        self._checked: tuple[float, int, Health] | None = None
        """When it was checked, how many transactions had failed by then, and how things were."""
        self._checking = asyncio.Lock()

    async def healthz(self, *_: object) -> Response:
        """Answer 200 if all is well, and 503 if the database cannot be read or written."""
        return _reply(await self._health())

    async def readyz(self, *_: object) -> Response:
        """Answer 200 if this process takes new players, 503 also if it is about to stop."""
        health = await self._health()
        if self._state.host.service(Streams).closed:
            health = msgspec.structs.replace(health, status="stopping")
        return _reply(health)

    async def metrics(self, request: Request, _receive: Receive) -> Response:
        """The metrics for Prometheus, for requests from this machine or with the token."""
        wanted = self._state.settings.metrics_token
        said = request.headers.get("authorization", "").removeprefix("Bearer ")
        with_token = bool(wanted) and hmac.compare_digest(said.encode(), wanted.encode())
        if not with_token and not request.local:
            raise HttpError(403, "metrics are for the people who run this server")
        counts: Mapping[str, int] = {}
        with suppress(Exception):  # the other metrics are wanted most when the database is silent
            async with asyncio.timeout(DATABASE_SECONDS):
                counts = await self._state.host.store.count()
        return Response(self._state.metrics.text(counts), MEDIA)

    async def _health(self) -> Health:
        """How things are, or were a moment ago."""
        store = self._state.host.store
        async with self._checking:
            then, failures, health = self._checked or (0.0, -1, BROKEN)
            if failures != store.failures or time.monotonic() - then >= PROBED:
                reading = await _state(store.lobby(Status.OPEN, before=None, most=1))
                writing = await _state(store.try_writing())
                status: State = "ok" if reading == writing == "ok" else "broken"
                health = Health(status, reading, writing)
                self._checked = time.monotonic(), store.failures, health
        return health


def _reply(health: Health) -> Response:
    return reply(health, 200 if health.status == "ok" else 503)


async def _state(work: Awaitable[object]) -> State:
    """Whether the database does this, and in time."""
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await work
    except Exception:  # noqa: BLE001 - whatever it is, the database does not answer
        return "broken"
    return "ok"


def routes(app: AppState) -> list[Route]:
    """The routes of all three."""
    monitor = Monitor(app)
    answers = (monitor.healthz, monitor.readyz, monitor.metrics)
    return [Route(f"/{answer.__name__}", Endpoint(answer)) for answer in answers]


def show_figures(app: AppState) -> None:
    """Add what other parts of a server count to its metrics; it is read when somebody asks."""
    connections, streams = app.host.service(Connections), app.host.service(Streams)
    level, count = app.metrics.show_level, app.metrics.show_count
    bots, store, memory = app.host.bots, app.host.store, app.host.live_tables.memory
    level("streams", "Streams open now.", streams.__len__)
    level("connections", "Connections open now.", connections.__len__)
    for name, where, attended in (("", "with people", True), ("_alone", "without", False)):
        level(
            f"bots_waiting{name}",
            f"Bots that wait for a process at tables {where}.",
            partial(bots.queue.waiting, first=attended),
        )
    hurried = "Bots that waited too long and played by rules of thumb."
    count("bots_hurried", hurried, lambda: bots.hurried)
    level("live_tables", "Tables in memory.", lambda: memory().tables)
    level("live_table_bytes", "What they take up, about.", lambda: memory().size)
    count("failed_writes", "Transactions not stored.", lambda: store.failures)
    refused = "Connections refused, since their clients had too many."
    count("refused_connections", refused, lambda: connections.refused.count)
    over_limits = "Requests of clients over a limit, by what was limited."
    app.metrics.show_counts("refusals", over_limits, app.limiter.refused)
