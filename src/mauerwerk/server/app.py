"""The server as one ASGI app: the log, the gate and the routes of a host."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from mauerwerk.games import GAMES
from mauerwerk.server import games
from mauerwerk.server.api import openapi, operation
from mauerwerk.server.engine.events import AccessChanged, EntriesStored, NamesChanged
from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import add_services, operations_of
from mauerwerk.server.features.registry import FEATURES
from mauerwerk.server.http import errors, health, identity, log, response, security, static, stream
from mauerwerk.server.http import limits as http_limits
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.settings import Settings, SettingsError
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.cache import Drawings
from mauerwerk.server.ui.page import PageRoute, Panels, change_preferences, missing_page


class App:
    """The app of a host, which the caller opens and closes. It owns all state of the server."""

    def __init__(
        self,
        host: Host,
        settings: Settings | None = None,
        *,
        write: Callable[[bytes], Any] = log.write_to_stderr,
    ) -> None:
        """Serve this host with these settings; `write` takes the lines of the log."""
        # A package that offers a faulty game is refused here, in one line, not at every page.
        for registry in (GAMES, games.WEB_GAMES):
            tuple(registry.values())
        self.settings = settings or Settings()
        limits = self.settings.limits
        limiter = http_limits.Limiter(limits, trusted=self.settings.trusted)
        self.streams = stream.Streams(limiter.streams, limits.stalled_stream_seconds)
        self.connections = http_limits.Connections(self.settings)
        self.metrics = Metrics()
        self.state = AppState(host, self.settings, limiter, self.metrics)
        drawings = Drawings()
        access = identity.HostAccess(host, self.settings.admin_token)
        panels = Panels(panel for feature in FEATURES.values() for panel in feature.panels)
        for service in (self.streams, self.connections, access, drawings, panels):
            self.state.add(service)
        add_services(host, self.settings, FEATURES.values())
        host.events.subscribe(EntriesStored, self.metrics.observe_commit)
        host.events.subscribe(NamesChanged, lambda _: drawings.clear())
        host.events.subscribe(AccessChanged, lambda _: self.streams.dismiss(identity.is_unwelcome))
        self.state.page_values = self._page_values
        health.show_figures(self.state)
        operations = operations_of(FEATURES.values(), for_hosts=access.exists)
        self.document = openapi.Document(operations)
        routes: list[BaseRoute] = [
            *operation.routes((*operations, self.document.operation)),
            *health.routes(self.state),
            PageRoute("/preferences", post=change_preferences).route(self.state),
        ]
        for feature in FEATURES.values():
            if feature.metrics is not None:
                feature.metrics(self.metrics, host)
            routes += [
                page.route(self.state)
                for page in feature.pages
                if access.exists or not page.for_hosts
            ]
        routes += [
            page.route(self.state) for game in games.WEB_GAMES.values() for page in game.pages
        ]
        routes.append(Route("/static/{path:path}", static.Static()))
        self._missing_page = missing_page(self.state)
        router = Router(routes, redirect_slashes=False, default=self._missing)
        named: dict[object, str] = {
            route.endpoint: route.path for route in routes if isinstance(route, Route)
        }
        prefix = self.settings.prefix
        if prefix and any(security.starts_with(path, prefix) for path in named.values()):
            raise SettingsError(f"the address cannot have the path {prefix}: it is a page here")
        self._app = log.Observed(
            security.Gate(router, self.state),
            self.metrics,
            named,
            write if self.settings.log else None,
        )

    def _page_values(self, guest: Guest | None) -> Mapping[str, object]:
        found: dict[str, object] = {}
        for feature in FEATURES.values():
            if feature.page_values is not None:
                found |= feature.page_values(self.state.host, guest)
        return found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._app(security.without_prefix(scope, self.settings.prefix), receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})

    async def _missing(self, scope: Scope, receive: Receive, send: Send) -> None:
        of_api = scope["path"].startswith("/api")
        answer = (
            response.refuse(errors.HttpError(404, "there is nothing here"))
            if of_api
            else self._missing_page
        )
        await answer(scope, receive, send)
