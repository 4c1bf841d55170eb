"""A database is kept small by a policy: nothing that somebody may still want is lost by it."""

import asyncio
from collections import Counter
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from tests.support.kept_games import GUESTS, keep_game, keep_short_game, kept
from tests.support.rows import card, charter, keep_table, play

from mauerwerk.core.game import Seat
from mauerwerk.server.database import rows
from mauerwerk.server.database.connect import looking_into, reading_at, transaction_at
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.database.rows import size_of
from mauerwerk.server.database.schema import DEVICES, ENTRIES, TABLES
from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import store as people
from mauerwerk.server.features.notifications.schedule import NotificationPreferences
from mauerwerk.server.features.notifications.store import (
    Device,
    confirm,
    devices_of,
    preferences_of,
    store_device,
    store_preferences,
)
from mauerwerk.server.features.retention import service
from mauerwerk.server.features.retention import store as retention
from mauerwerk.server.features.retention.store import DAY, DueWork, Gone, Retention, due_work
from mauerwerk.server.keys import Keys
from mauerwerk.server.tables.errors import OtherRulesError
from mauerwerk.server.tables.log import ANONYMOUS, Ending, Entry, Kind
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio

NEVER = Retention(open_days=0, running_days=0, log_days=0, finished_days=0, guest_days=0)


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.thorough]),
    ]
)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be; one test of each round runs on PostgreSQL, the others at night."""
    if request.param == "sqlite":
        return str(tmp_path / "data")
    url: str = request.getfixturevalue("postgresql_url")
    return url


def due(place: str, keep: Retention, days: int) -> DueWork:
    """What a policy says this many days after everything happened."""
    with reading_at(place) as transaction:
        return due_work(transaction, keep, 10_000 + days * DAY)


def maintain(place: str, keep: Retention, days: int) -> Counter[str]:
    """Do it, as a server does."""
    done: Counter[str] = Counter()
    for step in service.steps(due(place, keep, days), keep):
        with transaction_at(place, by="maintenance", now=10_000 + days * DAY) as transaction:
            done[step.kind] += step.work(transaction)
    return done


def sound(place: str) -> bool:
    """Whether the doctor finds nothing."""
    return not any(each.faults for each in examine(place))


async def test_nothing_goes_before_its_time(store: Store, place: str) -> None:
    """Each kind has its own days, and 0 stands for ever."""
    await keep_table(store, "open")
    await keep_short_game(store, "over")
    await keep_short_game(store, "running", most=6)

    assert due(place, Retention(), 13) == DueWork()
    assert due(place, Retention(), 15) == DueWork(expired=("open",))
    later = due(place, Retention(), 400)
    assert (later.abandoned, later.thinned, later.deleted) == (("running",), ("over",), ())
    assert {each.guest for each in later.forgotten} == {"ann", *(g.id for g in GUESTS.values())}
    assert due(place, NEVER, 30_000) == DueWork()


async def test_a_table_that_nobody_joined_is_deleted(store: Store, place: str) -> None:
    """With its log and its owners; once."""
    await keep_table(store, "open")
    assert await asyncio.to_thread(maintain, place, Retention(), 15) == {"expired": 1}
    assert await store.load("open") is None
    assert not await store.tables_of("ann", before=None, most=9)
    assert not await asyncio.to_thread(maintain, place, Retention(), 15)


async def test_a_table_that_has_changed_meanwhile_stays(store: Store, place: str) -> None:
    """Whatever was due when the round began is looked at again."""
    await keep_table(store, "open")
    work = due(place, Retention(), 15)
    (step,) = service.steps(work, Retention())
    await play(store, "open", 2, "T", changed=10_000 + 15 * DAY)
    with transaction_at(place, by="maintenance", now=10_000 + 15 * DAY) as transaction:
        assert not step.work(transaction)
    assert await store.load("open") is not None


async def test_an_abandoned_game_ends_without_a_winner(store: Store, place: str) -> None:
    """What was played remains, with a record."""
    await keep_short_game(store, "running", most=9)
    words = [each.word for each in (await kept(store, "running")).plays]
    keep = Retention(log_days=0, guest_days=0)
    assert await asyncio.to_thread(maintain, place, keep, 91) == {"abandoned": 1}

    table = await kept(store, "running")
    assert (table.status, table.ended) == (Status.OVER, Ending.ABANDONED)
    assert [each.word for each in table.plays] == words
    assert "\n= " not in (await store.record("running") or "\n= ")
    assert sound(place)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("mauer", {"rounds": "1", "first": "lot"}),
        pytest.param("burgbaumeister", {}, marks=pytest.mark.thorough),
    ],
)
async def test_a_thinned_game_reads_as_before(
    store: Store, place: str, game: str, options: dict[str, str]
) -> None:
    """Moves, players, result, record, links and lists are the same; far less is stored."""
    before = await keep_game(store, "over", game, 10_000, **options)
    record, size = await store.record("over"), _size(place, "over")
    keep = Retention(guest_days=0)
    assert await asyncio.to_thread(maintain, place, keep, 31) == {"thinned": 1}

    table = await kept(store, "over")
    assert table.record() == before.record()
    assert (table.card(), table.owners, table.outcome) == (
        before.card(),
        before.owners,
        before.outcome,
    )
    assert await store.record("over") == record
    keys = Keys(bytes(32))
    assert [keys.seat_token(table, Seat(s)) for s in range(3)] == [
        keys.seat_token(before, Seat(s)) for s in range(3)
    ]
    assert [card.id for card in await store.tables_of("guest-0", before=None, most=9)] == ["over"]
    assert _size(place, "over") < size * 2 / 5
    assert sound(place)
    assert not await asyncio.to_thread(maintain, place, keep, 32)


async def test_a_thinned_table_goes_on(store: Store, place: str) -> None:
    """There can be a rematch, and it can be thinned no more."""
    before = await keep_short_game(store, "over")
    await asyncio.to_thread(maintain, place, Retention(guest_days=0), 31)
    with transaction_at(place, by="test") as transaction:
        stored = transaction.load("over")
    assert stored
    log = stored.entries
    assert [each.seq for each in log] == list(range(len(log)))
    table = await kept(store, "over")
    again = table.log[-1].entry.seq + 1
    entry = Entry(again, before.changed, Kind.REMATCH, word="next")
    await store.put(rows.change("over", (entry,), table.card(), table.owners, None))

    assert (await kept(store, "over")).rematch == "next"
    assert sound(place)


async def test_the_doctor_reads_the_record_of_a_thinned_table(store: Store, place: str) -> None:
    """A move that nature did not play is found there, too."""
    await keep_short_game(store, "over")
    await asyncio.to_thread(maintain, place, Retention(guest_days=0), 31)
    record = await store.record("over")
    assert record
    other = record.replace("~:@2", "~:@0") if "~:@2" in record else record.replace("~:@", "~:@1", 1)
    with transaction_at(place, by="test") as transaction:
        transaction.connection.execute(sa.update(TABLES).values(record=other))
    assert not sound(place)


async def test_finished_games_can_be_deleted(store: Store, place: str) -> None:
    """If the policy says so; they are not thinned first."""
    await keep_short_game(store, "over")
    keep = Retention(finished_days=60, guest_days=0)
    assert await asyncio.to_thread(maintain, place, keep, 61) == {"deleted": 1}
    assert await store.load("over") is None


async def test_a_guest_who_never_came_back_is_forgotten(store: Store, place: str) -> None:
    """Their games remain for the others, without the name; nobody else loses anything."""
    await keep_short_game(store, "over")
    assert due(place, Retention(log_days=0), 366).forgotten[0].tables == ("over",)
    assert await asyncio.to_thread(maintain, place, Retention(log_days=0), 366) == {"forgotten": 3}

    table = await kept(store, "over")
    assert [each.name for each in table.occupants] == [ANONYMOUS] * 3
    assert not any(table.owners)
    assert table.outcome is not None
    assert not await store.tables_of("guest-0", before=None, most=9)
    (card,) = await store.lobby(Status.OVER, before=None, most=9)
    assert card.names == (ANONYMOUS,) * 3
    with looking_into(place) as connection:
        rows = connection.execute(sa.select(TABLES, ENTRIES).join(ENTRIES)).all()
    assert "guest-" not in str(rows)
    assert "Ann" not in str(rows).replace(ANONYMOUS, "")
    assert sound(place)
    assert due(place, Retention(log_days=0), 366) == DueWork()


async def test_a_seat_of_a_forgotten_guest_is_not_kept(store: Store, place: str) -> None:
    """Where games are kept for ever, a bot plays on; so something has changed for the others."""
    await keep_short_game(store, "running", most=9)
    keep = msgspec.structs.replace(NEVER, guest_days=365)
    assert await asyncio.to_thread(maintain, place, keep, 366) == {"forgotten": 1}
    table = await kept(store, "running")
    (left,) = [each for each in table.occupants if not each.guest]
    assert left.level
    assert sound(place)


async def test_an_address_goes_with_whoever_has_no_table_left(store: Store, place: str) -> None:
    """Tables that nobody joined are deleted long before; nobody else would ask for it."""

    def leave_traces(transaction: Transaction) -> None:
        wanted = NotificationPreferences("ada", address="ada@post.example")
        confirm(transaction, store_preferences(transaction, wanted, 10_000).proof, 10_000)
        store_device(transaction, "ben", Device("https://push.example", "", ""), 10_000)

    await store.write("", leave_traces)
    assert due(place, Retention(), 364).forgotten == ()
    assert maintain(place, Retention(), 400) == {"forgotten": 2}
    left = await store.read(lambda it: (preferences_of(it, "ada"), devices_of(it, "ben")))
    assert left == (None, {})
    assert due(place, Retention(), 400) == DueWork()


async def test_a_guest_who_came_back_is_not_forgotten(store: Store, place: str) -> None:
    """One new game keeps the name at all the old ones."""
    await keep_short_game(store, "over")
    now = 10_000 + 400 * DAY
    gone = DueWork(forgotten=(Gone("ann", ("old",)),))
    await keep_table(store, "old")
    await keep_table(store, "new", changed=now)
    (step,) = service.steps(gone, Retention())
    with transaction_at(place, by="maintenance", now=now) as transaction:
        assert not step.work(transaction)
    assert "ann" not in {each.guest for each in due(place, Retention(), 400).forgotten}


async def test_a_table_of_unknown_rules_is_not_thinned(store: Store, place: str) -> None:
    """Nobody here could read it again; but it can be ended, and deleted."""
    await keep_short_game(store, "over")
    await keep_short_game(store, "running", most=9)
    with transaction_at(place, by="test") as transaction:
        for table in ("over", "running"):
            _change_rules(transaction, table)
    keep = Retention(guest_days=0)
    with (
        transaction_at(place, by="maintenance", now=10_000 + 31 * DAY) as transaction,
        pytest.raises(OtherRulesError),
    ):
        retention.thin(transaction, "over", keep.log_days)
    with transaction_at(place, by="maintenance", now=10_000 + 91 * DAY) as transaction:
        assert retention.end(transaction, "running", keep.running_days)
        assert not retention.end(transaction, "running", keep.running_days)
    stored = await store.load("running")
    assert stored
    assert (stored.entries[-1].kind, stored.entries[-1].word) == (Kind.END, Ending.ABANDONED)
    assert await store.count() == {"open": 0, "running": 0, "over": 2}
    assert sound(place)


def _change_rules(transaction: Transaction, table: str) -> None:
    """As if another program had set it up."""
    text = transaction.connection.scalar(sa.select(TABLES.c.charter).where(TABLES.c.id == table))
    assert text
    transaction.connection.execute(
        sa.update(TABLES)
        .where(TABLES.c.id == table)
        .values(rules=99, charter=text.replace('"rules":1', '"rules":99'))
    )


async def test_what_a_guest_takes_up_is_known(store: Store, place: str) -> None:
    """It grows with every move, and is what the rows add up to."""
    table = await keep_short_game(store, "over")
    log = [logged.entry for logged in table.log]
    record = await store.record("over")
    assert _size(place, "over") == pytest.approx(
        size_of(table.charter, table.card(), record, log), abs=100
    )
    assert await store.stored_by("ann") == 0
    mine = msgspec.structs.replace(charter("mine"), opener="ann")
    await store.put(rows.creation(mine, bytes(32), (), card("mine"), ("", "", "")))
    assert 300 < await store.stored_by("ann") < 2_000


def _size(place: str, table: str) -> int:
    with looking_into(place) as connection:
        return int(connection.scalar(sa.select(TABLES.c.size).where(TABLES.c.id == table)) or 0)


def test_the_words_of_a_round() -> None:
    """One line for the audit log, and for the command."""
    assert service.summed_up({"expired": 1, "thinned": 2}) == "1 open table deleted, 2 logs thinned"
    assert service.summed_up({}) == ""


async def test_who_looks_in_is_not_forgotten(store: Store) -> None:
    """People who keep their games stay as long as they come by, and go with all they kept."""
    await keep_short_game(store, "over")
    ann = GUESTS[Seat(0)]
    keep_a_year = Retention(open_days=0, running_days=0, log_days=0, guest_days=365)

    def seen(transaction: Transaction, days: int) -> None:
        people.open_account(transaction, ann)
        device = people.add_device(transaction, ann.id, "Firefox", phone=False)
        at = transaction.now - days * DAY
        transaction.connection.execute(
            sa.update(DEVICES).where(DEVICES.c.id == device).values(seen=at)
        )

    def gone(transaction: Transaction) -> list[str]:
        found = due_work(transaction, keep_a_year, transaction.now).forgotten
        return sorted(each.guest for each in found)

    assert ann.id in await store.read(gone)
    await store.write("", lambda transaction: seen(transaction, 400))
    assert ann.id in await store.read(gone)
    await store.write("", lambda transaction: seen(transaction, 4))
    assert ann.id not in await store.read(gone)
    assert not await store.write(
        "", lambda transaction: retention.forget_if_gone(transaction, "over", ann.id, 365)
    )
