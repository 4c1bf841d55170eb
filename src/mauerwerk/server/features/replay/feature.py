"""Finished games, position by position, and a bot's analysis of them."""

from pathlib import Path

from mauerwerk.lab.analysis import analyse
from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.replay import pages
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.replay.replay import Replays
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import PageRoute


def _pages_at(path: str) -> tuple[PageRoute, ...]:
    return (
        PageRoute(path, get=pages.show, shared=True),
        PageRoute(f"{path}/play", post=pages.play_on),
        PageRoute(f"{path}/picture.png", get=pages.show_position),
        PageRoute(f"{path}/game.svg", get=pages.show_game),
        PageRoute(f"{path}/film.{{kind}}", get=pages.show_film),
        PageRoute(f"{path}/analyse", post=pages.analyse),
    )


def _start(host: Host, settings: Settings) -> Analyses:
    host.add_service(Replays())
    folder = Path(settings.folder) / "analyses" if settings.folder else None
    if settings.alone:  # there are no processes
        return Analyses(analyser=analyse, limits=host.limits, events=host.events)
    return Analyses(folder=folder, limits=host.limits, events=host.events)


FEATURE = Feature(
    name="replay",
    start=_start,
    pages=(
        PageRoute("/replay", get=pages.show_import, post=pages.import_record),
        PageRoute("/replay/{code}/record", get=pages.download_record),
        *_pages_at("/t/{table}/replay"),
        *_pages_at("/replay/{code}"),
    ),
    metrics=lambda metrics, host: metrics.show_level(
        "analyses_waiting",
        "Games that wait to be analysed.",
        lambda: host.service(Analyses).waiting,
    ),
)
