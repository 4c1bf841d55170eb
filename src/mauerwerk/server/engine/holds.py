"""Seats that still look at something, and for which the bots of a table wait a little.

What there is to look at is not known here: `Host.stops_at` says after which moves people stop. Only
seats with a page open hold a table, each until it has gone on, and none longer than `LONGEST`. The
question that people then answer has as much time more. None of this is in the log.

Holds belong to a process. Where several share a store, bots wait for the pages that are connected
to the process at which they think. To share holds would take a message for every page that goes on;
a proxy that sends all of a table to one process does it without (`deploy/nginx.conf`).
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.server.tables.table import Table

LONGEST: Final = 10_000
"""The most milliseconds that a table waits after a move."""

StopsAt = Callable[[Table, int], int | None]
"""Of the entries from that one on, the last after which people stop to look; None if none is."""


class Holds:
    """The seats that hold one table."""

    def __init__(self) -> None:
        """Nobody holds it."""
        self._seats: set[Seat] = set()
        self._stop = -1
        self._asked_at: int | None = None
        self._over = asyncio.Event()
        self._over.set()
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, seats: Iterable[Seat], table: Table, stop: int) -> None:
        """These seats look at what the entry `stop` of the log led to."""
        self.end()
        self._seats = set(seats)
        self._stop = stop
        if self._seats:
            self._asked_at = table.asked_at
            self._over.clear()
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(LONGEST / 1_000, self.end)

    def go_on(self, table: Table, seat: Seat, number: int) -> None:
        """This seat has seen all that it was told up to that number."""
        if seat in self._seats and number >= table.number_of(self._stop, seat):
            self.release(seat)

    def release(self, seat: Seat) -> None:
        """This seat looks no longer."""
        self._seats.discard(seat)
        if not self._seats:
            self.end()

    def end(self) -> None:
        """Nobody looks any longer."""
        self._seats.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._over.set()

    @property
    def any(self) -> bool:
        """Whether somebody looks."""
        return bool(self._seats)

    async def over(self) -> None:
        """Wait until nobody looks any longer; who has gone on may stop at the next move."""
        while self._seats:
            await self._over.wait()

    def respite(self, table: Table) -> int:
        """The milliseconds by which the deadline of the present question is later."""
        asked = table.proposal is None and self._asked_at == table.asked_at
        return LONGEST if asked else 0
