"""A drill for the worst day: a backup made while people play is restored, and played on."""

import asyncio
import random
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.hosts import opened, set_up, words_of

from mauerwerk.server.database.backup import Keep, Rotated, back_up_into, restore
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.engine.host import Host
from mauerwerk.server.tables.table import Status, Table

pytestmark = pytest.mark.anyio


async def play_for_ever(host: Host, table: str) -> None:
    """Anything legal, one move after the other."""
    rng = random.Random(table)
    while (seen := await host.table(table)).status is Status.RUNNING:
        seat = seen.deciding[0]
        legal = [seen.game.write(each) for each in seen.game.legal(seen.state, seat)]
        await host.move(table, seat, rng.choice(legal), seen.number(seat), "")


async def backed_up(folder: Path, backups: Path) -> tuple[Rotated, dict[str, str]]:
    """A backup of a server at which four tables are played, and what was played before it began."""
    async with opened(str(folder)) as host:
        tables = [await set_up(host, options={"rounds": "9"}) for _ in range(4)]
        playing = [asyncio.create_task(play_for_ever(host, table)) for table in tables]
        for _ in range(20):
            await asyncio.sleep(0.01)
        before = {table: await words_of(host, table) for table in tables}
        made = await asyncio.to_thread(
            back_up_into, str(folder), backups, Keep(last=1), datetime.now(UTC)
        )
        for task in playing:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*playing)
    return made, before


def is_waiting(table: Table) -> bool:
    """Whether a game goes on, but nobody can decide anything yet."""
    return table.status is Status.RUNNING and not table.deciding


@pytest.mark.slow
async def test_the_drill(place: str, tmp_path: Path) -> None:
    """All that was acknowledged before the backup is there, sound, and goes on."""
    backups = tmp_path / "backups"
    backups.mkdir()
    made, before = await backed_up(tmp_path / "server", backups)
    assert made.tables == 4

    assert restore(made.made, place).tables == 4
    examined = list(examine(place))
    assert len(examined) == 4
    assert not any(each.faults for each in examined)
    went_on = 0
    async with opened(place) as host:
        for table, words in before.items():
            assert (await words_of(host, table)).startswith(words)
            while is_waiting(seen := await host.table(table)):  # noqa: ASYNC110 - as a client
                await asyncio.sleep(0.01)  # nature goes on first
            if seen.status is Status.RUNNING:  # on a slow machine a game may have ended before
                seat = seen.deciding[0]
                word = seen.game.write(seen.game.legal(seen.state, seat)[0])
                await host.move(table, seat, word, seen.number(seat), "after the drill")
                went_on += 1
    assert went_on
    assert not any(each.faults for each in examine(place))
