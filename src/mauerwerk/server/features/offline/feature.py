"""An app on the phone: what makes the site installable, and what works without a network."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.offline import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """The manifest, the worker, and what it shows without a network."""
    return [
        Route("/manifest.webmanifest", Page(app, get=pages.manifest)),
        Route("/worker.js", Page(app, get=pages.worker)),
        Route("/offline", Page(app, get=pages.offline)),
        Route("/learn/{game}/words.json", Page(app, get=pages.words)),
    ]


FEATURE = Feature(
    name="offline",
    routes=_routes,
)
