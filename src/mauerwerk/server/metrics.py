"""The figures that other parts of a server keep, and that `/metrics` shows."""

from functools import partial

from mauerwerk.server.http import limits, request
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.stream import Streams


def show_figures(metrics: Metrics, app: request.AppState) -> None:
    """Add them to the metrics of a server; each is read when somebody asks."""
    connections, streams = app.service(limits.Connections), app.service(Streams)
    level, count = metrics.show_level, metrics.show_count
    host = app.host
    level("streams", "Streams open now.", streams.__len__)
    level("connections", "Connections open now.", connections.__len__)
    for name, where, attended in (("", "with people", True), ("_alone", "without", False)):
        level(
            f"bots_waiting{name}",
            f"Bots that wait for a process at tables {where}.",
            partial(host.bots.waiting, attended=attended),
        )
    count(
        "bots_hurried",
        "Bots that waited too long and played by rules of thumb.",
        lambda: host.bots.hurried,
    )
    level("live_tables", "Tables in memory.", lambda: host.memory().tables)
    level("live_table_bytes", "What they take up, about.", lambda: host.memory().size)
    count("failed_writes", "Transactions not stored.", lambda: host.store.failures)
    count(
        "refused_connections",
        "Connections refused, since their clients had too many.",
        lambda: connections.refused,
    )
    metrics.show_counts(
        "refusals", "Requests of clients over a limit, by what was limited.", app.limiter.refused
    )
