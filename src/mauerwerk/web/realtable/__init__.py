"""For people who own the printed games: what each game offers them, and dice by hand."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web.http.call import Site
from mauerwerk.web.pages import playing
from mauerwerk.web.pages.page import Page
from mauerwerk.web.realtable import index


def routes(site: Site) -> Sequence[BaseRoute]:
    """The generic pages, and the form in which a table's dice are entered."""
    return [
        Route("/real", Page(site, get=index.show)),
        Route("/real/dice", Page(site, get=index.dice)),
        Route("/t/{table}/chance", Page(site, post=playing.enter)),
    ]
