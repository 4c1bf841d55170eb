"""How a process applies what its hosts decide, here, by a command or at another server.

Whatever they do is a line of the audit log in the database. Each process looks for new lines every
second and then does its part: it knows new blocks and keys, reads what was written at a table, and
lets go of a table that was deleted.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Final, Self

from mauerwerk.server.engine.blocklist import Blocklist
from mauerwerk.server.engine.events import AccessChanged, AuditLogGrew, NamesChanged
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.live_tables import LiveTable
from mauerwerk.server.features.moderation import store
from mauerwerk.server.features.moderation.state import Action, AuditEntry, Decisions
from mauerwerk.server.keys import Keys
from mauerwerk.server.tables import folding, log, table

_log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two looks at the audit log."""

FAREWELL: Final = 2.0
"""Seconds for which a deleted table is still shown as ended to those who look at it."""

RENAMES: Final = {Action.RENAME, Action.RENAME_TABLE, Action.REWRITE_TABLE, Action.MAINTENANCE}
"""After these, what was told before may have other names in it."""


class Moderation:
    """Applies in this process what the hosts of the server decide."""

    def __init__(self, host: Host) -> None:
        """Nothing is known yet."""
        self._host = host
        self._known = self._applied = Decisions()
        self._looking = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None
        host.events.subscribe(AuditLogGrew, self._after_writing)

    async def __aenter__(self) -> Self:
        """Apply what was decided before, and look for more from now on."""
        self._known = await self._host.store.read(store.decisions)
        self._apply(renamed=False)
        self._following = asyncio.create_task(self._follow())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Look no more."""
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following

    async def _after_writing(self, _event: AuditLogGrew) -> None:
        await self.catch_up()

    def _apply(self, *, renamed: bool) -> None:
        """Let all that is known hold from now on; names may have gone from tables."""
        before, now = self._applied, self._known
        self._applied = now
        self._host.blocklist = Blocklist(now.blocks, self._host.clock)
        self._host.closed = now.closed
        if renamed:
            self._host.events.publish(NamesChanged())
        if before.who_may_enter == now.who_may_enter:
            return  # most of what is done concerns tables alone
        guest_statuses = {each.guest: each for each in now.guest_statuses}
        self._host.keys = Keys(now.secret, now.former, guest_statuses, self._host.clock, now.ended)
        self._host.events.publish(AccessChanged())

    async def _follow(self) -> None:
        failed = False
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.catch_up()
                failed = False
            except Exception:  # noqa: BLE001 - it is tried again shortly, whatever it was
                if not failed:
                    _log.exception("could not look for what the host decided")
                failed = True

    async def catch_up(self) -> None:
        """Apply what was decided since the last look."""
        async with self._looking:
            known = self._known
            expired = known.former and self._host.clock() * 1_000 >= known.former_until
            if not expired and await self._host.store.last_audit_entry() == known.last:
                return
            self._known, entries = await self._host.store.read(
                lambda transaction: (
                    store.decisions(transaction),
                    store.audit_log(transaction, after=known.last),
                )
            )
            renamed = any(entry.action in RENAMES for entry in entries)
            try:
                for entry in reversed(entries):
                    if entry.action is Action.MAINTENANCE:
                        self._host.live_tables.drop_at_rest()
                    elif entry.action.at_table and (live := self._host.live_tables.get(entry.what)):
                        await self._try_to_see(live, entry)
            finally:  # comes last: what is drawn after it shows the tables as they are now
                self._apply(renamed=renamed)

    async def _try_to_see(self, live: LiveTable, entry: AuditEntry) -> None:
        """The same; what cannot be read now is read with the next request to the table."""
        try:
            await self._see(live, entry)
        except Exception:  # noqa: BLE001 - other tables must not suffer for this one
            live.doubtful = True
            _log.exception("could not read what others wrote at table %s...", entry.what[:6])

    async def _see(self, live: LiveTable, entry: AuditEntry) -> None:
        """Tell the viewers of a table what was done there."""
        if entry.action is Action.REWRITE_TABLE:
            async with live.lock:  # what is being written there must be on disk before
                self._host.live_tables.drop(entry.what)  # and read again, without the name
            return
        async with live.lock:
            if entry.action is not Action.DELETE_TABLE:
                await self._host.live_tables.catch_up(live)
            elif live.table.status is table.Status.RUNNING:
                # This is not stored any more, but those who look at it are to know why it is gone.
                gone = log.Entry(live.table.seq, entry.at, log.Kind.END, word=log.Ending.HOST)
                live.advance(folding.after(live.table, gone))
        if entry.action is Action.DELETE_TABLE:
            loop = asyncio.get_running_loop()
            loop.call_later(FAREWELL, self._host.live_tables.drop, entry.what)
        else:
            self._host.attend(live)
