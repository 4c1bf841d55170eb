"""Finding a game: somebody who looks joins an open table, or opens one for the next who looks."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.server.database.errors import OvertakenError
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.features.lobby.open_tables import Seek
from mauerwerk.server.features.matchmaking.store import Sent, find_table
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.tables.errors import NoTableError, RefusedError, TooManyError
from mauerwerk.server.tables.log import Kind

TRIES: Final = 6
"""The number of tables that are tried before somebody is told to come back."""
MOMENT: Final = 0.15
"""Seconds to wait for a table that another server is setting up."""
PATIENCE: Final = 60_000
"""Milliseconds after which people who wait may start with bots."""


class Matchmaking:
    """Finds games for people who look for one."""

    def __init__(self, host: Host) -> None:
        """Nothing happens yet."""
        self._host = host

    async def find(self, guest: Guest, seek: Seek, order: Callable[[str], Order], game: str) -> str:
        """The id of a table at which the guest has a seat now, one seat and no more.

        `order` is how a table for this game is set up, where nobody else is looking.
        """
        tried: list[str] = []
        for _ in range(TRIES):
            new = Sent(new_id(), opens=True, game=game)
            sent = await find_table(self._host.store, guest.id, seek, new, tuple(tried))
            if sent.opens:
                with suppress(OvertakenError):  # it was pressed twice, and the other was faster
                    await self._host.create_at(
                        sent.table, order(sent.game), {Seat(0): guest}, guest
                    )
                return sent.table
            try:
                await self.join(sent.table, guest)
            except NoTableError:
                await asyncio.sleep(MOMENT)
                with suppress(NoTableError, RefusedError):
                    await self.join(sent.table, guest)
                    return sent.table
            except RefusedError:  # somebody else took the last seat
                pass
            else:
                return sent.table
            tried.append(sent.table)
        raise TooManyError("many people are looking for a game; try again in a moment")

    async def join(self, table: str, guest: Guest) -> Receipt:
        """Take an open seat, or keep the one that the guest has."""
        request = requests.Submission(guest.id, frozenset({Kind.SIT}))
        return await self._host.submit(table, request, lambda it: requests.join(it, guest))

    async def fill(self, table: str, level: str) -> Receipt:
        """Let bots have all seats that are still open, so that the game begins."""
        request = requests.Submission("", frozenset({Kind.BOT}))
        return await self._host.submit(table, request, lambda it: requests.fill(it, level))
