"""The server as one ASGI app: the log, the gate and the routes of a host."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.games import GAMES
from mauerwerk.server import games
from mauerwerk.server.api import openapi, operation
from mauerwerk.server.engine.events import (
    AccessChanged,
    AuditLogGrew,
    EntriesStored,
    Events,
    NamesChanged,
)
from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature, add_services, operations_of
from mauerwerk.server.features.registry import FEATURES
from mauerwerk.server.http import errors, health, identity, log, response, security, static, stream
from mauerwerk.server.http import limits as http_limits
from mauerwerk.server.http.costs import Costs
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.request import AppState, Request
from mauerwerk.server.http.settings import Settings, SettingsError
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.ui.cache import Drawings, SharedPages
from mauerwerk.server.ui.page import PageRoute, Panels, change_preferences, missing_page


class PathRouter:
    """Finds a route by the first and the last part of its path, so that few are left to try."""

    def __init__(self, routes: Sequence[BaseRoute], missing: ASGIApp) -> None:
        """Routes that end in a word go before those that end in a parameter."""
        self._missing = missing
        self._routers: dict[tuple[str, str], Router] = {}
        found: dict[tuple[str, str], list[BaseRoute]] = {}
        for route in routes:
            first, last = self._ends(route.path if isinstance(route, Route) else "")
            found.setdefault((first, "" if "{" in last else last), []).append(route)
        for (first, last), those in sorted(found.items()):  # the empty ending comes first
            otherwise = self._routers.get((first, ""), missing)
            router = Router(those, redirect_slashes=False, default=otherwise)
            self._routers[first, last] = router

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the app at the path."""
        first, last = self._ends(scope["path"])
        found = self._routers.get((first, last)) or self._routers.get((first, ""))
        await (found or self._missing)(scope, receive, send)

    @staticmethod
    def _ends(path: str) -> tuple[str, str]:
        """The first and the last part; of a path with one part, that and nothing."""
        _, _, rest = path.partition("/")
        first, _, rest = rest.partition("/")
        return first, rest.rpartition("/")[2]


class App:
    """The app of a host, which the caller opens and closes. It owns all state of the server."""

    def __init__(
        self,
        host: Host,
        settings: Settings | None = None,
        *,
        write: Callable[[bytes], Any] = log.write_to_stderr,
        features: Sequence[Feature] | None = None,
    ) -> None:
        """Serve this host with these settings; `write` takes the lines of the log.

        It has all features, unless some are named.
        """
        # A package that offers a faulty game is refused here, in one line, not at every page.
        for registry in (GAMES, games.WEB_GAMES):
            tuple(registry.values())
        self.settings = settings or Settings()
        self._features = tuple(FEATURES.values()) if features is None else features
        limits = self.settings.limits
        limiter = http_limits.Limiter(limits, trusted=self.settings.trusted)
        self.streams = stream.Streams(limiter.streams, limits.stalled_stream_seconds)
        self.connections = http_limits.Connections(self.settings)
        self.metrics = Metrics()
        self.state = AppState(host, self.settings, limiter, self.metrics)
        drawings, shared = Drawings(), SharedPages()
        access = identity.HostAccess(host, self.settings.admins)
        panels = Panels(panel for feature in self._features for panel in feature.panels)
        own = (self.streams, self.connections, access, drawings, shared, panels, Costs(limiter))
        for service in own:
            host.add_service(service)
        add_services(host, self.settings, self._features)
        self._follow(host.events, drawings, shared)
        self.state.page_values = self._page_values
        asked = (each.identify(host) for each in self._features if each.identify is not None)
        self._identifying = tuple(identify for identify in asked if identify is not None)
        self.state.identify = self._identify
        health.show_figures(self.state)
        for feature in self._features:
            if feature.metrics is not None:
                feature.metrics(self.metrics, host)
        routes = self._routes(for_hosts=access.exists)
        self._missing_page = missing_page(self.state)
        router = PathRouter(routes, self._missing)
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
            write,
            every=self.settings.log,
        )

    def _follow(self, events: Events, drawings: Drawings, shared: SharedPages) -> None:
        """Count what is stored, let go of what has changed, and of visitors who may not enter."""
        events.subscribe(EntriesStored, self.metrics.observe_commit)
        events.subscribe(NamesChanged, lambda _: drawings.clear())
        for event in (NamesChanged, AccessChanged, AuditLogGrew):
            events.subscribe(event, lambda _: shared.clear())
        events.subscribe(
            EntriesStored,
            # Moves alone change no list; whose turn it is may be told a second later.
            lambda stored: (
                None if all(entry.kind is Kind.MOVE for entry in stored.entries) else shared.clear()
            ),
        )
        events.subscribe(AccessChanged, lambda _: self.streams.dismiss(identity.is_unwelcome))

    def _routes(self, *, for_hosts: bool) -> list[BaseRoute]:
        """Where it answers; to hosts only if they have a token."""
        operations = operations_of(self._features, for_hosts=for_hosts)
        document = openapi.Document(operations)
        pages = [
            PageRoute("/preferences", post=change_preferences),
            *(page for feature in self._features for page in feature.pages),
            *(page for game in games.WEB_GAMES.values() for page in game.pages),
        ]
        return [
            *operation.routes((*operations, document.operation)),
            *health.routes(self.state),
            *(page.route(self.state) for page in pages if for_hosts or not page.for_hosts),
            *(route for feature in self._features for route in feature.routes),
            Route("/static/{path:path}", response.Endpoint(static.send_file)),
        ]

    def _identify(self, request: Request) -> Guest | None:
        known = (identify(request) for identify in self._identifying)
        return next((guest for guest in known if guest is not None), None)

    def _page_values(self, guest: Guest | None) -> Mapping[str, object]:
        found: dict[str, object] = {}
        for feature in self._features:
            if feature.page_values is not None:
                found |= feature.page_values(self.state.host, guest)
        return found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._app(security.without_prefix(scope, self.state.prefix), receive, send)
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
