"""What is kept comes back, on either database."""

import asyncio
import secrets
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from tests.support.rows import OWNERS, SAT, SEED, card, charter, keep_table, moves, play, words_at

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.database import rows
from mauerwerk.server.database.connect import file_at, store_at
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.database.rows import Batch, Stored, change
from mauerwerk.server.database.sqlite import CACHE
from mauerwerk.server.database.store import KEPT_READERS, THREADS, Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.database.writer import Connection
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio


async def names(store: Store, status: Status, before: int | None = None, most: int = 9) -> str:
    """The lobby as one line."""
    return " ".join(card.id for card in await store.lobby(status, before=before, most=most))


# --- Tables and their logs -------------------------------------------------------------------


async def test_a_table_comes_back_as_it_was(store: Store) -> None:
    """Charter, seed and entries come back with every field."""
    await keep_table(store)
    nature = Entry(seq=2, at=1_700, kind=Kind.MOVE, seat=NATURE, word="@1")
    undo = Entry(seq=3, at=2**40, kind=Kind.UNDO, seat=Seat(2), number=2, key="☂")
    await store.put(rows.change("first", (nature, undo), card(), OWNERS, None))

    assert await store.load("first") == Stored(charter(), SEED, (*SAT, nature, undo))


def test_entries_take_up_what_they_say() -> None:
    """A word, a guest and a key are counted by their letters."""
    bare = rows.log_size([Entry(0, 0, Kind.MOVE)])
    full = Entry(0, 0, Kind.SIT, word="Ada", guest="ada-1", key="k" * 7)

    assert rows.log_size([full]) == bare + 3 + 5 + 7
    assert rows.log_size([full, full]) == 2 * rows.log_size([full])


async def test_there_is_no_table_that_was_not_kept(store: Store) -> None:
    """An unknown table has no log and no record."""
    assert await store.load("nowhere") is None
    assert await store.entries("nowhere", 0) == ()
    assert await store.record("nowhere") is None
    assert await store.load("no\0where") is None
    assert await store.record("no\0where") is None


async def test_a_log_is_read_from_any_entry_on(store: Store) -> None:
    """Reading can start at the first entry, in the middle, or behind the last."""
    await keep_table(store)
    await play(store, "first", 2, "T 4 -")

    assert [entry.word for entry in await store.entries("first", 3)] == ["4", "-"]
    assert await store.entries("first", 5) == ()


async def test_what_was_kept_outlasts_the_store(place: str) -> None:
    """Another store at the same place has the tables and the same secret."""
    secrets: list[bytes] = []
    for words in ("T", "4"):
        store = store_at(place)
        await store.open()
        if words == "T":
            await keep_table(store)
        await play(store, "first", len(await store.entries("first", 0)), words)
        secrets.append(await store.secret())
        await store.close()

    assert len(secrets[0]) == 32
    assert secrets[0] == secrets[1]
    store = store_at(place)
    await store.open()
    assert (await words_at(store, "first"))[2:] == ["T", "4"]
    await store.close()


async def test_two_databases_have_two_secrets(tmp_path: Path) -> None:
    """Each database draws its own secret."""
    secrets = set[bytes]()
    for house in ("one", "two"):
        store = store_at(tmp_path / house)
        await store.open()
        secrets.add(await store.secret())
        await store.close()
    assert len(secrets) == 2


# --- Who was faster --------------------------------------------------------------------------


async def test_an_entry_is_written_once(store: Store) -> None:
    """The second writer is overtaken and changes neither the log nor the lobby."""
    await keep_table(store)
    await play(store, "first", 2, "T", changed=3_000)

    with pytest.raises(OvertakenError):
        await play(store, "first", 2, "4 - C", changed=9_000)

    assert await words_at(store, "first") == ["Änn 🧱", "easy", "T"]
    assert [c.changed for c in await store.lobby(Status.RUNNING, before=None, most=9)] == [3_000]


async def test_a_log_has_no_gaps(store: Store) -> None:
    """A writer whose entries would leave a gap is refused too."""
    await keep_table(store)
    with pytest.raises(OvertakenError):
        await play(store, "first", 3, "T")
    assert await words_at(store, "first") == ["Änn 🧱", "easy"]


async def test_an_id_is_given_once(store: Store) -> None:
    """A second table of the same id is refused; the first stays."""
    await keep_table(store)
    with pytest.raises(OvertakenError):
        await store.put(rows.creation(charter(public=False), b"other", (), card(), ()))
    assert await store.load("first") == Stored(charter(), SEED, SAT)


async def test_nothing_is_added_to_a_table_that_is_not_there(store: Store) -> None:
    """This holds even for the first number."""
    with pytest.raises(OvertakenError):
        await play(store, "nowhere", 0, "T")
    assert await store.entries("nowhere", 0) == ()


async def test_one_who_is_overtaken_does_not_hold_up_the_others(store: Store) -> None:
    """Requests are written together, and each gets its own answer."""
    tables = [f"table-{n}" for n in range(20)]
    await asyncio.gather(*(keep_table(store, table) for table in tables))
    answers = await asyncio.gather(
        *(play(store, table, 2, f"{attempt} -") for table in tables for attempt in "AB"),
        play(store, "nowhere", 2, "T"),
        return_exceptions=True,
    )

    overtaken = [isinstance(answer, OvertakenError) for answer in answers]
    assert overtaken == [False, True] * 20 + [True]
    for table in tables:
        assert await words_at(store, table) == ["Änn 🧱", "easy", "A", "-"]


async def test_a_table_can_be_made_and_played_at_in_one_breath(store: Store) -> None:
    """Requests that do not wait for each other are written in their order."""
    await asyncio.gather(
        keep_table(store, "zoo"), play(store, "zoo", 2, "T"), play(store, "zoo", 3, "4 -")
    )
    assert await words_at(store, "zoo") == ["Änn 🧱", "easy", "T", "4", "-"]


async def test_what_cannot_be_kept_harms_nobody_else(store: Store) -> None:
    """A name that is no text is refused, and the requests beside it are written."""
    await keep_table(store)
    await keep_table(store, "second")
    broken = msgspec.structs.replace(moves(2, "T")[0], word="\ud800")
    answers = await asyncio.gather(
        store.put(rows.change("first", (broken,), card(), OWNERS, None)),
        play(store, "second", 2, "T"),
        return_exceptions=True,
    )
    assert isinstance(answers[0], StorageError)
    assert answers[1] is None
    assert await words_at(store, "first") == ["Änn 🧱", "easy"]
    assert await words_at(store, "second") == ["Änn 🧱", "easy", "T"]


async def test_a_cancelled_caller_does_not_take_a_write_back(store: Store) -> None:
    """The entry is written although the caller was cancelled, and so are the next ones."""
    await keep_table(store)
    impatient = asyncio.ensure_future(play(store, "first", 2, "T"))
    await asyncio.sleep(0)
    impatient.cancel()
    await play(store, "first", 3, "4")
    assert (await words_at(store, "first"))[2:] == ["T", "4"]


async def test_a_closed_store_says_so(place: str) -> None:
    """This holds before opening and after closing; closing twice does no harm."""
    store = store_at(place)
    with pytest.raises(StorageError, match="the store is closed"):
        await store.load("first")
    await store.open()
    await store.close()
    await store.close()
    with pytest.raises(StorageError, match="the store is closed"):
        await keep_table(store)


# --- Lists -----------------------------------------------------------------------------------


async def test_the_lobby_shows_what_changed_last_first(store: Store) -> None:
    """It lists public tables of one status; a move brings a table to the front."""
    for name, changed in (("a", 10), ("b", 30), ("c", 20)):
        await keep_table(store, name, changed=changed)
    await keep_table(store, "private", changed=40, public=False)
    assert await names(store, Status.OPEN) == "b c a"

    await play(store, "a", 2, "T", changed=50)
    assert await names(store, Status.OPEN) == "b c"
    assert await names(store, Status.RUNNING) == "a"
    assert await store.count() == {"open": 3, "running": 1, "over": 0}


async def test_the_lobby_comes_page_by_page(store: Store) -> None:
    """No table is left out, and none comes twice."""
    for number in range(7):
        await keep_table(store, f"t{number}", changed=number)

    assert await names(store, Status.OPEN, most=3) == "t6 t5 t4"
    assert await names(store, Status.OPEN, before=4, most=3) == "t3 t2 t1"
    assert await names(store, Status.OPEN, before=1, most=3) == "t0"
    assert await names(store, Status.OPEN, before=0, most=3) == ""
    assert await names(store, Status.OPEN, most=0) == ""
    assert await names(store, Status.OPEN, most=7) == "t6 t5 t4 t3 t2 t1 t0"


async def test_games_that_spectators_see_later_stay_in_their_place(store: Store) -> None:
    """They were all created at 1000, and no move of theirs brings them to the front."""
    for name, changed, late in (("a", 3_000, False), ("b", 4_000, True), ("c", 2_000, False)):
        shown = card(name, changed=changed, status=Status.RUNNING)
        shown = msgspec.structs.replace(shown, late=late, names=(',"late":true', "", ""))
        await store.put(rows.creation(charter(name), SEED, SAT, shown, OWNERS))

    assert await names(store, Status.RUNNING) == "a c b"
    assert await names(store, Status.RUNNING, most=2) == "a c"
    assert await names(store, Status.RUNNING, before=2_000) == "b"
    assert await names(store, Status.RUNNING, before=1_000) == ""


async def test_no_page_ends_within_a_millisecond(store: Store) -> None:
    """Tables that changed together are on one page, or the next page would miss some."""
    for name, changed in (("a", 5), ("b", 5), ("c", 5), ("d", 9), ("e", 1)):
        await keep_table(store, name, changed=changed)

    assert await names(store, Status.OPEN, most=2) == "d c b a"
    assert await names(store, Status.OPEN, before=5, most=2) == "e"


async def test_guests_find_their_tables(store: Store) -> None:
    """Private tables are listed too, newest change first; tables they have left are not."""

    async def of(guest: str, before: int | None = None, most: int = 9) -> str:
        cards = await store.tables_of(guest, before=before, most=most)
        return " ".join(card.id for card in cards)

    await keep_table(store, "a", changed=10, owners=("ann", "bob", ""))
    await keep_table(store, "b", changed=20, owners=("ann", "ann", ""), public=False)
    await keep_table(store, "c", changed=30, owners=("bob", "", ""))
    await keep_table(store, "d", changed=20, owners=("", "ann", "ann"))
    assert await of("ann") == "d b a"
    assert await of("ann", most=1) == "d b"
    assert await of("ann", before=20) == "a"
    assert await of("cid") == await of("") == ""

    await play(store, "a", 2, "T", changed=40)
    assert await of("ann") == "a d b"
    stands = Entry(seq=3, at=9, kind=Kind.STAND, seat=Seat(0))
    await store.put(rows.change("a", (stands,), card("a", changed=50), ("", "bob", ""), None))
    assert await of("ann") == "d b"
    assert await of("bob") == "a c"


async def test_tables_that_are_due(store: Store) -> None:
    """Tables that should have gone on by themselves come first, the most overdue first."""
    for name, due in (("a", 300), ("b", 100), ("c", None), ("d", 200)):
        await keep_table(store, name)
        shown = card(name, status=Status.RUNNING, due=due)
        await store.put(rows.change(name, moves(2, "T"), shown, OWNERS, None))
    assert await store.due(300) == ("b", "d")

    await store.put(rows.change("b", moves(3, "T"), card("b", status=Status.OVER), OWNERS, "="))
    assert await store.due(301) == ("d", "a")


async def test_the_record_is_kept_when_the_game_is_over(store: Store) -> None:
    """Later entries do not remove it; a game that goes on again has no record."""
    await keep_table(store)
    await play(store, "first", 2, "T")
    assert await store.record("first") is None

    over = card(status=Status.OVER)
    await store.put(rows.change("first", moves(3, "4"), over, OWNERS, "mauer/1 …"))
    rematch = Entry(seq=4, at=9, kind=Kind.REMATCH, word="second")
    await store.put(rows.change("first", (rematch,), over, OWNERS, None))
    assert await store.record("first") == "mauer/1 …"

    await play(store, "first", 5, "T")
    assert await store.record("first") is None


# --- Places ----------------------------------------------------------------------------------


def test_a_folder_has_one_file(tmp_path: Path) -> None:
    """The place is a folder, or the file itself, such as a backup."""
    assert file_at(tmp_path) == tmp_path / "mauerwerk.db"
    assert file_at(str(tmp_path / "evening.db")) == tmp_path / "evening.db"
    odd = tmp_path / "evening"
    odd.touch()
    assert file_at(odd) == odd


async def test_what_a_transaction_puts_goes_with_it(store: Store) -> None:
    """If the rest of it fails, nothing of it is written, whatever it did first."""
    await keep_table(store, "first")

    def put_and_fail(transaction: Transaction) -> None:
        transaction.put(change("first", moves(2, "T"), card("first"), OWNERS, None))
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        await store.write("test", put_and_fail)
    assert len(await words_at(store, "first")) == 2


async def test_what_was_begun_is_finished_before_the_store_is_closed(store: Store) -> None:
    """Also if nobody waits for it any more: nothing of the database stays open."""
    begun, finished = threading.Event(), threading.Event()

    def read_slowly(transaction: Transaction) -> None:
        begun.set()
        time.sleep(0.1)
        transaction.log("first")
        finished.set()

    reading = asyncio.create_task(store.read(read_slowly))
    await asyncio.to_thread(begun.wait)
    reading.cancel()
    await store.close()
    assert finished.is_set()
    with pytest.raises(StorageError, match="closed"):
        await store.read(read_slowly)


async def test_readers_keep_their_connections(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening one takes long."""
    await keep_table(store, "first")
    await store.entries("first", 0)
    opened: list[bool] = []
    connect = store._driver.connect  # noqa: SLF001 - where connections come from

    def counted(*, writing: bool) -> Connection:
        opened.append(writing)
        return connect(writing=writing)

    monkeypatch.setattr(store._driver, "connect", counted)  # noqa: SLF001
    for _ in range(5):
        assert len(await store.entries("first", 0)) == 2
    assert opened == []


async def test_what_comes_in_one_step_is_written_in_one_transaction(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first does not go ahead of the others: each transaction waits for the disk."""
    writer = store._writer  # noqa: SLF001 - what goes to the thread
    assert writer is not None
    written: list[int] = []
    commit = writer._commit  # noqa: SLF001 - as above

    def counted(batches: Sequence[Batch]) -> Sequence[Exception | None]:
        written.append(len(batches))
        return commit(batches)

    monkeypatch.setattr(writer, "_commit", counted)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # the thread has a turn whenever it has something to do
    try:
        for _ in range(3):
            names = [secrets.token_hex(4) for _ in range(20)]
            await asyncio.gather(*(keep_table(store, name) for name in names))
    finally:
        sys.setswitchinterval(usual)

    assert written == [20, 20, 20]


async def test_what_is_read_one_by_one_is_read_by_one_connection(store: Store) -> None:
    """Each keeps what it has read: the others, which a busy moment left behind, stay small."""
    together = threading.Barrier(KEPT_READERS)

    def at_once(transaction: Transaction) -> int:
        together.wait(10)
        return connection_of(transaction)

    busy = await asyncio.gather(*(store.read(at_once) for _ in range(KEPT_READERS)))
    assert len(set(busy)) == KEPT_READERS

    assert len({await store.read(connection_of) for _ in range(2 * KEPT_READERS)}) == 1


def connection_of(transaction: Transaction) -> int:
    """The number of the driver's own connection."""
    return id(transaction.connection.connection.dbapi_connection)


async def test_a_connection_keeps_little_of_a_file_at_hand(tmp_path: Path) -> None:
    """Of a large file, several connections would else have the same parts in memory."""
    store = store_at(tmp_path)
    await store.open()
    for ask in (store.read, partial(store.write, "")):
        [(kept,)] = await ask(lambda it: it.connection.exec_driver_sql("PRAGMA cache_size").all())
        assert kept == -CACHE
    await store.close()


async def test_as_many_read_at_once_as_there_are_threads(store: Store) -> None:
    """Nobody waits for a connection that is in use."""
    together = threading.Barrier(THREADS, timeout=60)
    found = await asyncio.gather(
        *(store.read(lambda _: together.wait() >= 0) for _ in range(THREADS))
    )
    assert found == [True] * THREADS
