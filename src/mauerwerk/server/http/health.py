"""Health and metrics of a server, for the people who run it."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Literal

import msgspec
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from mauerwerk.core.game import Value
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.metrics import MEDIA, Metrics
from mauerwerk.server.http.request import AppState, Request, request_in
from mauerwerk.server.http.response import Response, refuse, reply
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.table import Status

DATABASE_SECONDS: Final = 3.0
"""How long the database may take to answer."""


PROBED: Final = 5.0
"""Seconds for which the result of a check stands: anybody may ask, and a check costs a write."""

State = Literal["ok", "broken"]


class Health(Value, tag=False):
    """Whether the server and its database work."""

    status: State | Literal["stopping"]
    reading: State
    writing: State


class HealthCheck:
    """Answers whether this process can read and write its database."""

    def __init__(self, app: AppState, clock: Callable[[], float] = time.monotonic) -> None:
        """Check this site."""
        self._state = app
        self._clock = clock
        self._checked: tuple[float, Health] | None = None
        self._checking = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 200 if all is well, and 503 if the database cannot be read or written."""
        await _answer(await self.health())(scope, receive, send)

    async def health(self) -> Health:
        """How things are, or were a few seconds ago."""
        async with self._checking:
            if self._checked is None or self._clock() - self._checked[0] >= PROBED:
                self._checked = self._clock(), await self._health()
        return self._checked[1]

    async def _health(self) -> Health:
        host = self._state.host
        reading = await _state(host.lobby(Status.OPEN, before=None, most=1))
        writing = await _state(host.store.try_writing())
        return Health("ok" if reading == writing == "ok" else "broken", reading, writing)


class ReadyCheck:
    """Answers whether this process takes new players: not if it is about to stop."""

    def __init__(self, app: AppState, check: HealthCheck) -> None:
        """Check this site."""
        self._state = app
        self._check = check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 200 if it does."""
        health = await self._check.health()
        if self._state.service(Streams).closed:
            health = msgspec.structs.replace(health, status="stopping")
        await _answer(health)(scope, receive, send)


def _answer(health: Health) -> Response:
    return reply(health, 200 if health.status == "ok" else 503)


async def _state(work: Awaitable[object]) -> State:
    """Whether the database does this, and in time."""
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await work
    except Exception:  # noqa: BLE001 - whatever it is, the database does not answer
        return "broken"
    return "ok"


class MetricsPage:
    """The metrics for Prometheus, for requests from this machine or with the token."""

    def __init__(self, app: AppState, metrics: Metrics) -> None:
        """Show the metrics of this site."""
        self._state = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with all of them, as text."""
        if self._may_read(request_in(scope)):
            answer = Response(self._metrics.text(await self._tables()), MEDIA)
        else:
            answer = refuse(HttpError(403, "metrics are for the people who run this server"))
        await answer(scope, receive, send)

    async def _tables(self) -> Mapping[str, int]:
        """The numbers of tables by status; none while the database does not answer."""
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                return await self._state.host.store.count()
        except Exception:  # noqa: BLE001 - the other metrics are wanted most when this fails
            return {}

    def _may_read(self, request: Request) -> bool:
        wanted = self._state.settings.metrics_token
        said = request.headers.get("authorization", "").removeprefix("Bearer ")
        if wanted and hmac.compare_digest(said.encode(), wanted.encode()):
            return True
        return request.local


def routes(app: AppState, metrics: Metrics) -> list[Route]:
    """The routes of all three."""
    check = HealthCheck(app)
    return [
        Route("/healthz", check),
        Route("/readyz", ReadyCheck(app, check)),
        Route("/metrics", MetricsPage(app, metrics)),
    ]
