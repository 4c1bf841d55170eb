"""Notifies people whose turn it is: finds turns, fills the outbox, and sends what is in it.

Every server does so every few seconds, by what is in the database (`store`), and nothing of
it is in the way of a move. Sending happens beside everything else: a service that does not answer
keeps nobody waiting.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from mauerwerk.server.background import BackgroundService
from mauerwerk.server.database import errors, queries
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications import relays, store
from mauerwerk.server.features.notifications.delivery import MOST_AT_ONCE, Delivery
from mauerwerk.server.features.notifications.store import Attempt, Lane

_log = logging.getLogger(__name__)
EVERY: Final = 3.0
"""Seconds between two looks."""

OVERLAP: Final = 60_000
"""Milliseconds by which a look goes back behind the one before.

Servers' clocks differ, and a move is on disk a little later than it says."""

BY_HTTP: Final = frozenset({store.PUSH, *relays.KINDS})
LANES: Final = (
    Lane(BY_HTTP, MOST_AT_ONCE, proven=True, of_service=8),
    Lane(BY_HTTP, 2 * MOST_AT_ONCE, proven=False, of_service=2),
    Lane(frozenset({store.EMAIL, store.CONFIRM}), MOST_AT_ONCE),
)
"""Messages that share places: a service that may not answer holds up none that others take."""
QUICK: Final = 2.0
"""Seconds in which a service answers that others may rely on."""
A_FEW: Final = 4
"""The most turns, people or messages in one transaction."""
PAUSE: Final = 0.02
"""Seconds between two transactions, in which others write."""
CLEAN_UP: Final = 3_600_000
"""Milliseconds between two rounds of cleaning up."""
Deliver = Callable[[store.OutboxItem], Awaitable[store.Result]]


class Notifications(BackgroundService):
    """Notifies people for as long as the server runs, if it has ways to reach them."""

    def __init__(self, host: Host, delivery: Delivery) -> None:
        """Nothing happens yet. Where the delivery has no channels, nobody is notified."""
        super().__init__(_log, "could not look for people to notify")
        self._store = host.store
        self._clock = host.clock
        self.deliver: Deliver | None = delivery if delivery.channels else None
        """Sends a message; without it nobody is notified."""

        self.channels = delivery.channels
        """The ways by which this server sends."""

        self.subscribers: frozenset[str] = frozenset()
        """Everybody who wants to be notified."""

        self.done: Counter[str] = Counter()
        """How many messages this server sent or could not send."""

        self._since = 0
        self._cleaned_up = 0
        self._sending: dict[asyncio.Task[None], tuple[Lane, store.OutboxItem]] = {}
        self._results: list[Attempt] = []
        self._writing = asyncio.Lock()
        self._noting: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Do so from now on; where others may call, know at least whom, and note who has looked."""
        if self.deliver is not None:
            self._background.repeat(self._look_around, EVERY)
        elif self._store.shared:
            self._background.repeat(self.load_subscribers, EVERY)

    async def __aexit__(self, *_: object) -> None:
        """Stop, after what is being sent."""
        await super().__aexit__()
        await self.finish()

    async def finish(self) -> None:
        """Wait until all that was claimed is sent, or has failed."""
        while busy := (*self._sending, *self._noting):
            await asyncio.wait(busy)

    async def _look_around(self) -> None:
        """Look until there is nothing more to send."""
        while await self.look():
            if self._sending and not self._lanes():
                first = asyncio.FIRST_COMPLETED
                await asyncio.wait(tuple(self._sending), timeout=EVERY, return_when=first)
            else:
                await asyncio.sleep(PAUSE)

    def _now(self) -> int:
        return int(self._clock() * 1_000)

    async def load_subscribers(self) -> None:
        """Find out who wants to be notified, by whichever server; there is nothing to send."""
        self.subscribers = await store.subscribers_in(self._store)

    async def look(self) -> bool:
        """Notify everybody who is to be notified now; whether there may be more to send."""
        now = self._now()
        lanes = self._lanes()
        if not lanes:
            return True
        seen = await store.survey(self._store, self.subscribers, self._since, now)
        self.subscribers = seen.subscribers
        clean = now - self._cleaned_up >= CLEAN_UP
        claimed: dict[Lane, tuple[store.OutboxItem, ...]] = {}
        if seen.turns or seen.due or clean:
            await self._prepare(seen, now)
            claimed = await _claimed(self._store, lanes, now)
            if clean:
                await store.clean_up(self._store)
            self._cleaned_up = now if clean else self._cleaned_up
        self._since = now - OVERLAP  # only now: what failed is looked at again
        for lane, items in claimed.items():
            for item in items:
                task = asyncio.create_task(self._send(item))
                self._sending[task] = (lane, item)
                task.add_done_callback(self._sending.pop)
        return any(len(items) == A_FEW for items in claimed.values())

    async def _prepare(self, seen: store.PendingWork, now: int) -> None:
        """Write down turns, and make messages of those that are due.

        At six in the evening many are due at once. Nobody who moves is to wait for all of them.
        """
        for begin in range(0, len(seen.turns), A_FEW):
            some = seen.turns[begin : begin + A_FEW]
            await store.record_turns(self._store, some)
            await asyncio.sleep(PAUSE)
        while await store.fill_outbox(self._store, self.channels, now, A_FEW):  # noqa: ASYNC110 - others write
            await asyncio.sleep(PAUSE)

    def _lanes(self) -> dict[Lane, list[store.OutboxItem]]:
        """The lanes in which there are places, each with the messages that are being sent."""
        busy = {lane: list[store.OutboxItem]() for lane in LANES if lane.channels & self.channels}
        for lane, item in self._sending.values():
            busy[lane].append(item)
        return {lane: items for lane, items in busy.items() if len(items) < lane.places}

    async def _send(self, item: store.OutboxItem) -> None:
        assert self.deliver is not None
        began = asyncio.get_running_loop().time()
        try:
            result = await self.deliver(item)
        except Exception:  # noqa: BLE001 - other messages must not suffer for this one
            _log.exception("could not send a message")
            result = store.Result.LATER
        quick = asyncio.get_running_loop().time() - began <= QUICK
        self._results.append(Attempt(item, result, quick))
        async with self._writing:  # several results at once, where several have come meanwhile
            results, self._results = self._results, []
            if results:
                await self._note(results)

    async def _note(self, attempts: Sequence[Attempt]) -> None:
        try:
            states = await store.record_results(self._store, attempts, self._now())
        except Exception:  # noqa: BLE001 - their leases end, and the next server deals with it
            _log.exception("could not note how a message went")
            return
        for attempt, state in zip(attempts, states, strict=True):
            if state in {store.State.SENT, store.State.FAILED}:
                self.done[f"{attempt.item.channel} {state}"] += 1

    async def see(self, guest: str, table: str) -> None:
        """A page in sight of this guest shows this table."""
        if guest in self.subscribers:
            await store.mark_seen(self._store, guest, table, self._now())

    def show(self, guest: str, table: str) -> None:
        """The same, for a page that does not wait until it is written down."""
        if guest in self.subscribers:
            task = asyncio.create_task(self._try_to_see(guest, table))
            self._noting.add(task)
            task.add_done_callback(self._noting.discard)

    async def _try_to_see(self, guest: str, table: str) -> None:
        with suppress(errors.StorageError):  # then they are notified about what they have seen
            await self.see(guest, table)


@queries.command(by="notifications")
def _claimed(
    transaction: Transaction, lanes: Mapping[Lane, Sequence[store.OutboxItem]], now: int
) -> dict[Lane, tuple[store.OutboxItem, ...]]:
    """A few messages for each lane that has places."""
    return {
        lane: store.claim(transaction, lane, min(lane.places - len(busy), A_FEW), now, busy)
        for lane, busy in lanes.items()
    }
