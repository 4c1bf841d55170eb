"""Keeps tables going: bots to move, clocks that run out, and what other processes write."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import Seat
from mauerwerk.server.background import Background
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine import workers
from mauerwerk.server.engine.events import Events, WrittenElsewhere
from mauerwerk.server.engine.live_tables import LONGEST, LiveTable, LiveTables
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.errors import OtherRulesError, RequestError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.requests import PendingEntries, Submission

_log = logging.getLogger(__name__)

Submit = Callable[[str, Submission, Callable[[PendingEntries], object]], Awaitable[object]]
"""How a request is carried out (`Host.submit`)."""

SWEEP: Final = 2.0
"""Seconds between two looks for tables that no process attends to."""

GRACE: Final = 4_000 + LONGEST
"""Milliseconds that a table may be overdue before another process attends to it.

That process does not know whether bots wait for people who look, so it waits as long as they may.
People who play need not wait: a request is carried out by any process at once."""


ID_SHOWN: Final = 6
"""The number of characters of a table's id in the log, enough to tell which table it is.

A whole id is the way to the table, and a log is no place for that."""


class Attendant:
    """Attends to the tables of one process, and to those that no process attends to."""

    def __init__(  # noqa: PLR0913, PLR0917 - each is another part of a host
        self,
        live_tables: LiveTables,
        bot_workers: workers.BotWorkers,
        submit: Submit,
        events: Events,
        clock: Callable[[], float],
        pace_alone: float,
    ) -> None:
        """Nothing happens yet. Where nobody plays or watches, bots take `pace_alone` seconds."""
        self._alone = int(pace_alone * 1_000)
        self._live_tables = live_tables
        self._bot_workers = bot_workers
        self._submit = submit
        self._events = events
        self._clock = clock
        self._background = Background(_log, "could not see to a table")
        self._ended = False
        self._grace = 0
        self._given_up: set[str] = set()
        """Tables that cannot be resumed here; each was logged once."""

    def begin(self, store: Store) -> None:
        """Follow what other processes write, and resume tables that wait."""
        self._background.begin(self._follow_others(store))
        self._background.repeat(partial(self._sweep, store), SWEEP)

    async def end(self) -> None:
        """Stop attending to tables."""
        self._ended = True
        for live in self._live_tables:
            live.stop_timer()
        await self._background.end()

    def attend(self, live: LiveTable) -> None:
        """Let bots think and clocks run, as the table needs it now."""
        if self._ended:
            return
        table = live.table
        if table.proposal is None and not requests.is_too_long(table):
            for seat in table.deciding:
                if table.occupants[seat].level and seat not in live.thoughts:
                    live.thoughts[seat] = self._background.begin(self._think(live, seat))
        live.stop_timer()
        if table.deadline is not None:
            deadline = table.deadline + live.holds.respite(table)
            wait = max(0.0, deadline / 1_000 - self._clock())
            loop = asyncio.get_running_loop()
            run_out = self._run_out
            live.timer = loop.call_later(wait, lambda: self._background.begin(run_out(live)))

    async def _think(self, live: LiveTable, seat: Seat) -> None:
        """A bot's turn: it thinks, lets some time pass, and plays."""
        try:
            await self._play(live, seat)
        except StorageError:
            return  # the store has said so, and the next sweep tries again
        finally:
            live.thoughts.pop(seat, None)
        self.attend(live)

    async def _play(self, live: LiveTable, seat: Seat) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        table = live.table
        if seat not in table.waiting or not table.occupants[seat].level:
            return
        version = table.number(seat)
        level = table.occupants[seat].level
        try:
            word = await self._bot_workers.choose(table, seat, level, attended=live.has_people)
        except workers.ForfeitError:
            await self._submit(
                table.charter.id,
                Submission(seat, frozenset({Kind.FORFEIT, Kind.AWAY})),
                lambda pending: requests.forfeit(pending, seat, level),
            )
            return
        if live.holds.any:
            await live.holds.over()
            began = loop.time()
        wait = (
            table.charter.bot_delay_ms
            if live.has_people
            else max(table.charter.bot_delay_ms, self._alone)
        )
        if live.has_people and requests.is_in_series(table, seat):
            wait = 0
        await asyncio.sleep(max(0.0, began + wait / 1_000 - loop.time()))
        with suppress(MoveError, RequestError):
            await self._submit(
                table.charter.id,
                Submission(seat, frozenset({Kind.MOVE})),
                lambda pending: requests.play_for(pending, seat, word, version),
            )

    async def _run_out(self, live: LiveTable) -> None:
        """A player's time is up, unless they have just moved."""
        table = live.table.charter.id
        late = live.holds.respite(live.table)
        try:
            await self._submit(
                table,
                Submission(Seat(0), frozenset({Kind.AWAY})),
                lambda pending: requests.run_out(pending, late),
            )
        except StorageError:
            return  # as above
        # It may have been put away meanwhile, and replaced by another live table.
        if (now := self._live_tables.get(table)) is not None:
            self.attend(now)

    async def _follow_others(self, store: Store) -> None:
        """Tell viewers here what other processes have written."""
        async for table in store.changes():
            known = tuple(self._live_tables) if table is None else (self._live_tables.get(table),)
            changed = [live for live in known if live is not None]
            for live in changed:
                live.doubtful = True
            for live in changed:
                if table is not None or not live.idle:
                    await self._read_on(live)

    async def _read_on(self, live: LiveTable) -> None:
        try:
            async with live.lock:
                await self._live_tables.catch_up(live)
            await self._events.publish_and_wait(WrittenElsewhere(live))
        except Exception:  # noqa: BLE001 - the next request tries again
            live.doubtful = True
            table = live.table.charter.id[:ID_SHOWN]
            _log.exception("could not read what others wrote at table %s...", table)

    async def _sweep(self, store: Store) -> None:
        """Put away tables that nobody uses, and resume those that no process attends to."""
        self._live_tables.put_away(time.monotonic())
        for table in await store.due(int(self._clock() * 1_000) - self._grace):
            if table not in self._given_up:
                await self._resume(table)
        self._grace = GRACE

    async def _resume(self, table: str) -> None:
        try:
            async with self._live_tables.taken(table) as live:
                await self._live_tables.catch_up(live)
        except StorageError:
            _log.exception("could not resume table %s...", table[:ID_SHOWN])
        except OtherRulesError as fault:
            self._give_up(table, str(fault))
        except Exception as fault:  # noqa: BLE001 - other tables must not suffer for this one
            self._give_up(table, f"it is damaged: {type(fault).__name__}: {fault}")
        else:
            self.attend(live)

    def _give_up(self, table: str, why: str) -> None:
        """Log once why a table cannot be resumed; the next server tries again."""
        self._given_up.add(table)
        _log.error("could not resume table %s...: %s", table[:ID_SHOWN], " ".join(why.split()))
