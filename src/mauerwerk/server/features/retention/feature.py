"""Retention: how long things are kept, and the job that deletes them."""

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.retention import service, store
from mauerwerk.server.http.metrics import Metrics


def _metrics(metrics: Metrics, host: Host) -> None:
    metrics.show_counts(
        "maintenance",
        "What the policy for keeping tables has done, by kind.",
        host.service(service.RetentionJob).done,
    )


FEATURE = Feature(
    name="retention",
    settings={"retention": store.Retention},
    start=lambda host, settings: service.RetentionJob(host, settings.section(store.Retention)),
    metrics=_metrics,
)
