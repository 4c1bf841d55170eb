"""Health and metrics of a server, for the people who run it."""

import asyncio
import hmac
from typing import Final, Literal

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from mauerwerk.core.game import Value
from mauerwerk.play.tables.entries import Status
from mauerwerk.web.http.call import Site
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.metrics import MEDIA, Metrics
from mauerwerk.web.http.replies import Reply, refuse, reply
from mauerwerk.web.http.visit import Visit, visit_in

DATABASE_SECONDS: Final = 3.0
"""How long the database may take to answer."""


class Health(Value, tag=False):
    """Whether the server and its database work."""

    status: Literal["ok", "broken"]
    database: Literal["ok", "broken"]


class HealthCheck:
    """Answers whether this process and its database work."""

    def __init__(self, site: Site) -> None:
        """Check this site."""
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 200 if all is well, 503 if the database does not answer."""
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                await self._site.host.lobby(Status.OPEN, before=None, most=1)
        except Exception:  # noqa: BLE001 - whatever it is, the database does not answer
            answer = reply(Health(status="broken", database="broken"), 503)
        else:
            answer = reply(Health(status="ok", database="ok"))
        await answer(scope, receive, send)


class MetricsPage:
    """The metrics for Prometheus, for requests from this machine or with the token."""

    def __init__(self, site: Site, metrics: Metrics) -> None:
        """Show the metrics of this site."""
        self._site = site
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with all of them, as text."""
        if self._may_read(visit_in(scope)):
            answer = Reply(self._metrics.text(await self._site.host.store.count()), MEDIA)
        else:
            answer = refuse(Fault(403, "figures are for who runs this server"))
        await answer(scope, receive, send)

    def _may_read(self, visit: Visit) -> bool:
        wanted = self._site.settings.metrics_token
        said = visit.headers.get("authorization", "").removeprefix("Bearer ")
        if wanted and hmac.compare_digest(said.encode(), wanted.encode()):
            return True
        return visit.local


def routes(site: Site, metrics: Metrics) -> list[Route]:
    """The routes of both."""
    return [Route("/healthz", HealthCheck(site)), Route("/metrics", MetricsPage(site, metrics))]
