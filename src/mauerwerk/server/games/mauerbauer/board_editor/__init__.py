"""The workshop: boards for Mauerbauer, drawn by hand, checked, played and studied.

A board is its address. Nothing is kept on the server: the link is the board, and the browser's back
button takes a stroke back.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.games.mauerbauer.board_editor import pages, study
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route("/workshop", Page(app, get=pages.show)),
        Route("/workshop/play", Page(app, post=pages.play)),
        Route("/workshop/board.toml", Page(app, get=pages.download)),
        Route("/workshop/study", Page(app, get=study.BoardStudies().show)),
    ]
