"""Setting up a table: the form and the order that it makes."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.setup import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route("/new/{game}/draft", Page(app, post=pages.draft)),
        Route("/new/{game}", Page(app, get=pages.ask, post=pages.set_up)),
    ]


FEATURE = Feature(
    name="setup",
    routes=_routes,
)
