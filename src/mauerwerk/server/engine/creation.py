"""Setting up tables, within the limits of a guest."""

import asyncio
import time
from collections.abc import Callable, Mapping
from weakref import WeakValueDictionary

from mauerwerk.core.game import Seat
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.events import EntriesStored, Events
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.live_tables import LiveTable, LiveTables
from mauerwerk.server.keys import new_seed
from mauerwerk.server.tables import errors, requests
from mauerwerk.server.tables.charter import Chair, Guest, Order, charter_for
from mauerwerk.server.tables.table import Status, Table


class Creation:
    """Creates the tables of a process."""

    def __init__(
        self,
        store: Store,
        live_tables: LiveTables,
        limits: HostLimits,
        events: Events,
        now: Callable[[], int],
    ) -> None:
        """Nothing is set up yet."""
        self._store = store
        self._live_tables = live_tables
        self._limits = limits
        self._events = events
        self._now = now
        self._under_way: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Guests whose tables are being set up."""

    async def create(
        self,
        order: Order,
        sitting: Mapping[Seat, Guest],
        guest: Guest,
        table: str,
        before: str = "",
    ) -> LiveTable:
        """Set up a table with this id. Raises TooManyError, RequestError or OrderError."""
        seed = new_seed()
        charter = charter_for(order, table, seed, self._now(), before=before, opener=guest.id)
        if all(chair.kind == "bot" for chair in charter.chairs):
            self._check_bot_tables(guest)
        made = requests.set_up(charter, seed, sitting)
        # One at a time, or a guest who orders many at once gets more than are allowed.
        async with self._under_way.setdefault(guest.id, asyncio.Lock()):
            await self._check_room(guest)
            began = time.perf_counter()
            card, owners = made.table.card(), made.table.owners
            await self._store.create(charter, seed, made.entries, card, owners)
            self._events.publish(EntriesStored(made.entries, time.perf_counter() - began))
        return self._live_tables.put(made.table, seed)

    async def _check_room(self, guest: Guest) -> None:
        """Refuse a guest who has many tables, or whose tables take up much. Raises both errors."""
        most = self._limits.unfinished_tables
        theirs = await self._store.tables_of(guest.id, before=None, most=2 * most)
        if sum(card.status is not Status.OVER for card in theirs) >= most:
            raise errors.TooManyError(f"you have {most} tables already; finish or leave one first")
        room = self._limits.stored_bytes
        if room and await self._store.stored_by(guest.id) >= room:
            raise errors.RequestError(errors.Reason.NO_ROOM, kilobytes=room // 1024)

    def _check_bot_tables(self, guest: Guest) -> None:
        """Refuse a guest who has opened many tables of bots alone. Raises TooManyError."""
        tables = (live.table for live in self._live_tables)
        running = sum(
            table.charter.opener == guest.id
            and table.status is Status.RUNNING
            and not any(table.owners)
            for table in tables
        )
        if running >= self._limits.bot_tables:
            raise errors.TooManyError(
                f"bots play at {running} of your tables already; wait until one is over"
            )


def same_again(table: Table) -> Order:
    """The order for a table like this one."""
    charter = table.charter
    chairs = tuple(
        Chair("bot", occupant.level) if occupant.level and not occupant.guest else chair
        for chair, occupant in zip(charter.chairs, table.occupants, strict=True)
    )
    return Order(
        game=charter.game,
        chairs=chairs,
        options=charter.options,
        public=charter.public,
        pace=charter.pace,
        tempo=charter.tempo,
        hints=charter.hints,
        moves=charter.moves,
        chance=charter.chance,
        clock=charter.clock,
        delay=charter.delay,
        chat=charter.chat,
        language=charter.language,
        rated=charter.rated,
    )
