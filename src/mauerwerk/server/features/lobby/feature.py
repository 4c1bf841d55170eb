"""The home page: games, your tables, open tables, and a quick start."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.lobby import api, pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route("/", Page(app, get=pages.show)),
        Route("/play", Page(app, post=pages.play_now)),
        Route("/play/choice", Page(app, post=pages.choose_start)),
        Route("/name", Page(app, post=pages.change_name)),
    ]


FEATURE = Feature(
    name="lobby",
    operations=api.OPERATIONS,
    routes=_routes,
)
