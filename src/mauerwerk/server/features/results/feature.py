"""Results: finished games, figures, ratings and the leaderboard."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.results import api, leaderboard
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.games import counts_in
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route("/leaderboard", Page(app, get=leaderboard.show, post=leaderboard.join)),
    ]


def _start(host: Host, settings: Settings) -> ResultsWorker:
    del settings
    return ResultsWorker(host, counts_in)


FEATURE = Feature(
    name="results",
    operations=api.OPERATIONS,
    start=_start,
    routes=_routes,
)
