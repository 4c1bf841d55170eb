"""For people who own the printed games: a scoring helper, a score sheet, dice by hand."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web.api.operation import Site
from mauerwerk.web.games.mauer.realtable import page as mauer
from mauerwerk.web.games.mauerbauer.realtable import page as mauerbauer
from mauerwerk.web.pages import playing
from mauerwerk.web.pages.page import Page
from mauerwerk.web.realtable import index


def routes(site: Site) -> Sequence[BaseRoute]:
    """Its pages, and the form in which a table's dice are entered."""
    return [
        Route("/real", Page(site, get=index.show)),
        Route("/real/dice", Page(site, get=index.dice)),
        Route("/real/mauer", Page(site, get=mauer.show)),
        Route("/real/mauerbauer", Page(site, get=mauerbauer.show)),
        Route("/t/{table}/chance", Page(site, post=playing.enter)),
    ]
