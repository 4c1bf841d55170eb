"""What is acknowledged is on disk, what is not is not told; and things get well again."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from tests.support.rows import OWNERS, card, keep_table, moves, play, words_at

from mauerwerk.server.database.connect import engine_of, is_url, looking_into, store_at
from mauerwerk.server.database.errors import InUseError, OvertakenError, SchemaError, StorageError
from mauerwerk.server.database.migrations import REVISION, VERSION
from mauerwerk.server.database.postgresql import TOLD_TOGETHER
from mauerwerk.server.database.rows import change
from mauerwerk.server.database.transaction import Transaction

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
INTRANS = psycopg.pq.TransactionStatus.INTRANS
TABLES = ("a", "b", "c")
PATIENCE = 120.0
"""Seconds after which something is taken not to happen any more."""


def started(module: str, *args: str) -> "subprocess.Popen[str]":
    """Another process, whose lines can be read."""
    command = [sys.executable, "-m", f"tests.server.database.{module}", *args]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)  # noqa: S603


async def laid(place: str, *tables: str) -> None:
    """Make tables, and leave."""
    store = store_at(place)
    await store.open()
    for table in tables:
        await keep_table(store, table)
    await store.close()


# --- Death -----------------------------------------------------------------------------------


@pytest.mark.process
async def test_what_was_acknowledged_survives_kill_9(place: str) -> None:
    """Every acknowledged entry is there, and no log has a gap."""
    await laid(place, *TABLES)
    with started("appending", place, "w", "1000000", *TABLES) as process:
        assert process.stdout
        acknowledged = [process.stdout.readline() for _ in range(60)]
        process.kill()
        acknowledged += process.stdout.read().splitlines(keepends=True)

    store = store_at(place)
    await store.open()
    logs = {table: await words_at(store, table) for table in TABLES}
    await store.close()
    whole = [line.split() for line in acknowledged if line.endswith("\n")]
    assert len(whole) >= 60
    assert all(logs[table][int(seq)] == word for table, seq, word in whole)


@pytest.mark.process
async def test_a_full_disk_is_not_acknowledged(tmp_path: Path) -> None:
    """A request then fails with one line; when there is room again, play goes on."""
    pytest.importorskip("resource")
    process = started("filling", str(tmp_path))
    out, _ = process.communicate(timeout=PATIENCE)
    full, readable, again = (line.split() for line in out.splitlines())
    seq = int(full[2])
    assert full == ["full", "0", str(seq)]
    assert readable == ["readable", str(seq)]
    assert again == ["again", str(seq)]
    assert 10 < seq < 1_000

    store = store_at(tmp_path)
    await store.open()
    words = await words_at(store, "first")
    await store.close()
    assert len(words) == seq + 1
    assert words[-1] == "again"


async def test_a_file_that_is_gone_comes_back(tmp_path: Path) -> None:
    """Without its folder nothing is acknowledged; when it is back, everything works."""
    store = store_at(tmp_path / "data")
    await store.open()
    await keep_table(store)
    await store.close()

    away = tmp_path / "away"
    (tmp_path / "data").rename(away)
    (tmp_path / "data").touch()
    with pytest.raises(StorageError) as fault:
        await store.open()
    assert "\n" not in str(fault.value)

    (tmp_path / "data").unlink()
    away.rename(tmp_path / "data")
    await store.open()
    await play(store, "first", 2, "T")
    assert (await words_at(store, "first"))[2:] == ["T"]
    await store.close()


async def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    """One line says so, and the file is not changed."""
    (tmp_path / "mauerwerk.db").write_text("a diary, and a long one\n" * 200)
    with pytest.raises(StorageError, match=r"mauerwerk\.db: file is not a database$"):
        await store_at(tmp_path).open()
    with pytest.raises(StorageError, match=r"mauerwerk\.db: file is"), looking_into(tmp_path):
        pass
    assert (tmp_path / "mauerwerk.db").read_text() == "a diary, and a long one\n" * 200


# --- One file, one server --------------------------------------------------------------------


@pytest.mark.process
async def test_a_second_server_is_refused(tmp_path: Path) -> None:
    """It fails with one line, and may start when the first server has stopped."""
    first, second = store_at(tmp_path), store_at(tmp_path)
    await first.open()
    with pytest.raises(InUseError, match=r"another server has this file$"):
        await second.open()
    other = started("appending", str(tmp_path), "w", "1", "first")
    assert other.communicate()[0] == ""
    assert other.returncode == 1

    await keep_table(first)
    await first.close()
    await second.open()
    await play(second, "first", 2, "T")
    await second.close()


async def test_the_file_is_for_its_owner(tmp_path: Path) -> None:
    """It contains the seeds and the secret; after the server has stopped it is complete."""
    store = store_at(tmp_path)
    await store.open()
    await keep_table(store)
    await store.close()
    assert (tmp_path / "mauerwerk.db").stat().st_mode & 0o077 == 0
    assert sorted(entry.name for entry in os.scandir(tmp_path)) == [
        "mauerwerk.db",
        "mauerwerk.lock",
    ]


# --- Schemas ---------------------------------------------------------------------------------


async def test_a_newer_schema_is_refused(place: str) -> None:
    """One line says so; nothing is changed, and no lock is left."""
    await laid(place, "first")
    with engine_of(place, writing=True).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    for _ in range(2):
        with pytest.raises(SchemaError, match=r"newer Mauerwerk .* has schema 9999"):
            await store_at(place).open()
    with engine_of(place, writing=True).begin() as connection:
        connection.execute(sa.update(VERSION).values(version_num=REVISION))
    store = store_at(place)
    await store.open()
    assert await words_at(store, "first") == ["Änn 🧱", "easy"]
    await store.close()


async def test_half_a_schema_is_none(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a migration fails, the database stays as it was."""

    def no_chance(_: int) -> bytes:
        message = "no chance today"
        raise OSError(1, message)

    store = store_at(place)
    with monkeypatch.context() as patched:
        patched.setattr("mauerwerk.server.database.migrations.secrets.token_bytes", no_chance)
        with pytest.raises(StorageError, match="no chance today"):
            await store.open()
    with engine_of(place).connect() as connection:
        assert sa.inspect(connection).get_table_names() == []
    await laid(place, "first")


# --- PostgreSQL, shared ----------------------------------------------------------------------


async def test_servers_that_start_together_agree(postgresql_url: str) -> None:
    """One of them creates the schema, and there is one secret."""
    stores = [store_at(postgresql_url) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    assert len({await store.secret() for store in stores}) == 1
    await asyncio.gather(*(store.close() for store in stores))


@pytest.mark.process
async def test_two_processes_write_one_log(postgresql_url: str) -> None:
    """Both add to the same tables; each entry is in the log once, where its writer was told.

    Whatever habits the server has.
    """
    name = name_in(postgresql_url)
    with engine_of(postgresql_url).begin() as connection:
        for habit in (
            "default_transaction_isolation TO 'serializable'",
            "synchronous_commit TO off",
        ):
            connection.exec_driver_sql(f"ALTER DATABASE {name} SET {habit}")
    await laid(postgresql_url, *TABLES)
    args = ("25", *TABLES)
    processes = [started("appending", postgresql_url, mark, *args) for mark in "xy"]
    said = [process.communicate(timeout=PATIENCE)[0] for process in processes]
    told = sorted(tuple(line.split()) for line in "\n".join(said).split("\n") if line)

    store = store_at(postgresql_url)
    await store.open()
    kept = [
        (table, str(seq), word)
        for table in TABLES
        for seq, word in enumerate(await words_at(store, table))
        if seq >= 2
    ]
    await store.close()
    assert sorted(kept) == told
    assert len(told) == 2 * 25 * len(TABLES)


async def test_moves_of_many_tables_are_one_statement(postgresql_url: str) -> None:
    """Where another server was faster, its table is left out, and all others are written."""
    pytest.importorskip("psycopg")
    from mauerwerk.server.database.postgresql import PostgreSQLDriver  # noqa: PLC0415 - an extra

    await laid(postgresql_url, *TABLES)
    store = store_at(postgresql_url)
    await store.open()
    await play(store, TABLES[0], 2, "4")
    driver = PostgreSQLDriver(postgresql_url)
    batches = [
        change(table, moves(2, "T -"), card(table, changed=7_000), OWNERS, None)
        for table in (*TABLES, "nowhere")
    ]
    with closing(driver.connect(writing=True)) as connection:
        written = driver.append(connection, batches)
        connection.execute("COMMIT")

    assert all(batch.only_moves for batch in batches)
    assert written == set(TABLES[1:])
    assert [(await words_at(store, table))[2:] for table in TABLES] == [
        ["4"],
        *([["T", "-"]] * (len(TABLES) - 1)),
    ]
    mine = await store.tables_of("ann", before=None, most=99)
    assert {each.id for each in mine if each.changed == 7_000} == written
    await store.close()


async def test_others_hear_of_changes(postgresql_url: str) -> None:
    """Other processes are told after the commit, once per table, but not of their own changes."""
    here, there = store_at(postgresql_url), store_at(postgresql_url)
    await here.open()
    await there.open()
    await keep_table(here, "mine")
    await keep_table(there, "theirs")
    with pytest.raises(OvertakenError):
        await play(there, "mine", 9, "T")
    await play(there, "theirs", 2, "T")
    changes = here.changes()
    assert await asyncio.wait_for(anext(changes), PATIENCE) == "theirs"
    assert (await words_at(here, "theirs"))[2:] == ["T"]
    await play(there, "mine", 2, "T")
    heard: str | None = ""
    while heard != "mine":
        heard = await asyncio.wait_for(anext(changes), PATIENCE)
    await here.close()
    await there.close()


async def test_one_notification_tells_of_many_tables(postgresql_url: str) -> None:
    """What is written together is told together: other servers are woken once, and miss nothing."""
    here, there = store_at(postgresql_url), store_at(postgresql_url)
    await there.open()
    tables = [f"table{number}" for number in range(2 * TOLD_TOGETHER)]
    await asyncio.gather(*(keep_table(there, table) for table in tables))
    await here.open()
    with psycopg.connect(postgresql_url, autocommit=True) as listener:
        listener.execute("LISTEN mauerwerk")
        await asyncio.gather(*(play(there, table, 2, "T") for table in tables))
        notices = list(listener.notifies(timeout=0.5))
    changes = here.changes()
    heard = {await asyncio.wait_for(anext(changes), PATIENCE) for _ in tables}
    await here.close()
    await there.close()

    assert heard == set(tables)
    assert len(notices) < len(tables) / 10


def name_in(url: str) -> str:
    """The name of the database at an address."""
    return url.partition("?")[0].rpartition("/")[2]


async def gone(url: str, server: str, *, away: bool) -> None:
    """Let nobody at a database any more, nor stay; or let them again."""
    name = name_in(url)
    with engine_of(server).begin() as connection:
        connection.exec_driver_sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {not away}")
    with engine_of(server).begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )


async def test_a_database_that_is_gone_comes_back(
    postgresql_url: str, postgresql_server: str
) -> None:
    """Nothing is acknowledged meanwhile; afterwards every table may have changed."""
    here, there = store_at(postgresql_url), store_at(postgresql_url)
    await here.open()
    await there.open()
    await keep_table(here)
    await gone(postgresql_url, postgresql_server, away=True)
    for _ in range(2):
        with pytest.raises(StorageError) as fault:
            await play(here, "first", 2, "T")
        assert "\n" not in str(fault.value)
        with pytest.raises(StorageError):
            await here.load("first")

    await gone(postgresql_url, postgresql_server, away=False)
    await play(there, "first", 2, "T", changed=time.time_ns() // 1_000_000)
    assert await asyncio.wait_for(anext(here.changes()), PATIENCE) is None
    await play(here, "first", 3, "4")
    assert (await words_at(here, "first"))[2:] == ["T", "4"]
    await here.close()
    await there.close()


async def test_a_connection_that_broke_while_nobody_used_it(
    postgresql_url: str, postgresql_server: str
) -> None:
    """It is replaced without an error."""
    store = store_at(postgresql_url)
    await store.open()
    await keep_table(store)
    await words_at(store, "first")
    await store.write("test", lambda transaction: transaction.audit("try", "it", ""))
    for number in (2, 3):
        await gone(postgresql_url, postgresql_server, away=False)
        await play(store, "first", number, "T")
        await store.write("test", lambda transaction: transaction.audit("try", "again", ""))
        assert len(await store.read(lambda transaction: transaction.log("first"))) == number + 1
        assert len(await words_at(store, "first")) == number + 1
        assert await store.last_audit_entry() == number
    await store.close()


async def test_what_a_transaction_wrote_is_on_disk(postgresql_url: str) -> None:
    """Also where the server is used to say so before that."""
    with engine_of(postgresql_url).begin() as connection:
        name = name_in(postgresql_url)
        connection.exec_driver_sql(f"ALTER DATABASE {name} SET synchronous_commit TO off")
    store = store_at(postgresql_url)
    await store.open()
    habit = sa.text("SHOW synchronous_commit")
    assert await store.write("test", lambda it: it.connection.scalar(habit)) == "on"
    await store.close()


async def test_nobody_at_the_address() -> None:
    """The error is one line without the password."""
    url = "postgresql://mauer:geheim@127.0.0.1:1/mauerwerk"
    assert is_url(url)
    store = store_at(url)
    with pytest.raises(StorageError) as fault:
        await store.open()
    assert "\n" not in str(fault.value)
    assert "geheim" not in str(fault.value)


# --- Connections -----------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """All connections of PostgreSQL stores, in the order in which they were opened."""
    found: list[Any] = []
    connect = psycopg.connect

    def noted(*given: Any, **more: Any) -> object:  # noqa: ANN401 - as it takes them
        found.append(connect(*given, **more))
        return found[-1]

    monkeypatch.setattr(psycopg, "connect", noted)
    return found


async def test_a_closed_store_has_closed_its_connections(
    postgresql_url: str, opened: list[Any]
) -> None:
    """Also those that were in use when another one broke; and nothing of it goes on."""
    tasks = asyncio.all_tasks()
    store = store_at(postgresql_url)
    await store.open()
    await keep_table(store)
    reads, broken = threading.Event(), threading.Event()

    def read_slowly(transaction: Transaction) -> None:
        reads.set()
        broken.wait(PATIENCE)
        transaction.log("first")

    reading = asyncio.create_task(store.read(read_slowly))
    await asyncio.to_thread(reads.wait, PATIENCE)
    (slow,) = (each for each in opened if each.info.transaction_status == INTRANS)
    assert len(await words_at(store, "first")) == 2
    (idle,) = (each for each in opened if not each.closed and each not in {slow, opened[1]})
    idle.close()  # as if the database had
    assert len(await words_at(store, "first")) == 2
    broken.set()
    await reading
    await store.write("test", lambda transaction: transaction.audit("try", "it", ""))
    await store.close()

    assert [each.closed for each in opened] == [True] * len(opened)
    assert asyncio.all_tasks() == tasks


async def test_a_store_that_could_not_open_has_closed_its_connections(
    postgresql_url: str, opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it had before it failed."""

    async def refuses(*_: object, **__: object) -> None:
        raise psycopg.OperationalError("too many clients")

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", refuses)
    with pytest.raises(StorageError, match="too many clients"):
        await store_at(postgresql_url).open()

    assert opened
    assert all(each.closed for each in opened)


async def test_a_connection_that_cannot_be_set_up_is_closed(
    postgresql_url: str, opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database may be gone again before it has heard what a writer needs."""

    def refuses(*_: object, **__: object) -> None:
        raise psycopg.OperationalError("terminating connection")

    monkeypatch.setattr(psycopg.Connection, "execute", refuses)
    with pytest.raises(StorageError, match="terminating"):
        await store_at(postgresql_url).open()

    assert [each.closed for each in opened] == [True]
