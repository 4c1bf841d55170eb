"""Sharing: pictures of tables and previews of links."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.sharing import pages
from mauerwerk.server.features.sharing.pictures import Pictures
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page

TABLE = "/t/{table}"


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route(f"{TABLE}/picture.png", Page(app, get=pages.show)),
    ]


def _start(host: Host, settings: Settings) -> Pictures:
    del host, settings
    return Pictures()


FEATURE = Feature(
    name="sharing",
    start=_start,
    routes=_routes,
)
