"""Games as a house would have kept them, played by chance."""

import random
from functools import partial

from mauerwerk.core.game import Seat
from mauerwerk.play.entries import Chair, Kind, Status
from mauerwerk.play.folding import fold
from mauerwerk.play.paper import paper
from mauerwerk.play.requests import Guest, Order, Pen, charter_for, set_up
from mauerwerk.play.store import Store
from mauerwerk.play.table import Table

SEED = bytes(range(32))
GUESTS = {Seat(seat): Guest(f"guest-{seat}", name) for seat, name in enumerate(("Ann", "Bo", "Cy"))}


async def keep_game(
    store: Store, name: str, game: str, most: int = 10_000, **options: str
) -> Table:
    """Play a game of three, so many moves or to the end, and keep it move by move."""
    order = Order(game, (Chair("human"),) * 3, options, public=True)
    charter = charter_for(order, name, SEED, at=1_000)
    pen = set_up(charter, SEED, GUESTS)
    table = pen.table
    await store.create(charter, SEED, pen.entries, table.card(), table.owners)
    choose = random.Random(name).choice
    while table.waiting and table.seq < most:
        pen = Pen(table, SEED, at=2_000 + table.seq, key=f"k{table.seq}")
        seat = choose(table.waiting)
        legal = table.game.legal(table.state, seat)
        pen.write(Kind.MOVE, seat, word=table.game.write(choose(legal)), keyed=True)
        pen.let_nature_move()
        table = pen.table
        text = paper(table, SEED) if table.status is Status.OVER else None
        await store.append(name, pen.entries, table.card(), table.owners, text)
    return table


keep_short_game = partial(keep_game, game="mauer", rounds="1", first="lot")
"""A game that ends soon; nature draws who begins."""


async def kept(store: Store, name: str) -> Table:
    """A table as it is kept."""
    stored = await store.load(name)
    assert stored
    return fold(stored.charter, stored.entries)
