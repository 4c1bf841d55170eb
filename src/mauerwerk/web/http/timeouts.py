"""HTTP for who finishes what they ask: a request's head is short, and comes soon."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mauerwerk.web.http.stream import HANG_UP

HEAD: Final = 32 * 1024
"""The most bytes that a request may have before its body."""

HEAD_SECONDS: Final = 10.0
"""How long these may take to arrive."""


class TimeoutProtocol(HttpToolsProtocol):
    """One connection. Whoever keeps it waiting or never comes to the point is hung up on."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - as uvicorn gives them
        """Wait for the first request."""
        super().__init__(*given, **named)
        self._head: int | None = 0
        """Bytes of the head so far; None while it is whole and the rest goes on."""

        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Somebody is there."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
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
        """A request begins."""
        super().on_message_begin()
        self.scope["extensions"] = {HANG_UP: {"now": self.transport.abort}}
        self._head = 0
        self._wait()

    def on_headers_complete(self) -> None:
        """Its head is whole."""
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
