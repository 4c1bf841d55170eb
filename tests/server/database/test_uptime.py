"""When no server ran."""

import asyncio
from pathlib import Path

import pytest

from mauerwerk.server.database import uptime
from mauerwerk.server.database.connect import file_at, reading_at, transaction_at
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.uptime import SHORTEST, Outage, begin

pytestmark = pytest.mark.anyio


async def test_a_short_break_is_no_outage(store: Store) -> None:
    """It takes more than a few seconds to start a server again."""
    began = 1_000_000
    again = began + SHORTEST
    assert await begin(store, began) == ()
    assert await begin(store, again) == ()
    assert await begin(store, again + SHORTEST + 1) == (Outage(again, again + SHORTEST + 1),)


@pytest.mark.parametrize("way", [lambda place: transaction_at(place, by="test"), reading_at])
def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, way: object) -> None:
    """A misspelt name must not look like an empty server."""
    assert callable(way)
    with pytest.raises(StorageError, match="there is no database"), way(tmp_path / "nowhere"):
        pass

    assert not file_at(tmp_path / "nowhere").exists()


async def test_a_server_that_cannot_note_that_it_runs_says_so_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Until it could meanwhile."""
    beats: list[int] = []

    async def fails_but_the_fourth(*_: object) -> None:
        beats.append(len(beats))
        if len(beats) != 4:
            raise StorageError("the disk is full")

    monkeypatch.setattr(uptime, "BEAT", 0.001)
    beating = uptime.Uptime(store, lambda: 0)
    await beating.begin()
    monkeypatch.setattr(uptime, "beat", fails_but_the_fourth)
    while len(beats) < 7:  # noqa: ASYNC110 - as the server does
        await asyncio.sleep(0.001)
    said = [record.getMessage() for record in caplog.records]
    await beating.end()

    assert said == ["could not note that the server runs"] * 2
