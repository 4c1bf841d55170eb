"""Limits on the head of a request: its size, and the time it may take to arrive."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mauerwerk.web.http.stream import HANG_UP

HEAD: Final = 32 * 1024
"""The most bytes of a request before its body."""

HEAD_SECONDS: Final = 10.0
"""How long the head may take to arrive."""


class TimeoutProtocol(HttpToolsProtocol):
    """One connection, closed if the head of a request takes too long or is too long."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - as uvicorn gives them
        """Wait for the first request."""
        super().__init__(*given, **named)
        self._head: int | None = 0
        """Bytes of the head so far; None once the head is complete."""

        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start to wait when a client has connected."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting when the client is gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head is too long already."""
        super().data_received(data)
        if self._head is not None and not self.transport.is_closing():
            self._head += len(data)
            if self._head > HEAD:
                self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        """Wait for the head when a request begins."""
        super().on_message_begin()
        self.scope["extensions"] = {HANG_UP: {"now": self.transport.abort}}
        self._head = 0
        self._wait()

    def on_headers_complete(self) -> None:
        """Stop waiting when the head is complete."""
        self._stop_waiting()
        self._head = None
        super().on_headers_complete()

    def _wait(self) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._hang_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _hang_up(self) -> None:
        self.transport.abort()
