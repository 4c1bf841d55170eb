"""Whether a server is well, and its figures: for those who run it."""

import asyncio
import hmac
from typing import Final

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from mauerwerk.play.tables.entries import Status
from mauerwerk.web.api.operation import Site
from mauerwerk.web.http import wire
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.observe import Metrics
from mauerwerk.web.http.replies import Reply, refuse, reply
from mauerwerk.web.http.visit import Visit

WITHIN: Final = 3.0
"""Seconds in which the database has to answer."""


class Healthz:
    """Whether this process and its database answer."""

    def __init__(self, site: Site) -> None:
        """Of this site."""
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """200 if all is well, 503 if the database is gone."""
        try:
            async with asyncio.timeout(WITHIN):
                await self._site.host.lobby(Status.OPEN, before=None, most=1)
        except Exception:  # noqa: BLE001 - whatever it is, the database does not answer
            answer = reply(wire.Health(status="broken", database="broken"), 503)
        else:
            answer = reply(wire.Health(status="ok", database="ok"))
        await answer(scope, receive, send)


class Figures:
    """The figures, for Prometheus: from this machine, or with the token."""

    def __init__(self, site: Site, metrics: Metrics) -> None:
        """Of this site."""
        self._site = site
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """All of them, as text."""
        visit: Visit = scope["mauerwerk.visit"]
        if not self._may_read(visit):
            await refuse(Fault(403, "figures are for who runs this server"))(scope, receive, send)
            return
        text = self._metrics.text(len(self._site.streams), await self._site.host.store.count())
        media = b"text/plain; version=0.0.4; charset=utf-8"
        await Reply(text.encode(), media)(scope, receive, send)

    def _may_read(self, visit: Visit) -> bool:
        wanted = self._site.settings.metrics_token
        said = visit.headers.get("authorization", "").removeprefix("Bearer ")
        if wanted and hmac.compare_digest(said.encode(), wanted.encode()):
            return True
        return visit.local


def routes(site: Site, metrics: Metrics) -> list[Route]:
    """Where to look."""
    return [Route("/healthz", Healthz(site)), Route("/metrics", Figures(site, metrics))]
