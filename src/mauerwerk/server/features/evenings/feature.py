"""Evenings: several games in a row among the same people, with one ranking."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.evenings import api, pages
from mauerwerk.server.features.evenings.service import Evenings
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """The pages of evenings."""
    at = "/e/{evening}"
    return [
        Route("/evening", Page(app, get=pages.ask, post=pages.begin)),
        Route(at, Page(app, get=pages.show)),
        Route(f"{at}/join", Page(app, post=pages.join)),
        Route(f"{at}/leave", Page(app, post=pages.leave)),
        Route(f"{at}/games", Page(app, post=pages.add_game)),
        Route(f"{at}/games/drop", Page(app, post=pages.drop_game)),
        Route(f"{at}/swap", Page(app, post=pages.swap)),
        Route(f"{at}/way", Page(app, post=pages.arrange)),
        Route(f"{at}/start", Page(app, post=pages.start)),
    ]


def _start(host: Host, settings: Settings) -> Evenings:
    del settings
    return Evenings(host)


FEATURE = Feature(
    name="evenings",
    operations=api.OPERATIONS,
    start=_start,
    routes=_routes,
)
