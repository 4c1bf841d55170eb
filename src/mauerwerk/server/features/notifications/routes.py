"""Notifications that it is somebody's turn: in the browser, by Web Push, by e-mail."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.notifications import pages
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page


def routes(app: AppState) -> Sequence[BaseRoute]:
    """Settings, what pages ask for, and the links in e-mail."""
    return [
        Route("/me/notifications", Page(app, post=pages.change)),
        Route("/me/notifications/device", Page(app, post=pages.add_device)),
        Route("/me/notifications/device/remove", Page(app, post=pages.remove_device)),
        Route("/notifications/waiting", Page(app, get=pages.waiting)),
        Route("/notifications/snooze", Page(app, post=pages.later)),
        Route(
            "/notifications/confirm/{proof}",
            Page(app, get=pages.ask_to_confirm, post=pages.confirm, from_anywhere=True),
        ),
        Route(
            "/notifications/stop/{stop}",
            Page(app, get=pages.ask_to_stop, post=pages.stop, from_anywhere=True),
        ),
        Route("/t/{table}/looked", Page(app, post=pages.looked)),
    ]
