"""Games as a house would have kept them, played by chance."""

import random
from collections.abc import Iterator, Mapping
from functools import partial

from mauerwerk.core.game import Seat
from mauerwerk.server.database import rows
from mauerwerk.server.database.store import Store
from mauerwerk.server.tables.charter import Chair, Charter, Guest, Order, charter_for
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.requests import PendingEntries, set_up
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.transcript import transcript

SEED = bytes(range(32))
GUESTS: Mapping[Seat, Guest] = {
    Seat(seat): Guest(f"guest-{seat}", name) for seat, name in enumerate(("Ann", "Bo", "Cy"))
}
CREATED = 1_000
"""Milliseconds: when every table is set up."""


def charter_of(
    game: str, options: Mapping[str, str], *, name: str = "", seed: bytes = SEED
) -> Charter:
    """A public table for three people."""
    order = Order(game, (Chair("human"),) * 3, dict(options), public=True)
    return charter_for(order, name, seed, at=CREATED)


def by_chance(charter: Charter, seed: bytes, rng: random.Random) -> Iterator[PendingEntries]:
    """What is written of a game: first that three sit down, then each move and nature's answer."""
    pending = set_up(charter, seed, dict(GUESTS))
    yield pending
    while pending.table.waiting:
        table = pending.table
        pending = PendingEntries(table, seed, charter.created + 1_000 * table.seq, f"k{table.seq}")
        seat = rng.choice(table.waiting)
        word = table.game.write(rng.choice(table.game.legal(table.state, seat)))
        pending.write(Kind.MOVE, seat, word=word, keyed=True)
        pending.let_nature_move()
        yield pending


async def keep_game(
    store: Store, name: str, game: str, most: int = 10_000, **options: str
) -> Table:
    """Play a game of three, this many entries or to the end, and keep it move by move."""
    charter = charter_of(game, options, name=name)
    pens = by_chance(charter, SEED, random.Random(name))
    driven = next(pens)
    table = driven.table
    await store.put(rows.creation(charter, SEED, driven.entries, table.card(), table.owners))
    while table.seq < most and (pending := next(pens, None)) is not None:
        table = pending.table
        text = transcript(table, SEED) if table.status is Status.OVER else None
        await store.put(rows.change(name, pending.entries, table.card(), table.owners, text))
    return table


keep_short_game = partial(keep_game, game="mauer", rounds="1", first="lot")
"""A game that ends soon; nature draws who begins."""


async def kept(store: Store, name: str) -> Table:
    """A table as it is kept."""
    stored = await store.load(name)
    assert stored
    return fold(stored.charter, stored.entries)
