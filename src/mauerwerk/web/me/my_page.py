"""A visitor's own page: games that run, and settings."""

import math
import time
from typing import Final

from mauerwerk.games import GAMES
from mauerwerk.play.tables.entries import Status
from mauerwerk.web.http.replies import Reply
from mauerwerk.web.me.sections import SECTIONS
from mauerwerk.web.pages.table_lines import TableLine, line_of
from mauerwerk.web.pages.visitor import Visitor

ICONS: Final = ("i-pen", "i-key")

MOST: Final = 50
"""The most tables among which those are looked for that run."""


async def show(visitor: Visitor) -> Reply:
    """The page of the guest; without one, how to become one."""
    if visitor.guest is None:
        return visitor.paint("me/nobody.html")
    running = await running_games(visitor)
    sections = [(each.template, await each.gather(visitor, visitor.guest)) for each in SECTIONS]
    return visitor.paint(
        "me/my_page.html",
        running=running,
        sections=sections,
        symbols=(
            *ICONS,
            *(symbol for each in SECTIONS for symbol in each.symbols),
            *dict.fromkeys(line.box.thumb for line in running),
        ),
    )


async def running_games(visitor: Visitor) -> list[TableLine]:
    """The games that wait for somebody: first for the reader, then for others, by time left."""
    guest, host = visitor.guest, visitor.call.host
    if guest is None:
        return []
    cards = [
        card
        for card in await host.tables_of(guest, before=None, most=MOST)
        if card.status is not Status.OVER and card.game in GAMES
    ]
    seats = await host.seats_of(guest, cards)
    now = int(time.time() * 1_000)
    lines = [
        line_of(card, seats.get(card.id, ()), now, visitor.language, others=True) for card in cards
    ]
    return sorted(lines, key=lambda line: (not line.mine, line.due or math.inf))
