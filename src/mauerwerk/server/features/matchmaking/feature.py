"""Finding a table: open tables with filters, a game for somebody who looks, and invitations."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.matchmaking import api, pages
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """What can be done to find a table, and to be found."""
    at = "/t/{table}"
    return [
        Route("/find", Page(app, post=pages.find)),
        Route(f"{at}/join", Page(app, post=pages.join)),
        Route(f"{at}/bots", Page(app, post=pages.fill)),
    ]


def _start(host: Host, settings: Settings) -> Matchmaking:
    del settings
    return Matchmaking(host)


FEATURE = Feature(
    name="matchmaking",
    operations=api.OPERATIONS,
    start=_start,
    routes=_routes,
)
