"""Moderation: what the hosts of a server decide, by command, API or page."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.moderation import actions, api, pages
from mauerwerk.server.features.moderation.service import Moderation
from mauerwerk.server.http.identity import HostAccess
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """The page, its figures, and what can be done on it."""
    if not app.service(HostAccess).exists:
        return []
    return [
        Route("/admin", Page(app, get=pages.show, for_hosts=True)),
        Route("/admin/figures", Page(app, get=pages.renew, for_hosts=True)),
        Route("/admin/sign-in", Page(app, post=pages.sign_in, for_hosts=True)),
        Route("/admin/sign-out", Page(app, post=pages.sign_out, for_hosts=True)),
        Route("/admin/do", Page(app, post=actions.act, for_hosts=True)),
    ]


def _start(host: Host, settings: Settings) -> Moderation:
    del settings
    return Moderation(host)


FEATURE = Feature(
    name="moderation",
    operations=api.OPERATIONS,
    start=_start,
    routes=_routes,
)
