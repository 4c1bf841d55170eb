"""Retention: how long things are kept, and the job that deletes them."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.retention import service, store

FEATURE = Feature(
    name="retention",
    settings={"retention": store.Retention},
    start=lambda host, settings: service.RetentionJob(host, settings.section(store.Retention)),
    metrics=lambda metrics, host: metrics.show_counts(
        "maintenance",
        "What the policy for keeping tables has done, by kind.",
        host.service(service.RetentionJob).done,
    ),
)
