"""Guided first games that teach the rules."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.lessons import pages as visiting
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Where lessons begin, their stops, and the real game after them."""
    return [
        Route("/learn/{game}", Page(app, get=visiting.begin)),
        Route("/learn/{game}/play", Page(app, post=visiting.play)),
        Route("/learn/{game}/{step}", Page(app, get=visiting.show, post=visiting.answer)),
    ]


FEATURE = Feature(
    name="lessons",
    routes=_routes,
)
