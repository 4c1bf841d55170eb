"""Finished games, position by position, and a bot's analysis of them."""

from collections.abc import Sequence
from functools import partial

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.replay import analysis_pages, branch, pages, shared
from mauerwerk.server.features.replay.replay_page import Replays
from mauerwerk.server.http.call import AppState
from mauerwerk.server.ui.page import Page


def routes(site: AppState) -> Sequence[BaseRoute]:
    """The pages of replays, with the replays of this server."""
    replays = Replays()
    here, brought = "/t/{table}/replay", "/replay/{code}"
    return [
        Route("/replay", Page(site, get=pages.ask, post=partial(pages.bring, replays))),
        Route(f"{brought}/record", Page(site, get=partial(pages.copy, replays))),
        *(
            route
            for at in (here, brought)
            for route in (
                Route(at, Page(site, get=partial(pages.show, replays))),
                Route(f"{at}/play", Page(site, post=partial(branch.play_on, replays))),
                Route(f"{at}/picture.png", Page(site, get=partial(shared.position, replays))),
                Route(f"{at}/game.svg", Page(site, get=partial(shared.moving, replays))),
                Route(f"{at}/analyse", Page(site, post=partial(analysis_pages.analyse, replays))),
            )
        ),
    ]
