"""One connection: the size of a head is limited, and every state of a connection has a deadline."""

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mauerwerk.server.http import limits, stream

TAKING: Final = 6
"""How often that time is given again to a client that has not yet taken the last answer."""


class JoinedTransport:
    """A transport that sends the head of an answer together with what follows at once.

    uvicorn writes them one after the other, and each writing is a call of the system and a packet.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""
        self._write = transport.write
        self.is_closing = transport.is_closing  # asked for with each field of a head

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a transport has
        """All else is the transport's own."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send something; a head is held back until this step of the loop is over."""
        if self._head:
            data, self._head = self._head + data, b""
        elif data.startswith(b"HTTP/1.1 "):
            self._head = data
            self._loop.call_soon(self._flush)
            return
        self._write(data)

    def close(self) -> None:
        """Send what was held back, and close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._write(head)


class TimeoutProtocol(HttpToolsProtocol):
    """One connection, closed if the head of a request takes too long or is too long.

    Waiting begins when a client has connected and when a request is answered. Only a complete head
    ends it: neither a stray byte nor the rest of a body that nobody reads does. While a request is
    under way, `request.body_of` and `stream` limit the time.
    """

    def __init__(self, *given: Any, guard: limits.Connections, **named: Any) -> None:  # noqa: ANN401 - as uvicorn gives them
        """Wait for the first request; `guard` counts connections."""
        super().__init__(*given, **named)
        self._guard = guard
        self._limits = guard.limits
        self._counted: str | None = None
        self._head = 0
        """Bytes of the head so far."""

        self._waiting: asyncio.TimerHandle | None = None
        self._waits = 0
        self._received = 0
        """Bytes that have arrived while it waits."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start to wait when a client has connected, unless it has too many connections."""
        super().connection_made(cast("asyncio.Transport", JoinedTransport(transport, self.loop)))
        self._counted = self._guard.add(self.client[0] if self.client else "")
        if self._counted is None:
            transport.abort()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting when the client is gone."""
        self._stop_waiting()
        if self._counted is not None:
            self._guard.remove(self._counted)
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless far too much has arrived for a head and the rest of a body."""
        super().data_received(data)
        if self._waiting is not None and not self.transport.is_closing():
            self._received += len(data)
            if self._received > self._limits.header_bytes + self._limits.body_bytes:
                self._refuse()

    def on_message_begin(self) -> None:
        """Count the head when a request begins."""
        super().on_message_begin()
        self.scope["extensions"] = {
            stream.HANG_UP: {"now": self.transport.abort},
            stream.SEND_NOW: {"send": self.send_now},
        }
        self._head = 0

    def on_url(self, url: bytes) -> None:
        """Count a part of the address."""
        self._head += len(url)
        if self._fits():
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a field."""
        self._head += len(name) + len(value) + len(": \r\n")
        if self._fits():
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop waiting when the head is complete, and answer unless it was too long."""
        if not self.transport.is_closing():
            self._stop_waiting()
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body, unless the head was refused."""
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Take the end of the body, unless the head was refused."""
        if not self.transport.is_closing():
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request once no request is under way."""
        pipelined = bool(self.pipeline)
        super().on_response_complete()
        if not pipelined and not self.transport.is_closing():
            self._wait()

    def send_now(self, part: bytes) -> bool:
        """Send a part of the answer under way, unless the client has yet to take what came before.

        uvicorn does the same in a task, step by step.
        """
        answer = self.cycle  # type: ignore[has-type] # as in uvicorn
        if self.flow.write_paused or answer.disconnected or not answer.chunked_encoding:
            return False
        self.transport.write(b"%x\r\n%b\r\n" % (len(part), part))
        return True

    def _fits(self) -> bool:
        """Whether the head so far is short enough; if not, it is refused, once."""
        if self.transport.is_closing():
            return False
        if (
            self._head <= self._limits.header_bytes
            and len(self.headers) < self._limits.header_fields
        ):
            return True
        self._refuse()
        return False

    def _refuse(self) -> None:
        self.send_400_response("The head of the request is too long.")

    def _wait(self) -> None:
        self._stop_waiting()
        self._waits = self._received = 0
        self._waiting = self.loop.call_later(self._limits.header_timeout, self._hang_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _hang_up(self) -> None:
        self._waits += 1
        if self.transport.get_write_buffer_size() and self._waits < TAKING:
            self._waiting = self.loop.call_later(self._limits.header_timeout, self._hang_up)
        else:
            self.transport.abort()
