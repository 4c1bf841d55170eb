"""Chat at tables: smileys, phrases and free text."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.chat import api, pages
from mauerwerk.server.features.chat.service import Chat
from mauerwerk.server.features.chat.settings import ChatSettings
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui.page import Page

TABLE = "/t/{table}"


def _routes(app: AppState) -> Sequence[BaseRoute]:
    """Its pages."""
    return [
        Route(f"{TABLE}/chat", Page(app, get=pages.show, post=pages.say)),
        Route(f"{TABLE}/chat/report", Page(app, post=pages.report)),
    ]


def _start(host: Host, settings: Settings) -> Chat:
    return Chat(host, settings.section(ChatSettings).allowed)


FEATURE = Feature(
    name="chat",
    settings={"chat": ChatSettings},
    operations=api.OPERATIONS,
    start=_start,
    routes=_routes,
)
