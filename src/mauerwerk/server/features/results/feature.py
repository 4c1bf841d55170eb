"""Results: finished games, figures and ratings."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.results import api, service, store

FEATURE = Feature(
    name="results",
    personal_data=store.PERSONAL_DATA,
    operations=api.OPERATIONS,
    start=lambda host, _: service.ResultsWorker(host),
)
