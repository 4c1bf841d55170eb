"""When no server ran, so that nobody's clock runs meanwhile.

Every server notes a few times a minute that it runs. When one begins and none was seen for a while,
that was an outage. A table whose clocks ran then gets it back with the next entry of its log.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.server.background import Background
from mauerwerk.server.database.queries import command
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.tables.table import Table

_log = logging.getLogger(__name__)

BEAT: Final = 5.0
"""Seconds between two notes that a server runs."""

ALIVE: Final = "alive"
OUTAGES: Final = "outages"
"""The names of settings: when a server was last seen, and when none was."""

SHORTEST: Final = 15_000
"""Milliseconds without a server from which on clocks stood still."""

REMEMBERED: Final = 200
"""How many outages are remembered, the last ones."""


class Outage(Value, tag=False):
    """A while in which no server ran, in milliseconds since 1970."""

    since: int
    until: int


@command(by="policy")
def begin(transaction: Transaction, now: int) -> tuple[Outage, ...]:
    """A server begins at that time: all outages so far, among them the one that ends now."""
    known = transaction.state(OUTAGES) or b"[]"
    outages = msgspec.json.decode(known, type=tuple[Outage, ...])
    alive = int.from_bytes(transaction.state(ALIVE))
    if alive and now - alive > SHORTEST:
        outages = (*outages, Outage(alive, now))[-REMEMBERED:]
        transaction.set_state(OUTAGES, msgspec.json.encode(outages))
    beat(transaction, now)
    return outages


@command(by="policy")
def beat(transaction: Transaction, now: int) -> None:
    """A server runs at that time."""
    last = int.from_bytes(transaction.state(ALIVE))
    transaction.set_state(ALIVE, max(now, last).to_bytes(8))


class Uptime:
    """The outages of all servers of a store, as one process knows them."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        """Nothing is known yet; `now` says the time in milliseconds since 1970."""
        self._store = store
        self._now = now
        self._outages: tuple[Outage, ...] = ()
        self._began = False
        self._background = Background(_log, "could not note that the server runs")

    async def begin(self) -> None:
        """Find out how long no server ran, and note from now on that one does."""
        self._outages = await begin(self._store, self._now())
        self._background.repeat(self._beat, BEAT, first=BEAT)
        self._began = True

    async def end(self) -> None:
        """This server stops now."""
        await self._background.end()
        if self._began:
            with suppress(Exception):
                await beat(self._store, self._now())

    def missed(self, table: Table) -> int:
        """The milliseconds without a server since the last entry of a table's log."""
        last = table.log[-1].entry.at if table.log else 0
        return sum(
            each.until - max(each.since, last) for each in self._outages if each.until > last
        )

    async def _beat(self) -> None:
        await beat(self._store, self._now())
