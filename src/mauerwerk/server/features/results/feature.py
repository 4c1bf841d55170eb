"""Results: finished games, figures and ratings."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.results import api
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.games import counts_in

FEATURE = Feature(
    name="results",
    operations=api.OPERATIONS,
    start=lambda host, _: ResultsWorker(host, counts_in),
)
