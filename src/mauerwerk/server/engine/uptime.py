"""Says how long no server ran, so that no clock runs meanwhile.

Every server notes a few times a minute that it runs. When one begins and none was seen for a while,
that was an outage. A table whose clocks ran then gets it back with the next entry of its log.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from mauerwerk.server.database import uptime
from mauerwerk.server.database.store import Store
from mauerwerk.server.tables.table import Table

_log = logging.getLogger(__name__)

BEAT: Final = 5.0
"""Seconds between two notes that a server runs."""


class Uptime:
    """The outages of all servers of a store, as one process knows them."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        """Nothing is known yet."""
        self._store = store
        self._clock = clock
        self._outages: tuple[uptime.Outage, ...] = ()
        self._beating: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Find out how long no server ran, and note from now on that one does."""
        self._outages = await uptime.begin(self._store, self._now())
        self._beating = asyncio.create_task(self._beat())

    async def end(self) -> None:
        """This server stops now."""
        if self._beating is not None:
            self._beating.cancel()
            with suppress(asyncio.CancelledError):
                await self._beating
            with suppress(Exception):
                await uptime.beat(self._store, self._now())

    def missed(self, table: Table) -> int:
        """The milliseconds without a server since the last entry of a table's log."""
        last = table.log[-1].entry.at if table.log else 0
        return sum(
            each.until - max(each.since, last) for each in self._outages if each.until > last
        )

    def _now(self) -> int:
        return int(self._clock() * 1_000)

    async def _beat(self) -> None:
        failed = False
        while True:
            await asyncio.sleep(BEAT)
            try:
                await uptime.beat(self._store, self._now())
                failed = False
            except Exception:  # noqa: BLE001 - it is tried again shortly, whatever it was
                if not failed:
                    _log.exception("could not note that the server runs")
                failed = True
