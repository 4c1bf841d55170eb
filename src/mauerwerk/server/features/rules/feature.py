"""The rules as pages: a text for each game and language, with pictures of real positions."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.rules import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route("/rules", Page(app, get=pages.show_all)),
        Route("/rules/{game}", Page(app, get=pages.show)),
    ]


FEATURE = Feature(
    name="rules",
    routes=_routes,
)
