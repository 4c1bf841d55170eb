"""The log: one JSON line for each request, and for what other parts of the program report.

A line holds no path, query, name or address: a path can contain the token of a seat.
"""

import logging
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mauerwerk.core.game import Value
from mauerwerk.server.http import errors, response
from mauerwerk.server.http.metrics import Metrics


class RequestLine(Value, tag=False, omit_defaults=True):
    """What the log says about a request."""

    at: str
    method: str
    route: str
    status: int
    ms: float
    trace: Sequence[str] = ()


class Observed:
    """Counts and logs requests; an error of the program is answered with 500 and logged."""

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        routes: Mapping[object, str],
        write: Callable[[bytes], Any],
        *,
        every: bool = True,
    ) -> None:
        """Observe this app, whose endpoints have these paths.

        `write` takes a line for each request, or only for those that failed by an error of ours.
        """
        self._app = app
        self._metrics = metrics
        self._routes = routes
        self._write = write
        self._every = every
        self._encode = msgspec.json.Encoder().encode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and time it."""
        began = time.perf_counter()
        status = 0
        trace: Sequence[str] = ()

        def send_and_see(message: Message) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            return send(message)

        try:
            await self._app(scope, receive, send_and_see)
        except Exception as error:  # noqa: BLE001 - whatever it was, it is answered and logged
            trace = traceback.format_exception(error)
            if not status:
                fault = errors.HttpError(500, "something broke here; it was not your fault")
                await response.refuse(fault)(scope, receive, send_and_see)
        finally:
            method, route = scope["method"], self._routes.get(scope.get("endpoint"), "-")
            self._metrics.count_request(method, route, status)
            if not route.endswith(("/live", "/stream")):
                self._metrics.recent.append(time.perf_counter() - began)
            if self._every or trace:
                ms = round(1000 * (time.perf_counter() - began), 3)
                at = datetime.now(UTC).isoformat(timespec="milliseconds")
                line = RequestLine(at, method, route, status, ms, trace)
                self._write(self._encode(line) + b"\n")


class LogLine(Value, tag=False, omit_defaults=True):
    """What the log says about anything else."""

    at: str
    level: str
    message: str
    trace: Sequence[str] = ()


class LogHandler(logging.Handler):
    """Writes reports of other parts of the program as lines of the same form."""

    def __init__(self, write: Callable[[bytes], Any]) -> None:
        super().__init__()
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        """Write a report as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        error = record.exc_info[1] if record.exc_info else None
        trace = traceback.format_exception(error) if error else ()
        note = LogLine(at, record.levelname.lower(), record.getMessage(), trace)
        self._write(msgspec.json.encode(note) + b"\n")


def write_to_stderr(line: bytes) -> None:
    """Write a line where the people who run the server look for it."""
    sys.stderr.buffer.write(line)
    sys.stderr.buffer.flush()
