"""Keeps tables going: bots to move, clocks that run out, and what other processes write."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from mauerwerk.core.game import MoveError, Seat
from mauerwerk.play import requests, restraint
from mauerwerk.play.desks import Desk, Desks
from mauerwerk.play.entries import Kind
from mauerwerk.play.errors import OtherRulesError, RequestError
from mauerwerk.play.requests import Asked, Pen
from mauerwerk.play.store import StorageError, Store
from mauerwerk.play.thinking import Thinkers

_log = logging.getLogger(__name__)

Request = Callable[[str, Asked, Callable[[Pen], object]], Awaitable[object]]
"""How something is written at a table; `House` does it."""

SWEEP: Final = 2.0
"""Seconds between two looks for tables that no process attends to."""

GRACE: Final = 4_000
"""Milliseconds that a table may be overdue before somebody else attends to it."""


SHOWN: Final = 6
"""So many characters of a table's id tell which it is."""


class Attendant:
    """Sees to the tables of one process, and to those that nobody sees to."""

    def __init__(
        self, desks: Desks, thinkers: Thinkers, request: Request, clock: Callable[[], float]
    ) -> None:
        """Nothing happens yet."""
        self._desks = desks
        self._thinkers = thinkers
        self._request = request
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended = False
        self._given_up: set[str] = set()
        """Tables that cannot be gone on with here; each was said once."""

    def begin(self, store: Store) -> None:
        """Follow what others write, and go on with tables that wait."""
        self._spawn(self._follow_others(store))
        self._spawn(self._sweep(store))

    async def end(self) -> None:
        """See to nothing any more."""
        self._ended = True
        for desk in self._desks:
            desk.stop_timer()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def attend(self, desk: Desk) -> None:
        """Let bots think and clocks run, as the table needs it now."""
        if self._ended:
            return
        table = desk.table
        if table.proposal is None and not restraint.is_endless(table):
            for seat in table.deciding:
                if table.sitters[seat].level and seat not in desk.thoughts:
                    desk.thoughts[seat] = self._spawn(self._think(desk, seat))
        desk.stop_timer()
        if table.deadline is not None:
            wait = max(0.0, table.deadline / 1_000 - self._clock())
            loop = asyncio.get_running_loop()
            desk.timer = loop.call_later(wait, lambda: self._spawn(self._run_out(desk)))

    async def _think(self, desk: Desk, seat: Seat) -> None:
        """A bot's turn: it thinks, lets some time pass, and plays."""
        try:
            await self._play(desk, seat)
        finally:
            desk.thoughts.pop(seat, None)
        self.attend(desk)

    async def _play(self, desk: Desk, seat: Seat) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        table = desk.table
        if seat not in table.waiting or not table.sitters[seat].level:
            return
        answers = table.number(seat)
        word = await self._thinkers.choose(table, seat, table.sitters[seat].level)
        await asyncio.sleep(max(0.0, began + table.charter.tempo / 1_000 - loop.time()))
        with suppress(MoveError, RequestError):
            await self._request(
                table.charter.id,
                Asked(seat, frozenset({Kind.MOVE})),
                lambda pen: requests.play_for(pen, seat, word, answers),
            )

    async def _run_out(self, desk: Desk) -> None:
        """Somebody's time is up, unless they moved just now."""
        asked = Asked(Seat(0), frozenset({Kind.AWAY}))
        table = desk.table.charter.id
        await self._request(table, asked, self._run_out_if_due)
        # It may have been put away in the meantime, and another desk stand there now.
        if (now := self._desks.get(table)) is not None:
            self.attend(now)

    def _run_out_if_due(self, pen: Pen) -> None:
        deadline = pen.table.deadline
        if deadline is not None and deadline <= int(self._clock() * 1_000):
            requests.run_out(pen)

    async def _follow_others(self, store: Store) -> None:
        """Tell viewers here what other processes have written."""
        async for table in store.changes():
            known = tuple(self._desks) if table is None else (self._desks.get(table),)
            changed = [desk for desk in known if desk is not None]
            for desk in changed:
                desk.doubtful = True
            for desk in changed:
                if table is not None or not desk.idle:
                    await self._read_on(desk)

    async def _read_on(self, desk: Desk) -> None:
        try:
            async with desk.lock:
                await self._desks.catch_up(desk)
        except Exception:  # noqa: BLE001 - whoever asks for it next tries again
            desk.doubtful = True
            extra = {"table": desk.table.charter.id}
            _log.exception("could not read what others wrote", extra=extra)

    async def _sweep(self, store: Store) -> None:
        """Go on with tables that wait for a bot or a clock and that nobody attends to."""
        grace = 0
        while True:
            try:
                waiting = await store.due(int(self._clock() * 1_000) - grace)
            except Exception:  # noqa: BLE001 - it is tried again shortly, whatever it was
                _log.exception("could not look for tables that wait")
                waiting = ()
            for table in waiting:
                if table in self._given_up:
                    continue
                await self._resume(table)
            grace = GRACE
            await asyncio.sleep(SWEEP)

    async def _resume(self, table: str) -> None:
        try:
            async with self._desks.taken(table) as desk:
                await self._desks.catch_up(desk)
        except StorageError:
            _log.exception("could not go on with a table", extra={"table": table})
        except OtherRulesError as fault:
            self._give_up(table, str(fault))
        except Exception as fault:  # noqa: BLE001 - other tables must not suffer for this one
            self._give_up(table, f"it is damaged: {type(fault).__name__}: {fault}")
        else:
            self.attend(desk)

    def _give_up(self, table: str, why: str) -> None:
        """Say once why a table stays as it is; it is looked at again by the next server."""
        self._given_up.add(table)
        # A whole id is the way to the table, and a log is no place for that.
        _log.error("could not go on with table %s...: %s", table[:SHOWN], " ".join(why.split()))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            _log.error("could not see to a table", exc_info=fault)
