"""Evenings: several games in a row with one ranking, on a page to play from and to watch."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.evenings import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def routes(app: AppState) -> Sequence[BaseRoute]:
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
