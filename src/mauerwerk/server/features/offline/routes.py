"""An app on the phone: what makes the site installable, and what works without a network.

Pages always come from the server while it can be reached, so none is ever out of date; what was
kept is shown only without a network. Files have the hash of their content in their address. A new
version of the worker has a store of its own, and deletes the one before.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.offline import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def routes(app: AppState) -> Sequence[BaseRoute]:
    """The manifest, the worker, and what it shows without a network."""
    return [
        Route("/manifest.webmanifest", Page(app, get=pages.manifest)),
        Route("/worker.js", Page(app, get=pages.worker)),
        Route("/offline", Page(app, get=pages.offline)),
        Route("/learn/{game}/words.json", Page(app, get=pages.words)),
    ]
