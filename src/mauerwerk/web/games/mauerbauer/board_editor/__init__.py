"""The workshop: boards for Mauerbauer, drawn by hand, checked, played and studied.

A board is its address. Nothing is kept on the server: the link is the board, and the browser's back
button takes a stroke back.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web.games.mauerbauer.board_editor import pages
from mauerwerk.web.games.mauerbauer.board_editor.study import BoardStudies
from mauerwerk.web.http.call import Site
from mauerwerk.web.pages.page import Page


def routes(site: Site) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route("/workshop", Page(site, get=pages.show)),
        Route("/workshop/play", Page(site, post=pages.play)),
        Route("/workshop/board.toml", Page(site, get=pages.download)),
        Route("/workshop/study", Page(site, get=BoardStudies().show)),
    ]
