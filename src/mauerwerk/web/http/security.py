"""What every answer carries, and what no request gets past."""

from collections.abc import Iterable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.limits import Limiter
from mauerwerk.web.http.replies import refuse
from mauerwerk.web.http.settings import Settings
from mauerwerk.web.http.visit import Visit, host_is_allowed

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: its own things, from here."""

HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
"""On every answer."""

UNLESS_SAID: Final = (
    (b"referrer-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
"""On every answer that does not say otherwise itself.

A page that sends no referrer at all could not send a form either: its origin would be `null`."""


class Gate:
    """Lets in what is meant for this server and comes at a bearable rate."""

    def __init__(self, app: ASGIApp, settings: Settings, limiter: Limiter) -> None:
        """Stand in front of this app."""
        self._app = app
        self._settings = settings
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at the request, then at the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = with_headers(message.get("headers", ()))
            await send(message)

        visit = Visit(scope, self._settings)
        scope["mauerwerk.visit"] = visit
        fault = self._fault(visit)
        app = self._app if fault is None else refuse(fault)
        await app(scope, receive, send_with_headers)

    def _fault(self, visit: Visit) -> Fault | None:
        try:
            check(visit, self._settings)
            self._limiter.request(visit.client)
        except Fault as fault:
            return fault
        return None


def check(visit: Visit, settings: Settings) -> None:
    """Refuse a name that is not this server's, and changes that a foreign page wants."""
    if not host_is_allowed(visit.host, settings):
        raise Fault(400, "this server does not go by that name", word="host")
    if not visit.is_safe and visit.is_foreign:
        raise Fault(403, "a page from elsewhere may not change anything here", word="origin")


def with_headers(given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, and those that every answer has."""
    headers = list(given)
    said = {name.lower() for name, _ in headers}
    headers += HEADERS
    headers += [pair for pair in UNLESS_SAID if pair[0] not in said]
    return headers
