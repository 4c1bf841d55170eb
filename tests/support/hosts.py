"""A house for tests: opened on a store, with people in it, and bots that take no time."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.driven_table import ADA, order

from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.audience import Subscription
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.feature import add_services
from mauerwerk.server.features.registry import FEATURES
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.notices import Notice
from mauerwerk.server.tables.table import Table

SEATS = (Seat(0), Seat(1), Seat(2))
PATIENCE = 120.0
"""Seconds after which something is taken not to happen any more."""


def with_features(host: Host, settings: Settings | None = None) -> Host:
    """A host with the services of all features."""
    add_services(host, settings or Settings(), FEATURES.values())
    return host


@asynccontextmanager
async def opened(
    place: str | Store,
    settings: Settings | None = None,
    **more: Any,  # noqa: ANN401 - as a host takes it
) -> AsyncGenerator[Host, None]:
    """A host that is open, with all features, and closed at the end."""
    store = store_at(place) if isinstance(place, str) else place
    host = with_features(Host(store, **more), settings)
    await host.open()
    try:
        yield host
    finally:
        await host.close()


async def set_up(host: Host, guest: Guest = ADA, letters: str = "hhh", **more: Any) -> str:  # noqa: ANN401
    """A table; the guest sits wherever no bot does, unless told otherwise. Its id."""
    mine = tuple(Seat(seat) for seat, letter in enumerate(letters) if letter != "b")
    more.setdefault("mine", mine)
    table = await host.create(order("mauer", letters, **more), guest)
    return table.charter.id


async def play(host: Host, table: str, words: str) -> Receipt:
    """Moves such as `0:T 1:4 2:-`, each in answer to what is there; the last receipt."""
    receipt = Receipt(0, await host.snapshot(table))
    for word in words.split():
        who, _, what = word.partition(":")
        receipt = await move(host, table, int(who), what)
    return receipt


async def move(host: Host, table: str, seat: int, word: str) -> Receipt:
    """One move, in answer to what is there."""
    number = (await host.table(table)).number(Seat(seat))
    return await host.move(table, Seat(seat), word, number, "")


async def heard(told: Subscription, count: int) -> list[Notice]:
    """The next notices, this many."""
    found: list[Notice] = []
    while len(found) < count:
        batch = await asyncio.wait_for(told.next(), PATIENCE)
        assert batch is not None
        found += batch.notices
    assert len(found) == count
    return found


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = PATIENCE) -> None:
    """Wait for something to come true."""
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110 - nobody would set an event
            await asyncio.sleep(0.02)


async def begun() -> None:
    """Let a request begin, but not be stored."""
    for _ in range(3):
        await asyncio.sleep(0)


async def words_of(host: Host, table: str) -> str:
    """The moves that stand."""
    return " ".join(f"{play.seat}:{play.word}" for play in (await host.table(table)).plays)


async def kept_words(store: Store, table: str) -> str:
    """The moves in the log, as the store has them."""
    log = await store.entries(table, 0)
    assert [entry.seq for entry in log] == list(range(len(log)))
    return " ".join(f"{entry.seat}:{entry.word}" for entry in log if entry.kind == "move")


async def first_word(
    self: BotWorkers, table: Table, seat: Seat, level: str, *, attended: bool
) -> str:
    """A bot that thinks of nothing: it plays its last word, and takes no time."""
    del self, level, attended
    return table.game.write(table.game.legal(table.state, seat)[-1])


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Where one server keeps its tables."""
    return str(tmp_path / "data")


@pytest.fixture
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that need no process, and take no time where nobody watches."""
    monkeypatch.setattr(BotWorkers, "choose", first_word)
    at_once = HostLimits(bot_delay_alone=0)
    monkeypatch.setattr("mauerwerk.server.engine.host.HostLimits", lambda: at_once)
