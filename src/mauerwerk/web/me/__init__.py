"""What is a visitor's own: their games, figures and settings, on one page."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web.http.call import Site
from mauerwerk.web.me import my_page
from mauerwerk.web.pages.page import Page


def routes(site: Site) -> Sequence[BaseRoute]:
    """The page, and what can be done on it."""
    return [
        Route("/me", Page(site, get=my_page.show)),
    ]
