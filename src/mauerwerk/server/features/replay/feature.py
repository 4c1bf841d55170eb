"""Finished games, position by position, and a bot's analysis of them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.replay import analysis_pages, branch, pages, shared
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.replay.replay_page import Replays
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """The pages of replays, with the replays of this server."""
    replays = Replays()
    here, brought = "/t/{table}/replay", "/replay/{code}"
    return [
        Route("/replay", Page(app, get=pages.ask, post=partial(pages.bring, replays))),
        Route(f"{brought}/record", Page(app, get=partial(pages.copy, replays))),
        *(
            route
            for at in (here, brought)
            for route in (
                Route(at, Page(app, get=partial(pages.show, replays))),
                Route(f"{at}/play", Page(app, post=partial(branch.play_on, replays))),
                Route(f"{at}/picture.png", Page(app, get=partial(shared.position, replays))),
                Route(f"{at}/game.svg", Page(app, get=partial(shared.moving, replays))),
                Route(f"{at}/analyse", Page(app, post=partial(analysis_pages.analyse, replays))),
            )
        ),
    ]


def _start(host: Host, settings: Settings) -> Analyses:
    folder = Path(settings.folder) / "analyses" if settings.folder else None
    return Analyses(folder=folder, limits=host.limits)


def _metrics(metrics: Metrics, host: Host) -> None:
    metrics.show_level(
        "analyses_waiting",
        "Games that wait to be analysed.",
        lambda: host.service(Analyses).waiting,
    )


FEATURE = Feature(
    name="replay",
    start=_start,
    routes=_routes,
    metrics=_metrics,
)
