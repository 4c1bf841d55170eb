"""Figures for Prometheus. No label holds a path, a name or an address."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from mauerwerk.core.game import NATURE
from mauerwerk.server.engine.events import EntriesStored
from mauerwerk.server.tables.log import Kind

MEDIA: Final = b"text/plain; version=0.0.4; charset=utf-8"
BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Seconds: the upper bounds of the buckets for commits, and for how late the event loop is."""


METHODS: Final = frozenset({"GET", "HEAD", "POST"})
"""All other methods count as one: there are dozens, and each would be a series for each route."""

# When each series was created would double the text.
disable_created_metrics()  # type: ignore[no-untyped-call] # it has no types

RECENT: Final = 500
"""The number of answers of which it is known how long they took."""


class Metrics(Collector):
    """The metrics of one server, in a registry of its own."""

    def __init__(self) -> None:
        self.began = time.time()
        """When the server was started."""

        self.recent: deque[float] = deque(maxlen=RECENT)
        """How many seconds each of the last answers took; streams are not among them."""

        self._figures: list[Callable[[], Metric]] = []
        self._registry = registry = CollectorRegistry()
        requests = Counter(
            "mauerwerk_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._requests = cache(requests.labels)
        self._moves = Counter("mauerwerk_moves", "Moves stored.", registry=registry)
        self._tables = Gauge(
            "mauerwerk_tables", "Tables, by how far they are.", ("status",), registry=registry
        )
        self._commits = Histogram(
            "mauerwerk_commit_seconds",
            "Time until a change is on disk.",
            buckets=BOUNDS,
            registry=registry,
        )
        lag = Histogram(
            "mauerwerk_loop_lag_seconds",
            "How late the event loop was, each time that it was measured.",
            buckets=BOUNDS,
            registry=registry,
        )
        self.observe_lag = lag.observe
        registry.register(self)
        # Memory, open files and CPU time, by the names that all programs use; on Linux.
        ProcessCollector(registry=registry)

    def show_level(self, name: str, what: str, read: Callable[[], float]) -> None:
        """Show a figure that goes up and down; it is read when somebody asks."""
        family = partial(GaugeMetricFamily, f"mauerwerk_{name}", what)
        self._figures.append(lambda: family(value=read()))

    def show_count(self, name: str, what: str, read: Callable[[], float]) -> None:
        """Show a figure that only grows."""
        family = partial(CounterMetricFamily, f"mauerwerk_{name}", what)
        self._figures.append(lambda: family(value=read()))

    def show_counts(self, name: str, what: str, counts: Mapping[str, int]) -> None:
        """Show figures that only grow, by the names that they have in this mapping."""

        def read() -> Metric:
            family = CounterMetricFamily(f"mauerwerk_{name}", what, labels=("what",))
            for label, value in sorted(counts.items()):
                family.add_metric((label,), value)
            return family

        self._figures.append(read)

    def collect(self) -> Iterable[Metric]:
        """Every such figure as it is now; one that cannot be read is left out."""
        for read in self._figures:
            with suppress(OSError):
                yield read()

    def count_request(self, method: str, route: str, status: int) -> None:
        """Count a request that was answered."""
        self._requests(method if method in METHODS else "other", route, status).inc()

    def observe_commit(self, stored: EntriesStored) -> None:
        """Measure a commit, and count the moves of players in it."""
        self._commits.observe(stored.seconds)
        moves = sum(entry.kind is Kind.MOVE and entry.seat != NATURE for entry in stored.entries)
        if moves:
            self._moves.inc(moves)

    def text(self, tables: Mapping[str, int]) -> bytes:
        """All metrics in the text format; `tables` are the numbers of tables by status."""
        for status, count in sorted(tables.items()):
            self._tables.labels(status).set(count)
        return generate_latest(self._registry)


PERIOD: Final = 0.25
"""Seconds between two measurements."""


async def measure_lag(observe: Callable[[float], object]) -> None:
    """Report again and again by how many seconds the loop is late, until cancelled."""
    clock = asyncio.get_running_loop().time
    while True:
        due = clock() + PERIOD
        await asyncio.sleep(PERIOD)
        observe(max(0.0, clock() - due))
