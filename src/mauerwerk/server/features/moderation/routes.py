"""The page for the people who run a server. Without a token for them, it does not exist."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.moderation import actions, pages
from mauerwerk.server.http.call import AppState
from mauerwerk.server.ui.page import Page


def routes(site: AppState) -> Sequence[BaseRoute]:
    """The page, its figures, and what can be done on it."""
    if not site.access.exists:
        return []
    return [
        Route("/admin", Page(site, get=pages.show, for_hosts=True)),
        Route("/admin/figures", Page(site, get=pages.renew, for_hosts=True)),
        Route("/admin/sign-in", Page(site, post=pages.sign_in, for_hosts=True)),
        Route("/admin/sign-out", Page(site, post=pages.sign_out, for_hosts=True)),
        Route("/admin/do", Page(site, post=actions.act, for_hosts=True)),
    ]
