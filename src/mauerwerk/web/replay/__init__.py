"""Finished games, position by position, and what a bot thinks of them."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.web.api.operation import Site
from mauerwerk.web.pages.page import Page
from mauerwerk.web.replay import analysing, branch, pages


def routes(site: Site) -> Sequence[BaseRoute]:
    """Its pages."""
    here, brought = "/t/{table}/replay", "/replay/{code}"
    return [
        Route("/replay", Page(site, get=pages.ask, post=pages.bring)),
        Route(f"{brought}/record", Page(site, get=pages.copy)),
        *(
            route
            for at in (here, brought)
            for route in (
                Route(at, Page(site, get=pages.show)),
                Route(f"{at}/play", Page(site, post=branch.play_on)),
                Route(f"{at}/analyse", Page(site, post=analysing.analyse)),
            )
        ),
    ]
