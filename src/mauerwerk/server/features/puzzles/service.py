"""The puzzles of one server: those that are shipped, and those of its public games."""

import asyncio
from datetime import date
from typing import Final

from mauerwerk.lab.analysis import fingerprint
from mauerwerk.lab.analysis.puzzles import Puzzle, cut
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.puzzles import daily, store
from mauerwerk.server.features.replay.analyses import GameAnalysed
from mauerwerk.server.ui.cache import Recent

DAYS: Final = 8
"""How many days are kept in memory: what was there when a day began does not change."""


class Puzzles:
    """Finds the puzzles of a day."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._days = Recent[tuple[Puzzle, ...]](DAYS, lambda _: 1)
        self._keeping: set[asyncio.Task[None]] = set()

    async def of(self, day: date) -> tuple[Puzzle, ...]:
        """The puzzles of a day."""
        known = self._days.get(day)
        if known is None:
            known = daily.for_day(day, await store.before(self._host.store, day))
            self._days.put(day, known)
        return known

    def keep(self, analysed: GameAnalysed) -> None:
        """Cut puzzles from a public game, for the days to come."""
        task = asyncio.ensure_future(self._keep(analysed))
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)

    async def _keep(self, analysed: GameAnalysed) -> None:
        found = await asyncio.to_thread(cut, analysed.record, analysed.result.positions)
        if found:
            await store.add(self._host.store, fingerprint(analysed.record), found)


def keep(host: Host, analysed: GameAnalysed) -> None:
    """Cut puzzles from a public game."""
    host.service(Puzzles).keep(analysed)
