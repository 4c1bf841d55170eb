"""Streams of notices (server-sent events): in order, without gaps, cut off when nobody reads.

An event's id is the viewer's own number, so that who comes back says where they left off. One task
looks after all streams: it sends a comment down those that are silent, and ends those that have
not taken what was sent.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.play.host.audience import NoticeBatch, Subscription
from mauerwerk.play.tables.entries import Kind
from mauerwerk.play.tables.errors import LaggingError
from mauerwerk.web.http.limits import Counter

BEAT: Final = 15.0
"""After so many silent seconds a stream shows that it is alive."""

READ_TIMEOUT: Final = 10.0
"""For so many seconds a reader may take nothing of what was sent."""

RETRY: Final = 1_000
"""Milliseconds after which a browser comes back."""

CHANGES_OWNER: Final = frozenset({Kind.SIT, Kind.STAND, Kind.BOT})
"""After these a seat may be somebody else's."""

HANG_UP: Final = "mauerwerk.hang_up"
"""Under this name a connection offers a way to end it at once, whatever waits to be sent."""

HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

PACKED: Final = (b"content-encoding", b"gzip")
GZIP: Final = 16
"""What zlib adds to the size of its window for the format of gzip."""


_encode = msgspec.json.Encoder().encode


def frame_of(batch: NoticeBatch) -> bytes:
    """A batch of notices as events; viewers with the same viewpoint share the bytes."""
    if batch.frame is None:
        batch.frame = b"".join(
            b"id: %d\nevent: %b\ndata: %b\n\n"
            % (notice.number, notice.kind.encode(), _encode(notice))
            for notice in batch.notices
        )
    return batch.frame


Tell = Callable[[NoticeBatch | None], Awaitable[bytes]]
"""What to send of a batch; with None, what to send before the first one."""


async def notices_of(batch: NoticeBatch | None) -> bytes:
    """The notices themselves, for programs."""
    return frame_of(batch) if batch else b""


class Stream:
    """One open stream."""

    def __init__(self, send: Send, now: float, *, packed: bool = False) -> None:
        """Nothing sent yet."""
        self._send = send
        # A small window: thousands of streams are open at the same time.
        self._pack = zlib.compressobj(5, wbits=GZIP + 13, memLevel=5) if packed else None
        self.sent = now
        """When the last of it went out."""

        self.since: float | None = None
        """When something was sent that has not gone out yet."""

        self.task: asyncio.Task[None] | None = None

    async def write(self, content: bytes, now: float) -> None:
        """Send something; this waits while the reader takes nothing."""
        if self.since is None:
            self.since = now
        if self._pack is not None:
            # Whatever was written can be read at once.
            content = self._pack.compress(content) + self._pack.flush(zlib.Z_SYNC_FLUSH)
        await self._send({"type": "http.response.body", "body": content, "more_body": True})
        self.since = None
        self.sent = now


class Streams:
    """All open streams of this process."""

    def __init__(self, counter: Counter) -> None:
        """None yet; the counter says how many there may be."""
        self._counter = counter
        self._open: set[Stream] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._beats: set[asyncio.Task[None]] = set()
        self._closed = False

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def counted(self, client: str, serve: ASGIApp) -> ASGIApp:
        """The same stream, counted as this client's while it lasts. Raises Fault."""
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
        may_still: Callable[[], Awaitable[bool]],
        scope: Scope,
        receive: Receive,
        send: Send,
        tell: Tell = notices_of,
        *,
        packed: bool = False,
    ) -> None:
        """Send what is told until there is no more, nobody reads it, or the seat is another's."""
        headers = [*HEADERS, *([PACKED] if packed else [])]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "HEAD" or self._closed:
            await send({"type": "http.response.body", "body": b""})
            return
        loop = asyncio.get_running_loop()
        stream = Stream(send, loop.time(), packed=packed)
        self._sweeper = self._sweeper or loop.create_task(self._sweep())
        stream.task = loop.create_task(self._pump(stream, told, may_still, tell))
        gone = loop.create_task(_disconnected(receive))
        self._open.add(stream)
        try:
            await asyncio.wait((stream.task, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._open.discard(stream)
            stream.task.cancel()
            gone.cancel()
            await asyncio.gather(stream.task, gone, return_exceptions=True)
        if stream.since is None:
            await send({"type": "http.response.body", "body": b""})
        elif hang_up := scope.get("extensions", {}).get(HANG_UP):
            # What waits to be read would keep the connection open, and itself in memory.
            hang_up["now"]()
            await _disconnected(receive)
        if not stream.task.cancelled() and (error := stream.task.exception()):
            raise error

    async def close(self) -> None:
        """End all streams, so that readers come back elsewhere or later."""
        self._closed = True
        for stream in self._open:
            if stream.task:
                stream.task.cancel()
        if self._sweeper:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)

    async def _pump(
        self,
        stream: Stream,
        told: Subscription,
        may_still: Callable[[], Awaitable[bool]],
        tell: Tell,
    ) -> None:
        clock = asyncio.get_running_loop().time
        await stream.write(b"retry: %d\n\n%b" % (RETRY, await tell(None)), clock())
        # Who reads too slowly comes back with the last number they have.
        with suppress(LaggingError):
            while batch := await told.next():
                # Asked before anything is sent: what follows may be for new eyes only.
                if _changes_owner(batch, told) and not await may_still():
                    return
                if content := await tell(batch):
                    await stream.write(content, clock())

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(1.0)
            now = loop.time()
            for stream in tuple(self._open):
                if stream.since is not None:
                    if now - stream.since > READ_TIMEOUT and stream.task:
                        stream.task.cancel()
                elif now - stream.sent >= BEAT:
                    beat = loop.create_task(stream.write(b":\n\n", now))
                    self._beats.add(beat)
                    beat.add_done_callback(self._beats.discard)


async def _disconnected(receive: Receive) -> None:
    """Return when the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _changes_owner(batch: NoticeBatch, told: Subscription) -> bool:
    """Whether the seat of this viewer may be somebody else's after this."""
    return told.viewer is not None and any(
        notice.seat == told.viewer and notice.kind in CHANGES_OWNER for notice in batch.notices
    )
