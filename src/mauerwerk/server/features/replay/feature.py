"""Finished games, position by position, and a bot's analysis of them."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.types import ASGIApp

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.replay import analysis_pages, branch, pages, shared
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.replay.replay_page import Replays
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.page import PageRequest, PageRoute


def _with_replays(handler: Callable[..., Awaitable[ASGIApp]]) -> Callable[..., Awaitable[ASGIApp]]:
    """A handler that gets the replays of this server first."""

    async def handle(request: PageRequest, *form: Form) -> ASGIApp:
        return await handler(request.app.service(Replays), request, *form)

    return handle


def _pages_at(path: str) -> tuple[PageRoute, ...]:
    """The pages of one replay."""
    return (
        PageRoute(path, get=_with_replays(pages.show)),
        PageRoute(f"{path}/play", post=_with_replays(branch.play_on)),
        PageRoute(f"{path}/picture.png", get=_with_replays(shared.position)),
        PageRoute(f"{path}/game.svg", get=_with_replays(shared.moving)),
        PageRoute(f"{path}/analyse", post=_with_replays(analysis_pages.analyse)),
    )


def _start(host: Host, settings: Settings) -> Analyses:
    host.add_service(Replays())
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
    pages=(
        PageRoute("/replay", get=pages.ask, post=_with_replays(pages.bring)),
        PageRoute("/replay/{code}/record", get=_with_replays(pages.copy)),
        *_pages_at("/t/{table}/replay"),
        *_pages_at("/replay/{code}"),
    ),
    metrics=_metrics,
)
