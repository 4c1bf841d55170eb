"""Who watches a table, and what each of them is told: in order, without gaps, nothing twice."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.play.tables.errors import LaggingError
from mauerwerk.play.tables.sights import Notice, news
from mauerwerk.play.tables.table import Table, Viewer

MOST_WAITING: Final = 256
"""A viewer for whom more batches wait than this reads too slowly, and is cut off."""


class NoticeBatch:
    """Notices that are told together, to everybody with the same viewpoint."""

    __slots__ = ("frame", "notices")

    def __init__(self, notices: tuple[Notice, ...]) -> None:
        """Not encoded yet."""
        self.notices = notices
        self.frame: bytes | None = None
        """Whoever sends it first keeps the bytes here, for the others."""


class Subscription:
    """What one viewer is told from now on."""

    def __init__(self, audience: "Audience", viewer: Viewer, missed: tuple[Notice, ...]) -> None:
        """Begin with what was missed."""
        self._audience = audience
        self.viewer = viewer
        self._waiting: deque[NoticeBatch] = deque([NoticeBatch(missed)] if missed else [])
        self._wake = asyncio.Event()
        self._lagging = False
        self._over = False
        if missed:
            self._wake.set()

    def put(self, batch: NoticeBatch) -> None:
        """Have it told next."""
        if len(self._waiting) >= MOST_WAITING:
            self._lagging = True
            self._waiting.clear()
            self._audience.leave(self)
        else:
            self._waiting.append(batch)
        self._wake.set()

    def end(self) -> None:
        """No more after what waits now."""
        self._over = True
        self._wake.set()

    async def next(self) -> NoticeBatch | None:
        """The next batch of notices, however long it takes; None when there will be no more.

        Raises LaggingError once this viewer has been cut off.
        """
        while not self._waiting:
            if self._lagging:
                raise LaggingError("read faster, or come back for the rest")
            if self._over:
                return None
            self._wake.clear()
            await self._wake.wait()
        return self._waiting.popleft()

    async def __aiter__(self) -> AsyncIterator[Notice]:
        while batch := await self.next():
            for notice in batch.notices:
                yield notice

    def close(self) -> None:
        """Stop watching."""
        self._audience.leave(self)


class Audience:
    """Everybody who watches one table."""

    def __init__(self) -> None:
        """Nobody yet."""
        self._viewers: dict[Viewer, list[Subscription]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._viewers.values()))

    def seats(self) -> tuple[Seat, ...]:
        """The seats among the viewers."""
        return tuple(viewer for viewer in self._viewers if viewer is not None)

    def join(self, viewer: Viewer, missed: Sequence[Notice]) -> Subscription:
        """Begin to watch."""
        subscription = Subscription(self, viewer, tuple(missed))
        self._viewers.setdefault(viewer, []).append(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Stop watching; doing so twice is no harm."""
        others = self._viewers.get(subscription.viewer, [])
        if subscription in others:
            others.remove(subscription)
        if not others:
            self._viewers.pop(subscription.viewer, None)

    def tell(self, before: Table, table: Table) -> None:
        """Tell everybody what they notice of the entries since `before`."""
        for viewer, subscriptions in tuple(self._viewers.items()):
            if told := news(before, table, viewer):
                batch = NoticeBatch(told)
                for subscription in tuple(subscriptions):
                    subscription.put(batch)

    def close(self) -> None:
        """Tell nobody anything any more."""
        for subscriptions in tuple(self._viewers.values()):
            for subscription in tuple(subscriptions):
                subscription.end()
        self._viewers.clear()
