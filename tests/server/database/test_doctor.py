"""Every table that is kept is sound, or the doctor says what is wrong with it."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.support.kept_games import keep_game, keep_short_game, kept

from mauerwerk.games import GAMES
from mauerwerk.server.database import doctor
from mauerwerk.server.database.connect import engine_of, store_at
from mauerwerk.server.database.doctor import DATABASE, Examined, examine, ids
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio


async def test_what_a_server_stores_is_sound(place: str) -> None:
    """Open, running and finished tables of every game pass, while a server runs."""
    store = store_at(place)
    await store.open()
    for game in GAMES:
        await keep_game(store, f"running-{game}", game, most=40)
    over = await keep_short_game(store, "over")
    assert over.status is Status.OVER

    found = list(examine(place))
    assert len(ids(place)) == len(found) == len(GAMES) + 1
    assert [each for each in found if each.faults or each.unknown] == []
    assert {each.table: each.entries for each in found}["over"] == over.seq
    assert (await kept(store, "over")).outcome == over.outcome
    await store.close()


async def test_every_table_is_looked_at(tmp_path: Path) -> None:
    """Tables are checked in the order of their ids."""
    await keep_some(tmp_path, "d", "b", "a", "c")
    assert [each.table for each in examine(tmp_path)] == ["a", "b", "c", "d"]


async def test_a_table_that_cannot_be_read_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the database itself fails at one of them, it is named, and the rest are examined."""
    await keep_some(tmp_path, "a", "b", "c")

    read = doctor.kept

    def read_most(connection: sa.Connection, table: str) -> object:
        if table == "b":
            raise StorageError("a page is torn")
        return read(connection, table)

    monkeypatch.setattr(doctor, "kept", read_most)
    found = {each.table: each.faults for each in examine(tmp_path)}
    assert found == {"a": (), "b": ("cannot be read: a page is torn",), "c": ()}


async def keep_some(folder: Path, *names: str) -> None:
    """Keep a few games, and serve them no longer."""
    store = store_at(folder)
    await store.open()
    for name in names:
        await keep_game(store, name, "mauer", most=5)
    await store.close()


async def keep_finished_game(folder: Path) -> None:
    """Keep a game, and serve it no longer."""
    store = store_at(folder)
    await store.open()
    await keep_short_game(store, "over")
    await store.close()


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game, which is only copied."""
    folder = tmp_path_factory.mktemp("original")
    asyncio.run(keep_finished_game(folder))
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A finished game, and nobody who serves it."""
    return shutil.copytree(original, tmp_path / "data")


def broken(folder: Path, sql: str) -> Examined:
    """What the doctor says once this was done to the database."""
    with engine_of(folder, writing=True).begin() as connection:
        assert connection.exec_driver_sql(sql).rowcount
    (found,) = examine(folder)
    return found


@pytest.mark.parametrize(
    ("sql", "faults"),
    [
        ("DELETE FROM entries WHERE seq = 5", "the log has no entry 5"),
        ("UPDATE tables SET length = length + 1", r"the log has \d+ entries, not \d+"),
        ("UPDATE entries SET seat = 1 - seat WHERE seq = 5", r"does not replay: \w+"),
        ("UPDATE entries SET word = 'x' WHERE seq = 5", "does not replay: NotAWordError: 'x' is"),
        ("UPDATE entries SET kind = 'nap' WHERE seq = 5", "cannot be read: 'nap' is not"),
        ("UPDATE tables SET charter = '{'", "cannot be read: "),
        ("UPDATE tables SET record = 'mauer/1'", "the record is not that of the game$"),
        ("UPDATE tables SET record = NULL", "the record is not that of the game$"),
        (
            "UPDATE tables SET card = replace(card, '\"points\":[', '\"points\":[1')",
            "the card is not what the log leads to: points$",
        ),
        ("UPDATE tables SET status = 'open'", "status is 'open', on the card <Status.OVER"),
        ("UPDATE tables SET public = 0", "public is False, in the charter True$"),
        ("UPDATE owners SET guest = 'dee' WHERE seat = 1", "the owners are not those"),
    ],
)
async def test_what_is_wrong_is_named(folder: Path, sql: str, faults: str) -> None:
    """It finds a gap in the log, an impossible move, a result that was not played for, and more."""
    found = broken(folder, sql)
    assert found.table == "over"
    with pytest.raises(AssertionError, match=faults):
        raise AssertionError("\n".join(found.faults))


async def test_chance_is_drawn_again(folder: Path) -> None:
    """The lot that decides who begins must follow from the seed."""
    found = broken(
        folder,
        "UPDATE entries SET word = CASE word WHEN '@0' THEN '@1' ELSE '@0' END WHERE seat=-1",
    )
    assert found.faults[0].startswith("entry 4: nature played @")
    assert "but the seed says @" in found.faults[0]


async def test_a_seed_must_be_the_one_that_was_shown(folder: Path) -> None:
    """Otherwise everything that was drawn could have been chosen."""
    found = broken(folder, "UPDATE tables SET seed = x'0000'")
    assert "the seed is not the one that the table was shown" in found.faults


async def test_games_by_other_rules_are_no_fault(folder: Path) -> None:
    """They cannot be replayed here, and the report says so."""
    found = broken(
        folder,
        "UPDATE tables SET rules = 99, charter = replace(charter, 'rules\":1', 'rules\":99')",
    )
    assert found.faults == ()
    assert found.unknown == "mauer/99 is not played by this program"


def btrees(file: Path) -> dict[str, int]:
    """The first page of every table and index of a file."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage")
        return dict(rows.fetchall())


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["zeros", "noise"])
async def test_a_damaged_page_is_found_wherever_it_is(folder: Path, damage: str) -> None:
    """Every table and every index is read, even one that no game uses."""
    file = folder / "mauerwerk.db"
    original = file.read_bytes()
    page = int.from_bytes(original[16:18], "big")
    trees = btrees(file)
    assert len(trees) >= 9
    for name, number in trees.items():
        start = (number - 1) * page
        damaged = bytes(page) if damage == "zeros" else random.Random(number).randbytes(page)
        file.write_bytes(original[:start] + damaged + original[start + page :])
        try:
            found = [each for each in examine(folder) if each.faults]
        except StorageError:
            continue  # told in one line
        assert found, name


async def test_what_is_wrong_with_one_table_does_not_hide_others(tmp_path: Path) -> None:
    """Each table is checked separately, and a log without a table is reported."""
    await keep_some(tmp_path, "a", "b", "c")
    with closing(sqlite3.connect(tmp_path / "mauerwerk.db")) as connection:
        connection.execute("DELETE FROM entries WHERE table_id = 'a' AND seq = 2")
        connection.execute("DELETE FROM tables WHERE id = 'b'")
        connection.commit()
    found = {each.table: each.faults for each in examine(tmp_path)}

    assert found["a"][0] == "the log has no entry 2"
    assert found["b"] == ("there is a log, but no table",)
    assert found["c"] == ()
    assert "a row of entries belongs to no row of tables" in found[DATABASE]


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("DELETE FROM server_state", "the secret is missing: no link and no cookie is valid"),
        ("UPDATE server_state SET value = x'00'", "the secret has 1 bytes, not 32"),
    ],
)
async def test_the_secret_is_looked_at(folder: Path, sql: str, fault: str) -> None:
    """All links and cookies depend on the secret."""
    with engine_of(folder, writing=True).begin() as connection:
        connection.exec_driver_sql(sql)
    assert Examined(DATABASE, 0, (fault,)) in list(examine(folder))


async def test_a_database_must_be_there(tmp_path: Path) -> None:
    """Checking does not create a database."""
    with pytest.raises(StorageError, match="there is no database"):
        list(examine(tmp_path / "nowhere"))
    (tmp_path / "mauerwerk.db").touch()
    with pytest.raises(StorageError, match="holds no tables of Mauerwerk"):
        list(examine(tmp_path))
