"""Checks that every request passes, headers of every answer, and the prefix of all paths."""

import asyncio
import re
from collections.abc import Awaitable, Coroutine, Sequence
from typing import Any, Final, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mauerwerk.server.http.costs import Costs
from mauerwerk.server.http.errors import BusyError, HttpError
from mauerwerk.server.http.request import SCOPE_KEY, AppState, Request, host_is_allowed
from mauerwerk.server.http.response import refuse
from mauerwerk.server.http.static import FOR_EVER, KINDS

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: files of this server only."""

HEADERS_OF_FILES: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""Headers of every answer."""

HEADERS: Final = (
    *HEADERS_OF_FILES,
    (b"content-security-policy", POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
"""Headers of every answer that a browser may show as a page, or run beside one."""

FILES: Final = frozenset(KINDS[each] for each in ("css", "js", "png", "woff2"))
"""Media types of static files that can do nothing by themselves: a browser shows none of them as a
page. All headers together are as large as a small script."""

HTTPS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")
"""A header of every answer where the public address is https: browsers never ask in the clear."""

UNLESS_SAID: Final = (
    (b"referrer-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
"""Headers of every answer that does not set them itself.

With no referrer at all, a page could not send a form either: its origin would be `null`."""


LONGEST_HELD: Final = 1.0
"""Seconds for which an answer to a client over the limit is held back at most."""


class Gate:
    """Lets a request in if it is meant for this server and its client is within the limits."""

    def __init__(self, app: ASGIApp, state: AppState) -> None:
        settings = state.settings
        self._app = app
        self._state = state
        self._costs = state.host.service(Costs)
        self._prefix = settings.prefix
        self._more = [HTTPS_ONLY] if settings.address.startswith("https://") else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, then add headers to the answer."""

        def send_with_headers(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                headers = with_headers(message.get("headers", ()))
                if self._prefix:
                    headers = [(name, self._moved(name, value)) for name, value in headers]
                message["headers"] = [*headers, *self._more]
            return send(message)

        request = scope[SCOPE_KEY] = Request(self._state, scope)
        try:
            check(request)
            self._state.limiter.request(request.client)
        except BusyError as fault:
            # A client that does not wait is made to, or else refusals alone keep a server busy.
            await asyncio.sleep(min(fault.seconds, LONGEST_HELD))
            await refuse(fault)(scope, receive, send_with_headers)
        except HttpError as fault:
            await refuse(fault)(scope, receive, send_with_headers)
        else:
            answer = cast("Coroutine[Any, Any, None]", self._app(scope, receive, send_with_headers))
            await self._costs.charged(request.client, answer)

    def _moved(self, name: bytes, value: bytes) -> bytes:
        """The value of a header; the path of a redirection gets the prefix."""
        if name != b"location":
            return value
        return with_prefix(value.decode("latin-1"), self._prefix).encode("latin-1")


def check(request: Request) -> None:
    """Refuse host names that are not this server's, and changes sent by foreign pages."""
    if not host_is_allowed(request.host_name, request.app.settings):
        raise HttpError(400, "this server does not go by that name", code="host")
    if not request.is_safe and request.is_foreign:
        raise HttpError(403, "a page from elsewhere may not change anything here", code="origin")


def with_headers(given: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, with those that every answer of its kind has."""
    said = dict(given)
    if FOR_EVER in given and said[b"content-type"] in FILES:
        return [*given, *HEADERS_OF_FILES]
    return [*given, *HEADERS, *[pair for pair in UNLESS_SAID if pair[0] not in said]]


# --- A server below a path of another site, such as `https://example.org/walls` ------------------
# Inside, all paths are as without it. At the border, the prefix is taken from the path of a
# request, unless the proxy did that, and put before every path in an answer: in links and forms of
# pages (`prefixed`), redirections (the gate) and cookies.

LINKS: Final = re.compile(
    r'(\s(?:href|src|action|formaction|data-path|hx-get|hx-post|sse-connect)=")/(?!/)'
)
"""Attributes that hold a path. In what people write, a quotation mark is escaped."""


def without_prefix(scope: Scope, prefix: str) -> Scope:
    """The request as it would be without the prefix."""
    path: str = scope["path"]
    if not prefix or not starts_with(path, prefix):
        return scope
    return {**scope, "path": path[len(prefix) :] or "/"}


def starts_with(path: str, prefix: str) -> bool:
    """Whether a path is below a prefix, or the prefix itself."""
    return path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in {"", "/", "?", "#"}


def prefixed(text: str, prefix: str) -> str:
    """HTML in which every path has the prefix.

    >>> prefixed('<a class="x" href="/rules">', "/walls")
    '<a class="x" href="/walls/rules">'
    """
    return LINKS.sub(rf"\g<1>{prefix}/", text) if prefix else text


def with_prefix(path: str, prefix: str) -> str:
    """A path of this server as a browser has it; one that has the prefix keeps it.

    >>> with_prefix("/t/1", "/walls"), with_prefix("/walls/t/1", "/walls"), with_prefix("/t", "")
    ('/walls/t/1', '/walls/t/1', '/t')
    """
    return path if not path.startswith("/") or starts_with(path, prefix) else f"{prefix}{path}"
