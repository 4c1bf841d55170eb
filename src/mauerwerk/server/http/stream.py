"""Streams of notices (server-sent events): in order, without gaps, ended if nobody reads.

The id of an event is the viewer's own number of the notice, so that a client that reconnects says
where it left off. One task looks after all streams: it sends a comment down those that are silent,
and ends those whose clients have not taken what was sent.
"""

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.server.background import Background
from mauerwerk.server.engine.audience import NoticeBatch, Subscription
from mauerwerk.server.http.identity import came_by_link
from mauerwerk.server.http.limits import Counter
from mauerwerk.server.http.request import SCOPE_KEY, Request
from mauerwerk.server.http.settings import Limits
from mauerwerk.server.tables.errors import LaggingError

_log = logging.getLogger(__name__)

BEAT: Final = 15.0
"""Seconds of silence after which a comment shows that the stream is alive."""

RETRY: Final = 1_000
"""Milliseconds after which a browser reconnects."""

HANG_UP: Final = "mauerwerk.hang_up"
"""The extension of a connection that closes it at once, whatever still waits to be sent."""

SEND_NOW: Final = "mauerwerk.send_now"
"""The extension of a connection that sends a part of an answer if that needs no waiting."""

HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

PACKED: Final = (b"content-encoding", b"gzip")
GZIP: Final = 16
"""Added to zlib's window size, it selects the format of gzip."""


Tell = Callable[[NoticeBatch | None], Awaitable[bytes]]
"""Returns the bytes to send for a batch; for None, those to send before the first batch."""

Frame = Callable[[NoticeBatch], bytes]
"""The same for a batch, where nothing needs to be waited for."""


class Stream:
    """One open stream."""

    def __init__(
        self,
        send: Send,
        now: float,
        request: Request | None,
        may_still: Callable[[], bool],
        *,
        packed: bool = False,
    ) -> None:
        self._send = send
        self.request = request
        self.may_still = may_still
        """Whether the seat is still that of the client."""

        # A small window: thousands of streams are open at the same time.
        self._pack = zlib.compressobj(5, wbits=GZIP + 13, memLevel=5) if packed else None
        self.sent = now
        """When something was last sent."""

        self.since: float | None = None
        """When the client was given something that it has not taken yet."""

        self.task: asyncio.Task[None] | None = None

    def end_unless_allowed(self) -> None:
        """End it if a token that opened it is not valid any more."""
        if not self.may_still() and self.task:
            self.task.cancel()

    def write_now(self, frame: Frame, send: Callable[[bytes], bool], batch: NoticeBatch) -> bool:
        """Send a batch, if that needs no waiting and the client has taken what came before."""
        if batch.reseated or self.since is not None:
            return False
        try:
            content = frame(batch)
        except Exception:  # noqa: BLE001 - it is raised again where the stream is served
            return False
        if content:
            if not send(content):
                return False
            self.sent = asyncio.get_running_loop().time()
        return True

    async def write(self, content: bytes, now: float) -> None:
        """Send something; this waits while the client takes nothing."""
        if self.since is None:
            self.since = now
        if self._pack is not None:
            # The client must be able to read all of this at once.
            content = self._pack.compress(content) + self._pack.flush(zlib.Z_SYNC_FLUSH)
        await self._send({"type": "http.response.body", "body": content, "more_body": True})
        self.since = None
        self.sent = now


class Streams:
    """All open streams of a server."""

    def __init__(
        self, counter: Counter, stalled_stream_seconds: float = Limits().stalled_stream_seconds
    ) -> None:
        """Start with none; the counter limits their number.

        A client that has taken nothing of what was sent for so long is cut off.
        """
        self._unread_seconds = stalled_stream_seconds
        self._counter = counter
        self._open: set[Stream] = set()
        self._background = Background(_log, "could not look after the streams")
        self._swept = False
        """Whether somebody looks after them."""

        self.closed = False
        """Whether the server is about to stop."""

    def __len__(self) -> int:
        """The number of open streams."""
        return len(self._open)

    def counted(self, client: str, serve: ASGIApp) -> ASGIApp:
        """The same stream, counted for this client while it lasts. Raises HttpError."""
        self._counter.add(client, "streams")

        async def serve_and_count(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await serve(scope, receive, send)
            finally:
                self._counter.remove(client)

        return serve_and_count

    async def serve(  # noqa: PLR0913, PLR0917 - what is told, to whom, how, and a connection
        self,
        told: Subscription,
        may_still: Callable[[], bool],
        scope: Scope,
        receive: Receive,
        send: Send,
        tell: Tell,
        *,
        packed: bool = False,
        frame: Frame | None = None,
    ) -> None:
        """Send notices until they end, the client is gone, or the seat is another guest's.

        With `frame`, the task of the stream need not be woken for each of them.
        """
        headers = [*HEADERS, *([PACKED] if packed else [])]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "HEAD" or self.closed:
            await send({"type": "http.response.body", "body": b""})
            return
        loop = asyncio.get_running_loop()
        stream = Stream(send, loop.time(), scope.get(SCOPE_KEY), may_still, packed=packed)
        if not self._swept:
            self._swept = True
            self._background.repeat(self._sweep, 1.0, first=1.0)
        stream.task = task = loop.create_task(self._pump(stream, told, tell))
        gone = loop.create_task(_disconnected(receive))
        self._open.add(stream)
        send_now = scope.get("extensions", {}).get(SEND_NOW)
        if frame is not None and send_now is not None and not packed:
            told.take = partial(stream.write_now, frame, send_now["send"]())
        try:
            await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._open.discard(stream)
            told.take = None
            task.cancel()
            gone.cancel()
            await asyncio.gather(task, gone, return_exceptions=True)
            # What ended the task holds its frame, which holds the stream: nothing would free them,
            # nor the table that was watched, but the garbage collector, some day.
            stream.task = None
        if stream.since is None:
            await send({"type": "http.response.body", "body": b""})
        elif hang_up := scope.get("extensions", {}).get(HANG_UP):
            # What waits to be sent would keep the connection open and stay in memory.
            hang_up["now"]()
            await _disconnected(receive)
        if not task.cancelled() and (error := task.exception()):
            raise error

    def dismiss(self, is_unwelcome: Callable[[Request], bool]) -> None:
        """End the streams of visitors who are not let in any more."""
        for stream in tuple(self._open):
            if stream.request is None or stream.task is None:
                continue
            if is_unwelcome(stream.request):
                stream.task.cancel()
            elif came_by_link(stream.request):
                stream.end_unless_allowed()

    async def close(self) -> None:
        """End all streams; the clients reconnect, later or to another server."""
        self.closed = True
        for stream in self._open:
            if stream.task:
                stream.task.cancel()
        await self._background.end()

    async def _pump(self, stream: Stream, told: Subscription, tell: Tell) -> None:
        clock = asyncio.get_running_loop().time
        await stream.write(b"retry: %d\n\n%b" % (RETRY, await tell(None)), clock())
        # A client that reads too slowly reconnects with the last number it has.
        with suppress(LaggingError):
            while batch := await told.next():
                # Checked before anything is sent: what follows may be for the new owner only.
                # A player who looks on without a seat may have left, and be a late spectator now.
                mine = told.viewer is None or told.viewer in batch.reseated
                if batch.reseated and mine and not stream.may_still():
                    return
                if content := await tell(batch):
                    await stream.write(content, clock())

    async def _sweep(self) -> None:
        now = asyncio.get_running_loop().time()
        for stream in tuple(self._open):
            if stream.since is not None:
                if now - stream.since > self._unread_seconds and stream.task:
                    stream.task.cancel()
            elif now - stream.sent >= BEAT:
                self._background.begin(stream.write(b":\n\n", now))


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
