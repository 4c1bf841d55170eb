"""A copy of everything while play goes on, and back again, from either database to either."""

import asyncio
from pathlib import Path

import pytest
from tests.support.kept_games import keep_short_game
from tests.support.rows import keep_table, play, words_at

from mauerwerk.server.database.backup import back_up, restore
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.database.errors import InUseError, StorageError
from mauerwerk.server.database.store import Store
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio


async def everything(store: Store, *tables: str) -> list[object]:
    """All that a store answers."""
    return [
        await store.secret(),
        await store.count(),
        await store.lobby(Status.OVER, before=None, most=99),
        await store.tables_of("guest-0", before=None, most=99),
        *[await store.load(table) for table in tables],
        *[await store.record(table) for table in tables],
    ]


async def test_a_backup_can_be_served(place: str, tmp_path: Path) -> None:
    """It is a complete database file with the same tables and the same secret."""
    store = store_at(place)
    await store.open()
    await keep_short_game(store, "a")
    await keep_short_game(store, "b")
    before = await everything(store, "a", "b")
    target = tmp_path / "copy" / "mauerwerk.db"
    target.parent.mkdir()

    assert await asyncio.to_thread(back_up, place, target) == 2
    await store.close()
    assert [each.faults for each in examine(target)] == [(), ()]
    copy = store_at(target.parent)
    await copy.open()
    assert await everything(copy, "a", "b") == before
    await copy.close()


async def test_a_backup_goes_into_an_empty_store(place: str, tmp_path: Path) -> None:
    """It can be restored into either database; links stay valid with the secret."""
    source = store_at(tmp_path / "source")
    await source.open()
    await keep_short_game(source, "a")
    before = await everything(source, "a")
    await source.close()

    assert restore(tmp_path / "source", place, as_it_was=True).tables == 1
    store = store_at(place)
    await store.open()
    assert await everything(store, "a") == before
    await store.close()
    with pytest.raises(StorageError, match="there are tables already"):
        restore(tmp_path / "source", place, as_it_was=True)


async def test_a_backup_is_of_one_moment(store: Store, place: str, tmp_path: Path) -> None:
    """While play goes on, every log in the copy is complete."""
    for table in "abcdef":
        await keep_table(store, table)
    going_on = True
    begun: set[str] = set()
    all_have = asyncio.Event()

    async def keep_playing(table: str) -> int:
        seq = 2
        while going_on:
            await play(store, table, seq, "T 4 -")
            seq += 3
            begun.add(table)
            if len(begun) == len("abcdef"):
                all_have.set()
        return seq

    playing = [asyncio.ensure_future(keep_playing(table)) for table in "abcdef"]
    await all_have.wait()
    assert await asyncio.to_thread(back_up, place, tmp_path / "copy.db") == 6
    going_on = False
    lengths = await asyncio.gather(*playing)

    copy = store_at(tmp_path / "copy.db")
    await copy.open()
    for table, length in zip("abcdef", lengths, strict=True):
        words = await words_at(copy, table)
        assert len(words) % 3 == 2
        assert 2 < len(words) <= length
        await play(copy, table, len(words), "T")
    await copy.close()


async def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Neither a backup nor a part of one replaces an existing file."""
    store = store_at(tmp_path)
    await store.open()
    await keep_table(store)
    letter = tmp_path / "letter.db"
    letter.write_text("dear diary")
    with pytest.raises(FileExistsError):
        back_up(tmp_path, letter)
    assert letter.read_text() == "dear diary"
    elsewhere = tmp_path / "disk.db"
    elsewhere.symlink_to(tmp_path / "unplugged" / "disk.db")
    with pytest.raises(FileExistsError):
        back_up(tmp_path, elsewhere)
    assert elsewhere.is_symlink()
    with pytest.raises(StorageError, match="there is no database"):
        back_up(tmp_path / "nowhere", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()

    with pytest.raises(InUseError):
        restore(tmp_path, tmp_path, as_it_was=True)
    assert await words_at(store, "first") == ["Änn 🧱", "easy"]
    await store.close()
