"""The viewers of a table, and what each is told: in order, without gaps, nothing twice."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.tables import errors, log, table
from mauerwerk.server.tables.notices import Notice, new_notices

SETTLES: Final = 1.0
"""Seconds after which everybody is told who watches, once somebody has come or gone."""

AT_ONCE: Final = 500
"""How many viewers are told something before others have a turn."""

CHANGES_OWNER: Final = frozenset({log.Kind.SIT, log.Kind.STAND, log.Kind.BOT})
"""After these a seat may belong to another player."""


class Watcher(Value):
    """A spectator, as others may know them."""

    guest: str = ""
    """Empty for somebody without a name."""

    name: str = ""
    """Empty for somebody who has none, or does not want to be seen."""


class Announcement(Value):
    """Something that viewers are told beside the log of a table, such as what people say."""


@dataclass(eq=False)
class NoticeBatch:
    """Notices that are told together, to all viewers who are told the same."""

    notices: tuple[Notice, ...]
    announcements: tuple[Announcement, ...] = ()
    """They come alone, and not every viewer may hear them."""

    snapshot: Snapshot | None = None
    """The table to which these notices led, as these viewers may see it; for announcements, the
    table at which they were made."""

    watching: bool = False
    """Whether it says that others watch the table now; then there is nothing else."""

    frame: bytes | None = None
    """The bytes for programs, kept here by the first stream that sends them."""

    @cached_property
    def reseated(self) -> frozenset[Seat | None]:
        """The seats that may belong to another player afterwards."""
        return frozenset([each.seat for each in self.notices if each.kind in CHANGES_OWNER])


@dataclass(eq=False)
class Subscription:
    """What one viewer is told from now on; first, what they missed."""

    audience: "Audience"
    viewer: table.Viewer
    latest: Snapshot
    """The table as this viewer may see it now, whether they have been told of it or not."""

    missed: Iterator[tuple[Notice, ...]]
    looks: Seat | None
    """The seat that looks here; None for spectators and programs, for which no table waits."""

    looked: Callable[[Seat], None]
    """Called once no page of that seat is left."""

    shows: bool = False
    """Whether it is a screen that shows the table to a whole room."""

    take: Callable[[NoticeBatch], bool] | None = None
    """Tells a batch where that takes no waiting, and says whether it did. It is asked only while
    the reader waits for the next batch, and spares waking the reader."""

    _waiting: deque[NoticeBatch] = field(default_factory=deque[NoticeBatch])
    _wake: asyncio.Future[None] | None = None
    """What the reader waits for while nothing is to be told."""

    _lagging: bool = False
    _over: bool = False

    def put(self, batch: NoticeBatch) -> None:
        """Have it told next."""
        if len(self._waiting) >= self.audience.most_waiting:
            self._lagging = True
            self._waiting.clear()
            self.audience.leave(self)
        else:
            self._waiting.append(batch)
            if batch.notices and batch.snapshot is not None:
                self.latest = batch.snapshot
        self._wake_up()

    def end(self) -> None:
        """No more after what waits now."""
        self._over = True
        self._wake_up()

    def _wake_up(self) -> None:
        if self._wake is not None and not self._wake.done():
            self.audience.wake(self)

    def go_on(self) -> None:
        """Tell what can be told at once, and wake the reader for the rest."""
        wake = self._wake
        if wake is None or wake.done():
            return
        while self._waiting and self.take is not None and self.take(self._waiting[0]):
            self._waiting.popleft()
        if self._waiting or self._lagging or self._over:
            wake.set_result(None)

    async def next(self) -> NoticeBatch | None:
        """The next batch of notices, however long it takes; None when there will be no more.

        Raises LaggingError once this viewer has been cut off.
        """
        while not self._lagging:
            if told := next(self.missed, None):
                await asyncio.sleep(0)  # a client that missed much must not keep others waiting
                return NoticeBatch(told)
            if self._waiting:
                return self._waiting.popleft()
            if self._over:
                return None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        raise errors.LaggingError("read faster, or come back for the rest")

    def close(self) -> None:
        """Stop watching."""
        self.audience.leave(self)


class Audience:
    """All viewers of one table."""

    def __init__(self, most_waiting: int = HostLimits().unread_notices) -> None:
        """No viewers yet. One for whom more batches wait reads too slowly, and is cut off."""
        self.most_waiting = most_waiting
        self._viewers: dict[table.Viewer, list[Subscription]] = {}
        self.viewers = self._viewers.keys()
        self._outside: dict[Subscription, Watcher] = {}
        """Those who do not play here, and may be behind."""

        self._settling: asyncio.TimerHandle | None = None
        self._woken: deque[Subscription] = deque()
        """Those who have something to tell, or have come to an end."""

    def __len__(self) -> int:
        return sum(map(len, self._viewers.values())) + len(self._outside)

    def _all(self) -> tuple[Subscription, ...]:
        inside = (each for subscriptions in self._viewers.values() for each in subscriptions)
        return (*inside, *self._outside)

    def looking(self) -> frozenset[Seat]:
        """The seats that somebody watches on a page."""
        return frozenset(each.looks for each in self._all() if each.looks is not None)

    @property
    def has_screen(self) -> bool:
        """Whether a screen shows the table to a whole room."""
        return any(each.shows for each in self._all())

    @property
    def watchers(self) -> tuple[Watcher, ...]:
        """Who watches, each guest once; those who have no name count one by one."""
        known = {each.guest: each for each in self._outside.values() if each.guest}
        return (*known.values(), *(each for each in self._outside.values() if not each.guest))

    def join(  # noqa: PLR0913, PLR0917 - who watches what, from when on, and as whom
        self,
        snapshot: Snapshot,
        viewer: table.Viewer,
        missed: Iterable[tuple[Notice, ...]],
        looks: Seat | None = None,
        looked: Callable[[Seat], None] = lambda _: None,
        watcher: Watcher | None = None,
        *,
        shows: bool = False,
    ) -> Subscription:
        """Begin to watch; what was missed is told first, a page at a time.

        A `watcher` does not play here, and is told what spectators may know. The snapshot is what
        they may see now.
        """
        subscription = Subscription(self, viewer, snapshot, iter(missed), looks, looked, shows)
        if watcher is None:
            self._viewers.setdefault(viewer, []).append(subscription)
        else:
            self._outside[subscription] = watcher
        if watcher is not None or shows:
            self._settle()
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Stop watching; doing so twice does no harm."""
        if self._outside.pop(subscription, None) is not None:
            self._settle()
            return
        others = self._viewers.get(subscription.viewer, [])
        if subscription in others:
            others.remove(subscription)
            if subscription.shows:
                self._settle()
        if not others:
            self._viewers.pop(subscription.viewer, None)
        seat = subscription.looks
        if seat is not None and seat not in self.looking():
            subscription.looked(seat)

    def tell(self, before: Snapshot, after: Snapshot) -> None:
        """Tell all viewers what they notice of the entries since `before`.

        Those who play are told at once, spectators what there is to see from outside. Viewers who
        are told the same share a batch, so that it is encoded once.
        """
        batches: dict[tuple[int, ...], NoticeBatch] = {}
        for viewer, told in new_notices(before.table, after.table, self._viewers).items():
            if not told:
                continue
            alike = tuple(map(id, told))
            batch = batches.get(alike)
            if batch is None:
                batch = batches[alike] = NoticeBatch(told, snapshot=after)
            for subscription in tuple(self._viewers.get(viewer, ())):
                subscription.put(batch)
        if self._outside:
            self._tell_outside(before.from_outside(), after.from_outside())

    def _tell_outside(self, before: Snapshot, after: Snapshot) -> None:
        if told := new_notices(before.table, after.table, [None])[None]:
            batch = NoticeBatch(told, snapshot=after)
            for subscription in tuple(self._outside):
                subscription.put(batch)

    def announce(self, announcements: tuple[Announcement, ...], snapshot: Snapshot) -> None:
        """Tell all viewers of this table something that is not in the log."""
        self._tell_all(NoticeBatch((), announcements, snapshot=snapshot))

    def _tell_all(self, batch: NoticeBatch) -> None:
        for subscription in self._all():
            subscription.put(batch)

    def wake(self, subscription: Subscription) -> None:
        """Have this one go on soon, in one step of the loop with the others."""
        if not self._woken:
            asyncio.get_running_loop().call_soon(self._go_on)
        self._woken.append(subscription)

    def _go_on(self) -> None:
        for _ in range(min(AT_ONCE, len(self._woken))):
            self._woken.popleft().go_on()
        if self._woken:
            asyncio.get_running_loop().call_soon(self._go_on)

    def _settle(self) -> None:
        """Tell everybody soon who watches now, once for all who come and go meanwhile."""
        if self._settling is None:
            loop = asyncio.get_running_loop()
            self._settling = loop.call_later(SETTLES, self._settled)

    def _settled(self) -> None:
        self._settling = None
        self._tell_all(NoticeBatch((), watching=True))

    def close(self) -> None:
        """End all subscriptions."""
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        for subscription in self._all():
            subscription.end()
        self._viewers.clear()
        self._outside.clear()
