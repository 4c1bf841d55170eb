"""Access for hosts: a server is managed with its token, sent as a header or typed on a page."""

import hmac
import logging
import time
from collections.abc import Callable
from typing import Final

from mauerwerk.server.engine.host import Host
from mauerwerk.server.http.cookies import cookie_in, set_cookie
from mauerwerk.server.http.errors import HttpError, too_many
from mauerwerk.server.http.limits import Buckets
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header

_log = logging.getLogger(__name__)

COOKIE: Final = "mauerwerk-host"
QUIET: Final = 60.0
"""Seconds after a line about wrong tokens in which there is no other."""

SESSION: Final = 3_600
"""Seconds for which somebody is signed in after their last visit to the page."""

ATTEMPTS: Final = (10 / 60, 10)
"""Wrong tokens per second, and at once, that a client may try."""


class HostAccess:
    """Checks the token of those who run the server. Without a token nobody has access."""

    def __init__(self, host: Host, token: str, clock: Callable[[], float] = time.time) -> None:
        """The host whose secret signs cookies, and the token."""
        self._host = host
        self._token = token
        self._clock = clock
        self._attempts = Buckets(*ATTEMPTS, clock=clock)
        self._wrong = 0
        self._said: float | None = None

    @property
    def exists(self) -> bool:
        """Whether the server can be managed over the network at all."""
        return bool(self._token)

    def check_token(self, request: Request, said: str) -> None:
        """Refuse a wrong token, and a client that has tried many. Raises HttpError."""
        self._check_exists()
        if seconds := self._attempts.take(request.client, 0.0):
            raise too_many("too many wrong tokens from you; try again in a while", seconds)
        if not hmac.compare_digest(said.encode(), self._token.encode()):
            self._attempts.take(request.client)
            self._report()
            raise HttpError(401, "this token is wrong", word="token")

    def _report(self) -> None:
        """Log that somebody tries tokens, unless that was logged just now."""
        self._wrong += 1
        if self._said is None or self._clock() - self._said >= QUIET:
            self._said = self._clock()
            _log.warning("a wrong token for hosts was tried (%d so far)", self._wrong)

    def check_header(self, request: Request) -> None:
        """Refuse a program without the right token. Raises HttpError."""
        scheme, _, said = request.headers.get("authorization", "").partition(" ")
        self._check_exists()
        if scheme.lower() != "bearer":
            headers = {"www-authenticate": "Bearer"}
            raise HttpError(401, "this is for the people who run the server", headers=headers)
        self.check_token(request, said.strip())

    def _check_exists(self) -> None:
        if not self.exists:
            raise HttpError(404, "there is nothing here")

    # --- On a page ---------------------------------------------------------------------------

    def sign_in(self, request: Request) -> Header:
        """The header by which a browser is signed in for a while."""
        until = int(self._clock()) + SESSION
        value = f"{until}.{self._host.keys.session_token(self._token, until)}"
        return set_cookie(request, COOKIE, value, SESSION, strict=True)

    def sign_out(self, request: Request) -> Header:
        """The header by which it is not any more."""
        return set_cookie(request, COOKIE, "", 0, strict=True)

    def is_signed_in(self, request: Request) -> bool:
        """Whether a browser is signed in. Raises HttpError where nobody can be."""
        self._check_exists()
        said, _, signature = cookie_in(request, COOKIE).partition(".")
        if not (said.isascii() and said.isdecimal() and len(said) <= 12):  # noqa: PLR2004 - seconds
            return False
        right = self._host.keys.session_token(self._token, int(said))
        return hmac.compare_digest(right.encode(), signature.encode()) and (
            self._clock() < int(said)
        )
