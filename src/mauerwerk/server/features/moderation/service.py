"""How a process obeys what the people who run it decide, here, by a command or at another server.

Whatever they do is a line of the audit log in the database. Each process looks for new lines every
second and then does its part: it knows new blocks and keys, reads what was written at a table, and
lets go of a table that was deleted.
"""

import asyncio
import ipaddress
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Final, TypeVar

from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.live_tables import LiveTable, LiveTables
from mauerwerk.server.features.moderation.state import (
    Action,
    AuditEntry,
    Block,
    Blocked,
    Network,
    Rulings,
)
from mauerwerk.server.tables.folding import after
from mauerwerk.server.tables.log import Ending, Entry, Kind
from mauerwerk.server.tables.table import Status

_log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two looks at the audit log."""

FAREWELL: Final = 2.0
"""Seconds for which a deleted table is still shown as ended to those who look at it."""

_CLIENTS: Final = 4_096
"""The number of clients for which it is remembered whether their network is blocked."""

RENAMES: Final = {Action.RENAME, Action.RENAME_TABLE, Action.REWRITE_TABLE, Action.TIDY}
"""After these, what was told before may have other names in it."""

_Made = TypeVar("_Made")


class HostDecisions:
    """What was decided, for quick answers."""

    def __init__(
        self, rulings: Rulings | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        """As of now."""
        self.rulings = rulings or Rulings()
        self._clock = clock
        blocks = self.rulings.blocks
        self._guests = {each.what: each for each in blocks if each.kind is Blocked.GUEST}
        self._networks = tuple(
            (ipaddress.ip_network(each.what), each)
            for each in blocks
            if each.kind is Blocked.NETWORK
        )
        self._around = lru_cache(_CLIENTS)(self._networks_around)

    @property
    def closed(self) -> bool:
        """Whether nobody may open new tables."""
        return self.rulings.closed

    def block_of(self, client: str, guest: str = "") -> Block | None:
        """Why this client or this guest may not use the server; None if they may."""
        if not self.rulings.blocks:
            return None
        theirs = (*self._around(client), self._guests.get(guest))
        now = int(self._clock() * 1_000)
        return next((block for block in theirs if block is not None and block.holds(now)), None)

    def _networks_around(self, client: str) -> tuple[Block, ...]:
        try:
            named = ipaddress.ip_network(client)
        except ValueError:
            return ()
        return tuple(block for network, block in self._networks if _lies_in(named, network))


def _lies_in(client: Network, network: Network) -> bool:
    """Whether the networks overlap: an IPv6 client is a whole /64, of which a part may be named."""
    return client.version == network.version and client.overlaps(network)


class Ruler:
    """Lets this process obey, and act."""

    def __init__(
        self,
        store: Store,
        live_tables: LiveTables,
        attend: Callable[[LiveTable], None],
        obey: Callable[[Rulings, bool], None],
        clock: Callable[[], float],
    ) -> None:
        """`attend` is called with a table that was changed.

        `obey` is called with all that holds now, and whether names may have gone from tables.
        """
        self._store = store
        self._live_tables = live_tables
        self._attend = attend
        self._obey = obey
        self._clock = clock
        self._known = Rulings()
        self._looking = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Obey what was decided before, and look for more from now on."""
        self._known = await self._store.read(Transaction.rulings)
        self._obey(self._known, False)  # noqa: FBT003 - nothing was shown yet
        self._following = asyncio.create_task(self._follow())

    async def end(self) -> None:
        """Look no more."""
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following

    async def act(self, by: str, work: Callable[[Transaction], _Made]) -> _Made:
        """Decide something, which this process obeys at once. Raises RulingError."""
        made = await self._store.write(by, work)
        await self.catch_up()
        return made

    async def look(self, work: Callable[[Transaction], _Made]) -> _Made:
        """Look into the database, without changing anything."""
        return await self._store.read(work)

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
        """Obey what was decided since the last look."""
        async with self._looking:
            known = self._known
            expired = known.former and self._clock() * 1_000 >= known.former_until
            if not expired and await self._store.last_audit_entry() == known.last:
                return
            self._known, entries = await self._store.read(
                lambda transaction: (transaction.rulings(), transaction.audit_log(after=known.last))
            )
            renamed = any(entry.action in RENAMES for entry in entries)
            try:
                for entry in reversed(entries):
                    if entry.action is Action.TIDY:
                        self._live_tables.drop_at_rest()
                    elif entry.action.at_table and (live := self._live_tables.get(entry.what)):
                        await self._try_to_see(live, entry)
            finally:  # comes last: what is drawn after it shows the tables as they are now
                self._obey(self._known, renamed)

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
                self._live_tables.drop(entry.what)  # and read again, without the name
            return
        async with live.lock:
            if entry.action is not Action.DELETE_TABLE:
                await self._live_tables.catch_up(live)
            elif live.table.status is Status.RUNNING:
                # This is not stored any more, but those who look at it are to know why it is gone.
                gone = Entry(live.table.seq, entry.at, Kind.END, word=Ending.HOST)
                live.advance(after(live.table, gone))
        if entry.action is Action.DELETE_TABLE:
            loop = asyncio.get_running_loop()
            loop.call_later(FAREWELL, self._live_tables.drop, entry.what)
        else:
            self._attend(live)
