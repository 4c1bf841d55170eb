"""The server as one app: what is asked passes the gate, finds its route, and is written down."""

from collections.abc import Callable
from typing import Any

from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from mauerwerk.play.house import House
from mauerwerk.web import api, health, pages
from mauerwerk.web.faults import Fault
from mauerwerk.web.limits import Limiter
from mauerwerk.web.observe import Metrics, Observed, write_to_stderr
from mauerwerk.web.operation import Site
from mauerwerk.web.pages.page import nothing
from mauerwerk.web.replies import refuse
from mauerwerk.web.security import Gate
from mauerwerk.web.settings import Settings
from mauerwerk.web.stream import Streams
from mauerwerk.web.timing import TimedStore


class App:
    """The app for a house; the house is opened and closed by whoever runs it."""

    def __init__(
        self,
        house: House,
        settings: Settings | None = None,
        *,
        write: Callable[[bytes], Any] = write_to_stderr,
    ) -> None:
        """Serve this house as its host wants it; lines of the log are written by `write`."""
        self.settings = settings or Settings()
        self.metrics = Metrics()
        house.store = TimedStore(house.store, self.metrics)
        limiter = Limiter(self.settings.limits)
        self.streams = Streams(limiter.streams)
        self.site = Site(house, self.settings, limiter, self.streams)
        routes = [
            *api.routes(self.site),
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
