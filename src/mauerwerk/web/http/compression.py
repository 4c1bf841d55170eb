"""Compression of pages.

A page can contain the token of a seat next to text that came with the request. If a foreign page
could cause requests with texts of its choice, and its owner saw on the network how long the answers
are, the token would come out character by character (BREACH). So the answer to a request that
a foreign page caused is not compressed.
"""

from typing import Final

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.web.http.visit import visit_in

SMALL: Final = 1_000
"""A page with fewer bytes is not worth compressing."""

LEVEL: Final = 5


class Compressed:
    """An app whose answers are compressed for clients that accept it."""

    def __init__(self, app: ASGIApp) -> None:
        """Compress the answers of this app."""
        self._app = app
        self._gzip = GZipMiddleware(app, minimum_size=SMALL + 1, compresslevel=LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, compressed unless a foreign page caused the request."""
        app = self._app if visit_in(scope).is_foreign else self._gzip
        await app(scope, receive, send)
