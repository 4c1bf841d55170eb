"""The server as one app: what is asked passes the gate, finds its route, and is written down."""

from collections.abc import Callable
from typing import Any

from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from mauerwerk.play.host.host import Host
from mauerwerk.web import pages
from mauerwerk.web.api import operations
from mauerwerk.web.api.operation import Site
from mauerwerk.web.http import health
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.limits import Limiter
from mauerwerk.web.http.observe import Metrics, Observed, write_to_stderr
from mauerwerk.web.http.replies import refuse
from mauerwerk.web.http.security import Gate
from mauerwerk.web.http.settings import Settings
from mauerwerk.web.http.stream import Streams
from mauerwerk.web.http.timed_store import TimedStore
from mauerwerk.web.pages.page import nothing


class App:
    """The app for a house; the house is opened and closed by whoever runs it."""

    def __init__(
        self,
        host: Host,
        settings: Settings | None = None,
        *,
        write: Callable[[bytes], Any] = write_to_stderr,
    ) -> None:
        """Serve this house as its host wants it; lines of the log are written by `write`."""
        self.settings = settings or Settings()
        self.metrics = Metrics()
        host.store = TimedStore(host.store, self.metrics)
        limiter = Limiter(self.settings.limits)
        self.streams = Streams(limiter.streams)
        self.site = Site(host, self.settings, limiter, self.streams)
        routes = [
            *operations.routes(self.site),
            *health.routes(self.site, self.metrics),
            *pages.routes(self.site),
        ]
        router = Router(routes, redirect_slashes=False, default=self._nothing_here)
        named: dict[object, str] = {
            route.endpoint: route.path for route in routes if isinstance(route, Route)
        }
        self._app = Observed(
            Gate(router, self.settings, limiter),
            self.metrics,
            named,
            write if self.settings.log else None,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})

    async def _nothing_here(self, scope: Scope, receive: Receive, send: Send) -> None:
        fault = Fault(404, "there is nothing here")
        answer = refuse(fault) if scope["path"].startswith("/api") else nothing(self.site, scope)
        await answer(scope, receive, send)
