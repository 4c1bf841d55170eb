"""Finding a table: open tables with filters, a game for somebody who looks, and invitations."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.invitations import people
from mauerwerk.server.features.matchmaking import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def routes(app: AppState) -> Sequence[BaseRoute]:
    """What can be done to find a table, and to be found."""
    at = "/t/{table}"
    return [
        Route("/find", Page(app, post=pages.find)),
        Route(f"{at}/join", Page(app, post=pages.join)),
        Route(f"{at}/bots", Page(app, post=pages.fill)),
        Route(f"{at}/people", Page(app, get=people.ask, post=people.invite)),
        Route("/invitations/{invitation}", Page(app, post=people.answer)),
        Route("/me/invitations", Page(app, post=people.change)),
    ]
