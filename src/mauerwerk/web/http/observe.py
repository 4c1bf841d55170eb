"""What a host can see of a server: a line for each request, and figures for Prometheus.

Neither has paths, queries, names or addresses in it: a path can hold the secret of a seat.
"""

import logging
import sys
import time
import traceback
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mauerwerk.core.game import Value
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.replies import refuse

BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Seconds: where the histograms are divided."""

Labels = tuple[tuple[str, str], ...]


class Histogram:
    """How often something took how long."""

    def __init__(self) -> None:
        """Nothing measured yet."""
        self.counts = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Once more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class Metrics:
    """The figures of this process."""

    def __init__(self) -> None:
        """All at zero."""
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.moves = 0
        self.commits = Histogram()

    def text(self, streams: int, tables: Mapping[str, int]) -> str:
        """All figures, as Prometheus reads them."""
        requests: dict[Labels, float] = {
            (("method", method), ("route", route), ("status", str(status))): count
            for (method, route, status), count in sorted(self.requests.items())
        }
        stored: dict[Labels, float] = {
            (("status", status),): count for status, count in sorted(tables.items())
        }
        return "".join(
            (
                _figures("requests_total", "counter", "Requests answered.", requests),
                _figures("moves_total", "counter", "Moves stored.", {(): self.moves}),
                _figures("streams", "gauge", "Streams open now.", {(): streams}),
                _figures("tables", "gauge", "Tables, by how far they are.", stored),
                _histogram("commit_seconds", "Time until a change is on disk.", self.commits),
            )
        )


def _figures(name: str, kind: str, about: str, values: Mapping[Labels, float]) -> str:
    lines = [f"# HELP mauerwerk_{name} {about}", f"# TYPE mauerwerk_{name} {kind}"]
    for labels, value in values.items():
        inside = ",".join(f'{label}="{said}"' for label, said in labels)
        lines.append(
            f"mauerwerk_{name}{{{inside}}} {value}" if inside else f"mauerwerk_{name} {value}"
        )
    return "\n".join(lines) + "\n"


def _histogram(name: str, about: str, histogram: Histogram) -> str:
    full = f"mauerwerk_{name}"
    lines = [f"# HELP {full} {about}", f"# TYPE {full} histogram"]
    total = 0
    for bound, count in zip((*BOUNDS, "+Inf"), histogram.counts, strict=True):
        total += count
        lines.append(f'{full}_bucket{{le="{bound}"}} {total}')
    lines += [f"{full}_sum {histogram.seconds:.6f}", f"{full}_count {total}"]
    return "\n".join(lines) + "\n"


# --- Requests --------------------------------------------------------------------------------


class RequestLine(Value, tag=False, omit_defaults=True):
    """What the log says of a request."""

    at: str
    method: str
    route: str
    status: int
    ms: float
    trace: Sequence[str] = ()


class Observed:
    """Counts and logs what goes through it; what breaks inside is answered and logged."""

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        routes: Mapping[object, str],
        write: Callable[[bytes], Any] | None,
    ) -> None:
        """Watch this app, whose endpoints have these route templates; write lines there."""
        self._app = app
        self._metrics = metrics
        self._routes = routes
        self._write = write
        self._encode = msgspec.json.Encoder().encode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on, and look at the clock."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0
        trace: Sequence[str] = ()

        async def send_and_see(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_see)
        except Exception as error:  # noqa: BLE001 - whatever it was, it is answered and logged
            trace = traceback.format_exception(error)
            if not status:
                fault = Fault(500, "something broke here; it was not your fault")
                await refuse(fault)(scope, receive, send_and_see)
        finally:
            method, route = scope["method"], self._routes.get(scope.get("endpoint"), "-")
            self._metrics.requests[method, route, status] += 1
            if self._write:
                ms = round(1000 * (time.perf_counter() - began), 3)
                at = datetime.now(UTC).isoformat(timespec="milliseconds")
                line = RequestLine(at, method, route, status, ms, trace)
                self._write(self._encode(line) + b"\n")


class LogLine(Value, tag=False, omit_defaults=True):
    """What the log says of anything else."""

    at: str
    level: str
    message: str
    trace: Sequence[str] = ()


class LogHandler(logging.Handler):
    """Writes what other parts of the program report in the same form."""

    def __init__(self, write: Callable[[bytes], Any]) -> None:
        """Write lines there."""
        super().__init__()
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        error = record.exc_info[1] if record.exc_info else None
        trace = traceback.format_exception(error) if error else ()
        note = LogLine(at, record.levelname.lower(), record.getMessage(), trace)
        self._write(msgspec.json.encode(note) + b"\n")


def write_to_stderr(line: bytes) -> None:
    """Where a host looks."""
    sys.stderr.buffer.write(line)
    sys.stderr.buffer.flush()
