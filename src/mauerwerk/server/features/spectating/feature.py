"""Spectating: who watches, what they may see, and games that people follow."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.spectating import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page

TABLE = "/t/{table}"


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route(f"{TABLE}/follow", Page(app, post=pages.follow)),
    ]


FEATURE = Feature(
    name="spectating",
    routes=_routes,
)
