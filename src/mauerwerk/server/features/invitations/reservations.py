"""Seats whose link somebody has opened: each is kept for the browser that opened it first.

So an invited friend can look at the rules or the lesson before sitting down, and nobody else with
the same link takes the seat meanwhile. It is kept in memory alone: after a restart the first to sit
down has it.
"""

import time
from collections.abc import Callable
from typing import Final

from mauerwerk.server.http.settings import Limits

KEPT_SECONDS: Final = 600
"""How long a seat is kept."""


class Reservations:
    """For whom seats are kept."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        most: int = Limits().seat_reservations,
    ) -> None:
        """Nothing is kept yet. Beyond this many seats, the oldest are given up."""
        self._most = most
        self._clock = clock
        self._kept: dict[tuple[str, int], tuple[str, float]] = {}

    def keep(self, table: str, seat: int, browser: str) -> None:
        """Keep a seat for this browser from now on, unless it is kept for another."""
        if self.is_others(table, seat, browser):
            return
        self._kept.pop((table, seat), None)
        self._kept[table, seat] = (browser, self._clock() + KEPT_SECONDS)
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

    def is_kept(self, table: str, seat: int) -> bool:
        """Whether somebody has opened the link of this seat lately."""
        return self._kept.get((table, seat), ("", 0.0))[1] > self._clock()

    def is_others(self, table: str, seat: int, browser: str) -> bool:
        """Whether a seat is kept for another browser."""
        return self.is_kept(table, seat) and self._kept[table, seat][0] != browser
