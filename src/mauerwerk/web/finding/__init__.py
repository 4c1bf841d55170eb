"""Finding a table: open tables with filters, a game for somebody who looks, and invitations."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web.finding import invitations, pages
from mauerwerk.web.http.call import Site
from mauerwerk.web.pages.page import Page


def routes(site: Site) -> Sequence[BaseRoute]:
    """What can be done to find a table, and to be found."""
    at = "/t/{table}"
    return [
        Route("/find", Page(site, post=pages.find)),
        Route(f"{at}/join", Page(site, post=pages.join)),
        Route(f"{at}/bots", Page(site, post=pages.fill)),
        Route(f"{at}/people", Page(site, get=invitations.ask, post=invitations.invite)),
        Route("/invitations/{invitation}", Page(site, post=invitations.answer)),
        Route("/me/invitations", Page(site, post=invitations.change)),
    ]
