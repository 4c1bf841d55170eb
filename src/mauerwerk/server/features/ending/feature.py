"""The end of a game: places as towers, where the points came from, how it went, and sharing it."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.ending import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page

TABLE = "/t/{table}"


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route(f"{TABLE}/chances", Page(app, post=pages.work_out)),
        Route(f"{TABLE}/places.svg", Page(app, get=pages.see_places)),
    ]


FEATURE = Feature(
    name="ending",
    routes=_routes,
)
