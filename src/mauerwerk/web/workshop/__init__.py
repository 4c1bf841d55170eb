"""The workshop: boards for Mauerbauer, drawn by hand, checked, played and studied.

A board is its address. Nothing is kept on the server, so whoever has the link has the board, and
the browser's way back takes a stroke back.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web.operation import Site
from mauerwerk.web.pages.page import Page
from mauerwerk.web.workshop import pages
from mauerwerk.web.workshop.study import Desk


def routes(site: Site) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route("/workshop", Page(site, get=pages.show)),
        Route("/workshop/play", Page(site, post=pages.play)),
        Route("/workshop/board.toml", Page(site, get=pages.download)),
        Route("/workshop/study", Page(site, get=Desk().show)),
    ]
