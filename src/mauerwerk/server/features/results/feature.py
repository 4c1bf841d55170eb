"""Results: finished games, figures and ratings."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.results import api, service
from mauerwerk.server.games import counts_in

FEATURE = Feature(
    name="results",
    operations=api.OPERATIONS,
    start=lambda host, _: service.ResultsWorker(host, counts_in),
)
