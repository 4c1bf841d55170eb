"""The world of the bystanders, built once, and as it was then for each test."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.server.bystanders.law import Seen, listening, observed
from tests.server.bystanders.world import World, build, restore, stand_still, world_at
from tests.support.notifications import Clock

from mauerwerk.server.http.settings import Settings


class Built(NamedTuple):
    """The world as it was built, what everybody saw then, and where each test has its own."""

    folder: Path
    place: Path
    now: float
    before: Seen

    @asynccontextmanager
    async def opened(self, settings: Settings | None = None) -> AsyncGenerator[World, None]:
        """The world, with everybody at their tables."""
        clock = Clock()
        clock.now = self.now
        with pytest.MonkeyPatch.context() as patch:
            stand_still(patch, clock)
            restore(self.place, self.folder)
            async with world_at(self.place, clock, settings) as world:
                await listening(world)
                yield world


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The world, built once."""
    folder, place = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("world")
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        stand_still(patch, clock)
        asyncio.run(build(folder, clock))
    made = Built(folder, place, clock.now, {})

    async def look() -> Seen:
        async with made.opened() as world:
            return await observed(world)

    return made._replace(before=asyncio.run(look()))
