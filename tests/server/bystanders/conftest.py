"""The world of the bystanders, built once, and as it was then for each test."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest
from tests.server.bystanders.law import Seen, listening, observed
from tests.server.bystanders.world import World, build, restore, stand_still, world_at
from tests.support.notifications import Clock

from mauerwerk.server.database import backup


class Built(NamedTuple):
    """The world as it was built, what everybody saw then, and where each test has its own."""

    place: str | Path
    renew: Callable[[], None]
    """Have the world there as it was built."""

    now: float
    before: Seen = MappingProxyType({})

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[World, None]:
        """The world, with everybody at their tables."""
        clock = Clock()
        clock.now = self.now
        with pytest.MonkeyPatch.context() as patch:
            stand_still(patch, clock)
            self.renew()
            async with world_at(self.place, clock) as world:
                await listening(world)
                yield world

    def looked_at(self) -> "Built":
        """The same, with what everybody sees."""

        async def look() -> Seen:
            async with self.opened() as world:
                return await observed(world)

        return self._replace(before=asyncio.run(look()))


class Folder(NamedTuple):
    """Where the world was built, and when that was done."""

    path: Path
    now: float


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The world, built once."""
    path = tmp_path_factory.mktemp("built")
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        stand_still(patch, clock)
        asyncio.run(build(path, clock))
    return Folder(path, clock.now)


@pytest.fixture(scope="session")
def built(folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The world in a file."""
    place = tmp_path_factory.mktemp("world")
    return Built(place, partial(restore, place, folder.path), folder.now).looked_at()


@pytest.fixture(scope="session")
def built_on_postgresql(folder: Folder, postgresql_server: str) -> Iterator[Built]:
    """The same world on PostgreSQL, where a backup of it was restored."""
    psycopg = pytest.importorskip("psycopg")
    kept, name = (f"t{secrets.token_hex(6)}" for _ in range(2))

    def say(*statements: str) -> None:
        with psycopg.connect(postgresql_server, autocommit=True) as connection:
            for each in statements:
                connection.execute(each)

    def place(database: str) -> str:
        return postgresql_server.replace("/postgres?", f"/{database}?")

    drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
    say(f"CREATE DATABASE {kept}")
    assert backup.restore(folder.path, place(kept), as_it_was=True).tables
    renew = partial(say, drop, f"CREATE DATABASE {name} TEMPLATE {kept}")
    yield Built(place(name), renew, folder.now).looked_at()
    say(drop, f"DROP DATABASE {kept}")
