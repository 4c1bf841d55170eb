"""The server as one ASGI app: the log, the gate and the routes of a host."""

from collections.abc import Callable
from typing import Any

from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from mauerwerk.games import GAMES
from mauerwerk.server import routes as pages
from mauerwerk.server.api import operations
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.invitations.reservations import KeptSeats
from mauerwerk.server.features.notifications.delivery import Delivery
from mauerwerk.server.features.sharing.pictures import Pictures
from mauerwerk.server.features.table.moments import stops_in
from mauerwerk.server.games import WEB_GAMES, counts_in
from mauerwerk.server.http import health
from mauerwerk.server.http.connections import Connections
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.host_access import HostAccess
from mauerwerk.server.http.identity import is_unwelcome
from mauerwerk.server.http.limits import Limiter
from mauerwerk.server.http.log import Observed, write_to_stderr
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.prefix import starts_with, without_prefix
from mauerwerk.server.http.request import AppState
from mauerwerk.server.http.response import refuse
from mauerwerk.server.http.security import Gate
from mauerwerk.server.http.settings import Settings, SettingsError
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.metrics import show_figures
from mauerwerk.server.ui.cache import Drawings
from mauerwerk.server.ui.page import missing_page


class App:
    """The app of a host, which the caller opens and closes. It owns all state of the server."""

    def __init__(
        self,
        host: Host,
        settings: Settings | None = None,
        *,
        write: Callable[[bytes], Any] = write_to_stderr,
    ) -> None:
        """Serve this host with these settings; `write` takes the lines of the log."""
        # A package that offers a faulty game is refused here, in one line, not at every page.
        for registry in (GAMES, WEB_GAMES):
            tuple(registry.values())
        self.settings = settings or Settings()
        limits = self.settings.limits
        limiter = Limiter(limits, trusted=self.settings.trusted)
        self.streams = Streams(limiter.streams, limits.unread_seconds)
        self.connections = Connections(self.settings)
        self.metrics = Metrics()
        host.on_commit = self.metrics.observe_commit
        drawings = Drawings()

        host.on_ruling = lambda: self.streams.dismiss(is_unwelcome)
        host.on_renaming = drawings.clear
        host.stops_at = stops_in(drawings)
        host.reckoner.counts = counts_in
        delivery = Delivery(host, self.settings)
        host.notifications.channels = delivery.channels
        host.notifications.deliver = delivery if delivery.channels else None
        self.state = AppState(host, self.settings, limiter, self.metrics)
        for service in (
            self.streams,
            self.connections,
            HostAccess(host, self.settings.admin_token),
            drawings,
            delivery,
            KeptSeats(most=limits.kept_seats),
            Pictures(),
        ):
            self.state.add(service)
        show_figures(self.metrics, self.state)
        routes = [
            *operations.routes(self.state),
            *health.routes(self.state, self.metrics),
            *pages.routes(self.state),
        ]
        self._missing_page = missing_page(self.state)
        router = Router(routes, redirect_slashes=False, default=self._missing)
        named: dict[object, str] = {
            route.endpoint: route.path for route in routes if isinstance(route, Route)
        }
        prefix = self.settings.prefix
        if prefix and any(starts_with(path, prefix) for path in named.values()):
            raise SettingsError(f"the address cannot have the path {prefix}: it is a page here")
        self._app = Observed(
            Gate(router, self.state),
            self.metrics,
            named,
            write if self.settings.log else None,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._app(without_prefix(scope, self.settings.prefix), receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})

    async def _missing(self, scope: Scope, receive: Receive, send: Send) -> None:
        of_api = scope["path"].startswith("/api")
        answer = refuse(HttpError(404, "there is nothing here")) if of_api else self._missing_page
        await answer(scope, receive, send)
