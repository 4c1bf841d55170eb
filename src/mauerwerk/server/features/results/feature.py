"""Results: finished games, figures, ratings and the leaderboard."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.results import api, leaderboard
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.games import counts_in
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="results",
    operations=api.OPERATIONS,
    start=lambda host, _: ResultsWorker(host, counts_in),
    pages=(PageRoute("/leaderboard", get=leaderboard.show, post=leaderboard.join),),
)
