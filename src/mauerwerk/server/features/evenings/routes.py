"""Evenings: several games in a row with one ranking, on a page to play from and to watch."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.evenings import pages
from mauerwerk.server.http.call import AppState
from mauerwerk.server.ui.page import Page


def routes(site: AppState) -> Sequence[BaseRoute]:
    """The pages of evenings."""
    at = "/e/{evening}"
    return [
        Route("/evening", Page(site, get=pages.ask, post=pages.begin)),
        Route(at, Page(site, get=pages.show)),
        Route(f"{at}/join", Page(site, post=pages.join)),
        Route(f"{at}/leave", Page(site, post=pages.leave)),
        Route(f"{at}/games", Page(site, post=pages.add_game)),
        Route(f"{at}/games/drop", Page(site, post=pages.drop_game)),
        Route(f"{at}/swap", Page(site, post=pages.swap)),
        Route(f"{at}/way", Page(site, post=pages.arrange)),
        Route(f"{at}/start", Page(site, post=pages.start)),
    ]
