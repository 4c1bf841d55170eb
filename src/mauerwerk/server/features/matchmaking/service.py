"""Finding a game: somebody who looks joins a table, or opens one for the next who looks.

Who plays for fun plays with bots at once. A person who comes takes over a bot's seat when the next
round begins; where a game has no rounds, in the next game.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.background import BackgroundService
from mauerwerk.server.database.errors import OvertakenError
from mauerwerk.server.engine.events import TableChanged
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.features.lobby import looking
from mauerwerk.server.features.lobby.looking import Arrival, Search
from mauerwerk.server.features.lobby.open_tables import Seek
from mauerwerk.server.features.matchmaking.store import Sent, find_table
from mauerwerk.server.games import room, web_game_at
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables import errors, requests
from mauerwerk.server.tables.charter import Charter, Guest, Order
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Status, Table

_log = logging.getLogger(__name__)

TRIES: Final = 6
"""The number of tables that are tried before somebody is told to come back."""
MOMENT: Final = 0.15
"""Seconds to wait for a table that another server is setting up,"""
MOMENTS: Final = 20
"""and how often: a busy server may take that long."""
PATIENCE: Final = 60_000
"""Milliseconds after which people who wait may start with bots."""


class Matchmaking(BackgroundService):
    """Finds games for people who look for one."""

    def __init__(self, host: Host) -> None:
        super().__init__(_log, "could not seat somebody who came")
        self._host = host

    async def begin(self) -> None:
        """Seat those whose round began while no server ran."""
        for table in await looking.awaited_tables(self._host.store):
            self._seat_soon(table)

    async def find(self, guest: Guest, seek: Seek, order: Callable[[str], Order], game: str) -> str:
        """The id of a table at which the guest has a seat now, or soon; one seat and no more.

        `order` is how a table for this game is set up, where nobody else is looking.
        """
        tried: list[str] = []
        for _ in range(TRIES):
            new = Sent(new_id(), opens=True, game=game)
            sent = await find_table(self._host.store, guest.id, seek, new, tuple(tried))
            if sent.opens:
                with suppress(OvertakenError):  # it was pressed twice, and the other was faster
                    await self._open(sent, guest, order(sent.game), with_bots=seek.fun)
                return sent.table
            if sent.joins_later:
                with suppress(errors.NoTableError):
                    if await self.come(sent.table, guest) is not None:
                        return sent.table
            elif await self._join_soon(sent.table, guest):
                return sent.table
            tried.append(sent.table)
        raise errors.TooManyError("many people are looking for a game; try again in a moment")

    async def _join_soon(self, table: str, guest: Guest) -> bool:
        """Whether the guest got a seat at a table, which may be being set up at this moment."""
        for _ in range(MOMENTS):
            try:
                await self.join(table, guest)
            except errors.NoTableError:
                await asyncio.sleep(MOMENT)
            except errors.RefusedError:  # somebody else took the last seat
                return False
            else:
                return True
        return False

    async def _open(self, sent: Sent, guest: Guest, order: Order, *, with_bots: bool) -> None:
        """Set up a table; with bots the game begins, and people are looked for meanwhile."""
        made = await self._host.create_at(sent.table, order, {Seat(0): guest}, guest)
        if with_bots:
            await self.look(made, guest)

    async def look(self, table: Table, guest: Guest) -> None:
        """Play with bots at the seats for anybody, until people come. Raises RequestError."""
        charter = table.charter
        if not people_may_come(charter):
            raise errors.RequestError(errors.Reason.NO_FREE_SEAT)
        await looking.start_looking(self._host.store, charter.id, guest.id)
        if table.status is Status.OPEN:
            await self.fill(charter.id, room.usual_level(table.game))

    async def join(self, table: str, guest: Guest) -> Receipt:
        """Take an open seat, or keep the one that the guest has."""
        request = requests.Submission(guest.id, frozenset({Kind.SIT}))
        return await self._host.submit(table, request, lambda it: requests.join(it, guest))

    async def fill(self, table: str, level: str) -> Receipt:
        """Let bots have all seats that are still open, so that the game begins."""
        request = requests.Submission("", frozenset({Kind.BOT}))
        return await self._host.submit(table, request, lambda it: requests.fill(it, level))

    # --- Coming to a game that runs ----------------------------------------------------------

    async def come(self, table: str, guest: Guest) -> Seat | None:
        """Let a guest take over a bot's seat at the next round or game; None: none is left."""
        known = await self._host.table(table)
        if guest.id in known.owners:
            return None
        return await looking.come(self._host.store, table, guest)

    async def search_at(self, table: str) -> Search:
        """Who is looked for at a table and who is about to come; seats those whose round began."""
        search = await looking.search_at(self._host.store, table)
        if search.arrivals and await self._seat_arrivals(table, search):
            search = await looking.search_at(self._host.store, table)
        return search

    async def joining(self, table: str) -> Mapping[Seat, Guest]:
        """Who joins in the next game, by the bot's seat that they take over."""
        search = await looking.search_at(self._host.store, table)
        return {each.seat: Guest(each.guest, each.name) for each in search.arrivals}

    def table_changed(self, event: TableChanged) -> None:
        """Seat those who wait for the round that has just begun."""
        table = event.live.table
        if (
            people_may_come(table.charter)
            and table.status is Status.RUNNING
            and begins_round(table)
        ):
            self._seat_soon(table.charter.id)

    def _seat_soon(self, table: str) -> None:
        # If that fails, it is tried again when somebody looks at the table.
        async def seat() -> None:
            await self.search_at(table)

        self._background.begin(seat())

    async def _seat_arrivals(self, table: str, search: Search) -> bool:
        """Whether anybody has sat down, or cannot any more."""
        try:
            known = await self._host.table(table)
        except (errors.NoTableError, errors.OtherRulesError):
            return False
        settled = False
        for each in search.arrivals:
            if known.status is Status.RUNNING and round_began(known, each.since):
                await self._seat(table, each)
                settled = True
        return settled

    async def _seat(self, table: str, arrival: Arrival) -> None:
        """Let somebody have the seat, or another bot's where it is taken. The row then goes."""
        guest = Guest(arrival.guest, arrival.name)
        for seat in (arrival.seat, None):
            try:
                await self._host.sit(table, seat, guest, f"arrival {arrival.since}")
            except errors.RefusedError:
                continue
            break
        await looking.stay_away(self._host.store, table, arrival.guest)


def people_may_come(charter: Charter) -> bool:
    """Whether bots may keep seats at a table like this for people who come later."""
    anybody = any(chair.kind == "open" for chair in charter.chairs)
    return charter.public and not charter.rated and anybody


def begins_round(table: Table) -> bool:
    """Whether another round began with the last decision."""
    rounds = web_game_at(table).rounds
    backwards = range(len(table.plays) - 1, -1, -1)
    decided = next((at for at in backwards if table.plays[at].seat != NATURE), 0)
    if rounds is None or not decided:
        return False
    return rounds(table.state) > rounds(table.before(decided))


def round_began(table: Table, since: int) -> bool:
    """Whether another round has begun since this time."""
    rounds = web_game_at(table).rounds
    if rounds is None:
        return False
    places = enumerate(table.plays, 1)
    last = max((at for at, play in places if table.log[play.seq].entry.at <= since), default=0)
    return rounds(table.state) > rounds(table.before(last))
