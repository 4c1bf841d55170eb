"""For people who own the printed games: what each game offers them, and dice by hand."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.real_table import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """The pages that are not about one game."""
    return [
        Route("/real", Page(app, get=pages.show)),
        Route("/real/dice", Page(app, get=pages.dice)),
    ]


FEATURE = Feature(
    name="real_table",
    routes=_routes,
)
