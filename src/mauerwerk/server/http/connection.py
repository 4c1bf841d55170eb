"""One connection: the size of a head is limited, and every state of a connection has a deadline."""

import asyncio
from functools import lru_cache, partial
from typing import Any, Final, cast
from weakref import WeakMethod

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http import httptools_impl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from mauerwerk.server.http import limits, stream
from mauerwerk.server.http.request import BODY_KEY

TAKING: Final = 6
"""How often that time is given again to a client that has not yet taken the last answer."""


COOKIE: Final = b"set-cookie"


def _field_line(name: bytes, value: bytes) -> bytes:
    """A field of a head as a line. Raises RuntimeError where it would break out of its line."""
    if httptools_impl.HEADER_RE.search(name) or httptools_impl.HEADER_VALUE_RE.search(value):
        raise RuntimeError("this cannot be a header")
    return b"%b: %b\r\n" % (name, value)


_known_line = lru_cache(512)(_field_line)


async def send_head(answer: RequestResponseCycle, message: Message) -> None:
    """Send a part of an answer as uvicorn does, but know most lines of a head already.

    uvicorn checks every field again for each answer, a tenth of what a move costs.
    """
    if answer.response_started or answer.flow.write_paused or answer.disconnected:
        await answer.send(cast("Any", message))
        return
    answer.response_started = True
    answer.waiting_for_100_continue = False
    status = message["status"]
    lines = [httptools_impl.STATUS_LINE[status]]
    for name, value in (*answer.default_headers, *message["headers"]):
        lines.append((_field_line if name == COOKIE else _known_line)(name, value))
        if name == b"content-length":
            answer.expected_content_length = int(value)
            answer.chunked_encoding = False
        elif name == b"connection" and value == b"close":
            answer.keep_alive = False
    if not answer.keep_alive and b"connection: close\r\n" not in lines:
        lines.append(b"connection: close\r\n")
    if (
        answer.chunked_encoding is None
        and answer.scope["method"] != "HEAD"
        and status not in {204, 304}
    ):
        answer.chunked_encoding = True
        lines.append(b"transfer-encoding: chunked\r\n")
    lines.append(b"\r\n")
    answer.transport.write(b"".join(lines))


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
        self._extensions: dict[str, dict[Any, Any]] = {}
        self._head = 0
        """Bytes of the head so far."""

        self._waiting: asyncio.TimerHandle | None = None
        self._waits = 0
        self._received = 0
        """Bytes that have arrived while it waits."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start to wait when a client has connected, unless it has too many connections."""
        super().connection_made(cast("asyncio.Transport", JoinedTransport(transport, self.loop)))
        self._extensions = {
            stream.HANG_UP: {"now": self.transport.abort},
            stream.SEND_NOW: {"send": WeakMethod(self.send_now)},  # or it would hold itself
        }
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
        self.scope["extensions"] = self._extensions
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

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:  # noqa: ANN401 - as in uvicorn
        """Answer with quick heads, to a body that has arrived without waiting for it."""

        async def answer(scope: Scope, receive: Receive, _: Send) -> None:
            if not cycle.more_body:
                scope[BODY_KEY] = bytes(cycle.body)
            await cast("ASGIApp", app)(scope, receive, partial(send_head, cycle))

        super()._start_asgi_task(cycle, cast("Any", answer))

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
        answer = self.cycle
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
