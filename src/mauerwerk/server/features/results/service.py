"""Finished games are counted: everybody's place, what the game itself counts, and ratings.

A server does so as soon as a game ends at it, and looks from time to time for games that others
left uncounted. Several may look at once: each game is counted by one of them (`store.count`).
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from mauerwerk.core.game import Step
from mauerwerk.server.background import BackgroundService
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.rows import Stored
from mauerwerk.server.engine.events import GameEnded
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.results import ratings, store
from mauerwerk.server.games import counts_in
from mauerwerk.server.tables import errors, folding

_log = logging.getLogger(__name__)
EVERY: Final = 20.0
"""Seconds between two looks for games that other servers left uncounted."""
PAUSE: Final = 0.02
"""Seconds between two games, in which others write."""
Counts = Callable[[str, Sequence[Step[Any, Any]], int], Sequence[Mapping[str, float]]]
"""What a game counts for each of its seats, from all moves that stand."""


class ResultsWorker(BackgroundService):
    """Counts finished games, for as long as the server runs."""

    def __init__(self, host: Host, counts: Counts = counts_in) -> None:
        """`counts` says what games count beside places and points."""
        super().__init__(_log, "could not count finished games")
        self._host = host
        self._counts = counts
        self._ended = asyncio.Event()
        self._given_up: set[str] = set()
        """Tables that cannot be counted; each was logged once."""

        host.events.subscribe(GameEnded, lambda _: self._ended.set())

    async def begin(self) -> None:
        """Count from now on."""
        self._background.repeat(self._count_soon, 0.0)

    async def _count_soon(self) -> None:
        """Count when a game has ended, or after a while those that others left."""
        with suppress(TimeoutError):
            async with asyncio.timeout(EVERY):
                await self._ended.wait()
        self._ended.clear()
        await self.count_all()

    async def count_all(self) -> int:
        """Count every finished game that is not counted yet; how many."""
        done = 0
        while await self._uncounted():
            await store.skip_bot_games(self._host.store)
            for table in await self._uncounted():
                done += await self._try_to_count(table)
                await asyncio.sleep(PAUSE)
        return done

    async def _uncounted(self) -> list[str]:
        most = store.AT_ONCE + len(self._given_up)
        found = await store.uncounted(self._host.store, most)
        return [table for table in found if table not in self._given_up]

    async def _try_to_count(self, table: str) -> bool:
        try:
            stored = await self._host.store.load(table)
            if stored is None:  # it was deleted meanwhile
                return False
            finished = await asyncio.to_thread(finished_game, stored, self._counts)
            return await self._background.finish(store.count(self._host.store, finished))
        except StorageError:  # the database is gone, and every game can wait for it
            raise
        except Exception as fault:  # noqa: BLE001 - other games must not suffer for this one
            self._given_up.add(table)
            if not isinstance(fault, errors.OtherRulesError):
                _log.exception("could not count a finished game")
            return False


def finished_game(stored: Stored, counts: Counts) -> store.FinishedGame:
    """A finished table, as it is counted."""
    table = folding.fold(stored.charter, stored.entries)
    players = ratings.results_of(table)
    charter = table.charter
    people = any(each.guest for each in players)
    steps = [play.step for play in table.plays]
    return store.FinishedGame(
        table=charter.id,
        game=charter.game,
        ended=ratings.ended_at(table),
        seats=table.setup.seats,
        players=players,
        counts=tuple(counts(charter.game, steps, table.setup.seats)) if people else (),
        rated=ratings.rated_places(table, players),
    )
