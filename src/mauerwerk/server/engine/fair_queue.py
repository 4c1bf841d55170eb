"""Slots that are shared fairly: nobody who uses many keeps the others waiting.

    queue = FairQueue(2)
    async with queue.slot("ada", first=True, within=5.0):
        ...

A slot that becomes free goes to those who are to be first, then to the user who has had the least
time lately, then to whoever has waited longest.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

HALF_LIFE: Final = 60.0
"""Seconds in which half of the time that somebody has used is forgotten."""

FORGOTTEN: Final = 0.01
"""Less time than this counts as none, and its user is no longer remembered."""


@dataclass(eq=False)
class Waiting:
    """Somebody who waits for a slot."""

    user: str
    first: bool
    turn: "asyncio.Future[None]"


class FairQueue:
    """A few slots, and those who wait for one."""

    def __init__(self, size: int, clock: Callable[[], float] = time.monotonic) -> None:
        """With this many slots, all free."""
        self._free = size
        self._clock = clock
        self._waiting: list[Waiting] = []
        self._used: dict[str, float] = {}
        self._counted = clock()
        self.served: dict[str, int] = {}
        """How many slots each user has now."""

    def users(self) -> dict[str, int]:
        """How often each user waits."""
        return dict(Counter(each.user for each in self._waiting))

    def waiting(self, *, first: bool) -> int:
        """The number of those who wait, either to be first or not."""
        return sum(each.first == first for each in self._waiting)

    @asynccontextmanager
    async def slot(self, user: str, *, first: bool, within: float) -> AsyncGenerator[None, None]:
        """Wait for a slot, and hold it. Raises TimeoutError if there is none in time."""
        if self._free and not self._waiting:
            self._free -= 1
        else:
            await self._wait(user, first=first, within=within)
        began = self._clock()
        self.served[user] = self.served.get(user, 0) + 1
        try:
            yield
        finally:
            self.served[user] -= 1
            if not self.served[user]:
                del self.served[user]
            self._forget()
            self._used[user] = self._used.get(user, 0.0) + self._clock() - began
            self._free += 1
            self._serve()

    async def _wait(self, user: str, *, first: bool, within: float) -> None:
        waiting = Waiting(user, first, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            async with asyncio.timeout(within):
                await waiting.turn
        except BaseException:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif not waiting.turn.cancelled():  # it was served in the same moment
                self._free += 1
                self._serve()
            raise

    def _serve(self) -> None:
        """Give the free slots to those who are next."""
        while self._free and self._waiting:
            chosen = min(
                self._waiting, key=lambda each: (not each.first, self._used.get(each.user, 0.0))
            )
            self._waiting.remove(chosen)
            if not chosen.turn.done():
                self._free -= 1
                chosen.turn.set_result(None)

    def _forget(self) -> None:
        """Let the past count less, the longer it is ago."""
        now = self._clock()
        left = 0.5 ** ((now - self._counted) / HALF_LIFE)
        self._counted = now
        used = {user: seconds * left for user, seconds in self._used.items()}
        self._used = {user: seconds for user, seconds in used.items() if seconds > FORGOTTEN}
