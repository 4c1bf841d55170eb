"""Games of an evening that are played quickly."""

import random
from typing import Final

from mauerwerk.server.engine.host import Host
from mauerwerk.server.tables.table import Status

QUICK: Final = {"rounds": "1", "first": "0"}
"""Options of Die Mauer with which it does not take long."""


async def played(host: Host, table: str, seed: int = 1) -> None:
    """Play a table to its end, by chance."""
    chance = random.Random(seed)
    while (await host.table(table)).status is Status.RUNNING:
        now = await host.snapshot(table)
        seat = next(each for each in now.table.waiting if each >= 0)
        word = now.table.game.write(chance.choice(now.view(seat).legal))
        await host.move(table, seat, word, now.table.number(seat), "")
