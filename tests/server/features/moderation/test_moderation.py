"""What the people who run a server decide holds at every server on the database, within seconds."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest
from tests.support.driven_table import ADA, BOB
from tests.support.hosts import heard, move, opened, set_up, until
from tests.support.notifications import Clock

from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import reading_at, transaction_at
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked, Blocklist
from mauerwerk.server.engine.events import AccessChanged
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.service import Moderation
from mauerwerk.server.features.moderation.state import Action, AdminError, Report, Subject
from mauerwerk.server.tables.errors import ClosedError, GameOverError, NoTableError
from mauerwerk.server.tables.log import Ending, Kind
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio

NOW = 1_700_000_000_000


async def command(place: str, work: Callable[[Transaction], object]) -> None:
    """What `mauerwerk admin` does beside a running server."""

    def run() -> None:
        with transaction_at(place, by="command") as transaction:
            work(transaction)

    await asyncio.to_thread(run)


async def test_a_table_ends_while_people_play_there(place: str) -> None:
    """They are told that the host ended it; the log stays sound, and moves come too late."""
    async with opened(place) as host:
        table = await set_up(host)
        told = await host.subscribe(table, Seat(0), after=None)
        await command(place, lambda transaction: moderation.end_table(transaction, table, "late"))
        (notice,) = await heard(told, 1)

        assert (notice.kind, notice.ended) == (Kind.END, Ending.HOST)
        with pytest.raises(GameOverError):
            await move(host, table, 0, "T")
        assert (await host.table(table)).status is Status.OVER
    assert [each.faults for each in examine(place)] == [()]


async def test_a_move_that_crosses_with_the_end_is_refused(place: str) -> None:
    """Even before the server has looked: the database knows."""
    async with opened(place) as host:
        table = await set_up(host)
        await command(place, lambda transaction: moderation.end_table(transaction, table))
        with pytest.raises(GameOverError):
            await move(host, table, 0, "T")
        await host.service(Moderation).catch_up()
    assert [each.faults for each in examine(place)] == [()]


async def test_a_deleted_table_is_gone(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who look at it are told that it was ended; then nobody finds it."""
    monkeypatch.setattr("mauerwerk.server.features.moderation.service.FAREWELL", 0.05)
    async with opened(place) as host:
        table = await set_up(host)
        told = await host.subscribe(table, None, after=None)
        await host.store.write(
            "page", lambda transaction: moderation.delete_table(transaction, table)
        )
        assert (await heard(told, 1))[0].kind is Kind.END

        async def is_gone() -> bool:
            try:
                await host.table(table)
            except NoTableError:
                return True
            return False

        await until(is_gone, 10)
        with pytest.raises(AdminError, match="no table"):
            await host.store.write(
                "page", lambda transaction: moderation.delete_table(transaction, table)
            )
    assert list(examine(place)) == []


@pytest.mark.postgres
async def test_all_servers_obey(postgresql_url: str) -> None:
    """A guest who is blocked at one server is blocked at the other within seconds."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(opened(postgresql_url))
        other = await stack.enter_async_context(opened(postgresql_url))
        token = other.keys.guest_token(BOB)
        await one.store.write(
            "api", lambda it: moderation.block(it, Blocked.GUEST, ADA.id, "rude", None)
        )
        await one.store.write("api", lambda it: moderation.log_out(it, BOB.id))

        async def obeys() -> bool:
            return bool(other.blocklist.block_of("", ADA.id)) and other.keys.guest_of(token) is None

        await until(obeys, 5)


async def test_every_action_is_in_the_audit_log(place: str) -> None:
    """Who acted, what was done, to whom, and why; in order."""
    async with opened(place) as host:
        table = await set_up(host)
    with transaction_at(place, by="command", now=NOW) as transaction:
        moderation.block(transaction, Blocked.NETWORK, "192.0.2.0/24", "flood", NOW + 1)
        moderation.unblock(transaction, Blocked.NETWORK, "192.0.2.0/24")
        moderation.end_table(transaction, table, "late")
        moderation.rotate_secret(transaction, 0)
        moderation.close(transaction, closed=True)
    with reading_at(place) as transaction:
        entries = moderation.audit_log(transaction)
    assert [(entry.id, entry.action) for entry in reversed(entries)] == [
        (1, Action.BLOCK),
        (2, Action.UNBLOCK),
        (3, Action.END_TABLE),
        (4, Action.ROTATE),
        (5, Action.CLOSE),
    ]
    assert (entries[-1].by, entries[-1].what) == ("command", "network 192.0.2.0/24")
    assert (entries[2].what, entries[2].detail, entries[2].at) == (table, "late", NOW)


async def test_what_fails_leaves_no_line(place: str) -> None:
    """An action that cannot be done is not in the audit log, and changes nothing."""
    async with opened(place) as host:
        with pytest.raises(AdminError, match="not blocked"):
            await host.store.write(
                "api", lambda it: moderation.unblock(it, Blocked.GUEST, "nobody")
            )
        with pytest.raises(AdminError, match="in the future"):
            await host.store.write(
                "api", lambda it: moderation.block(it, Blocked.GUEST, "ada", "", 1)
            )
        assert await moderation.audit_log(host.store) == ()


async def sits(host: Host, table: str) -> tuple[str, bool]:
    """Who sits at the first seat, and whether a bot plays for them."""
    occupant = (await host.table(table)).occupants[0]
    return occupant.name, bool(occupant.level)


async def test_bots_play_on_for_a_guest_who_is_blocked(place: str, clock: Clock) -> None:
    """The others need not wait. A block ends by itself, and a name can be replaced everywhere."""
    clock.now = time.time()
    async with opened(place, clock=clock) as host:
        table = await set_up(host)
        await host.store.write(
            "page", lambda it: moderation.block(it, Blocked.GUEST, ADA.id, "", it.now + 3_600_000)
        )
        assert await sits(host, table) == ("Ada", True)
        await moderation.rename(host.store, ADA.id, "Mason")
        assert await sits(host, table) == ("Mason", True)
        assert host.blocklist.block_of("", ADA.id)
        clock.pass_by(3_660)
        assert host.blocklist.block_of("", ADA.id) is None


async def test_a_guest_who_is_blocked_does_not_keep_a_game_from_going_on(place: str) -> None:
    """Where others still wait for the game, the seat is free again."""
    async with opened(place) as host:
        table = await set_up(host, letters="hoo", mine=(Seat(0),))
        await host.store.write(
            "page", lambda it: moderation.block(it, Blocked.GUEST, ADA.id, "", None)
        )
        assert (await host.table(table)).owners == ("", "", "")
    assert [each.faults for each in examine(place)] == [()]


async def test_tables_are_locked_in_order(place: str) -> None:
    """As all do who write at several tables, or they would wait for each other."""
    async with opened(place) as host:
        tables = [await set_up(host) for _ in range(6)]
        await host.store.write(
            "page", lambda it: moderation.block(it, Blocked.GUEST, ADA.id, "", None)
        )
    with reading_at(place) as transaction:
        entries = [
            each
            for each in moderation.audit_log(transaction)
            if each.action is Action.SEND_AWAY_TABLE
        ]
    assert [each.what for each in reversed(entries)] == sorted(tables)


async def test_nobody_in_particular_cannot_be_blocked(place: str) -> None:
    """Else all who have no name yet would be."""
    async with opened(place) as host:
        with pytest.raises(AdminError, match="whom"):
            await host.store.write(
                "page", lambda it: moderation.block(it, Blocked.GUEST, "", "", None)
            )
        assert host.blocklist.block_of("192.0.2.1") is None


async def test_a_closed_server_takes_no_new_tables(place: str) -> None:
    """Games that run go on."""
    async with opened(place) as host:
        table = await set_up(host)
        await host.store.write("page", lambda it: moderation.close(it, closed=True))
        with pytest.raises(ClosedError):
            await set_up(host)
        await move(host, table, 0, "T")
        await host.store.write("page", lambda it: moderation.close(it, closed=False))
        await set_up(host)


async def test_a_new_secret_makes_old_links_invalid_or_not(place: str) -> None:
    """With a time of grace they are valid until it ends; without it, never again."""
    async with opened(place) as host:
        table = await set_up(host)
        now = await host.table(table)
        token, link = host.keys.guest_token(ADA), host.keys.seat_token(now, Seat(1))
        await host.store.write("command", lambda it: moderation.rotate_secret(it, 86_400_000))
        assert host.keys.guest_of(token) == ADA
        assert host.keys.behind(token).outdated
        assert not host.keys.behind(host.keys.guest_token(ADA)).outdated
        assert host.keys.seat_of(now, link) == 1
        await host.store.write("command", lambda it: moderation.rotate_secret(it, 0))
        assert host.keys.guest_of(token) is None
        assert host.keys.seat_of(now, link) is None


async def test_hosts_find_tables_guests_and_reports(place: str) -> None:
    """On either database, in the same order."""
    async with opened(place) as host:
        running = await set_up(host)
        waiting = await set_up(host, BOB, "hoo", mine=(Seat(0),))
        report = Report(
            *("r1", NOW, waiting, "mauer", 0, BOB.id, "Bob", Subject.NAME, "", "", ADA.id, "Ada")
        )
        await host.store.write("", lambda transaction: moderation.add_report(transaction, report))

        def found(transaction: Transaction) -> list[list[str]]:
            lists = [
                moderation.tables(transaction, "running"),
                moderation.tables(transaction, "silent"),
                moderation.tables(transaction, guest=BOB.id),
                moderation.tables(transaction, text="ADA"),
                moderation.tables(transaction, text=waiting[:9]),
            ]
            return [[each.card.id for each in tables] for tables in lists]

        assert await host.store.read(found) == [[running], [], [waiting], [running], [waiting]]
        guests = await host.store.read(moderation.guests)
        assert [(each.name, each.tables, each.reports) for each in guests] == [
            ("Bob", 1, 1),
            ("Ada", 1, 0),
        ]
        counts, size = await host.store.read(moderation.totals)
        assert (counts, size > 0) == ({"open": 1, "running": 1}, True)
        assert await host.store.read(moderation.reports) == (report,)
        links = await host.store.read(lambda it: moderation.seat_links(it, running))
        assert host.keys.seat_of(await host.table(running), links[2].token) == 2


async def test_visitors_are_looked_at_again_only_for_a_reason(place: str) -> None:
    """What is done at a table, or to the doors, throws nobody out and forgets no token."""
    async with opened(place) as host:
        called: list[None] = []
        host.events.subscribe(AccessChanged, lambda _: called.append(None))
        keys, table = host.keys, await set_up(host)
        await host.store.write("page", lambda it: moderation.end_table(it, table))
        await host.store.write("page", lambda it: moderation.close(it, closed=True))
        assert (called, host.keys is keys, host.closed) == ([], True, True)
        await host.store.write("page", lambda it: moderation.log_out(it, ADA.id))
        assert (len(called), host.keys is keys) == (1, False)


@pytest.mark.postgres
async def test_a_device_is_signed_out_on_every_server(postgresql_url: str) -> None:
    """And so are all others, if a person logs out everywhere; a new cookie is valid."""
    async with opened(postgresql_url) as first, opened(postgresql_url) as second:
        await store.open_account(first.store, ADA)
        devices = [
            await store.add_device(first.store, ADA.id, "Firefox", phone=False) for _ in range(2)
        ]
        tokens = [first.keys.guest_token(ADA, device) for device in devices]
        await store.end_device(first.store, ADA.id, devices[0])
        await second.service(Moderation).catch_up()
        assert [second.keys.guest_of(token) for token in tokens] == [None, ADA]

        await store.log_out_everywhere(second.store, ADA.id)
        await first.service(Moderation).catch_up()
        assert [first.keys.guest_of(token) for token in tokens] == [None, None]
        assert second.keys.guest_of(first.keys.guest_token(ADA, "new")) == ADA


@pytest.mark.parametrize(
    ("until", "holds"), [(None, True), (1_001, True), (1_000, False), (999, False)]
)
def test_a_block_holds_until_its_end(until: int | None, *, holds: bool) -> None:
    """And no millisecond longer."""
    assert Block(Blocked.GUEST, "ada", "", 0, until).holds(1_000) == holds


def test_a_name_is_blocked_until_the_block_ends(clock: Clock) -> None:
    """Then anybody may have it again."""
    until = int(clock.now * 1_000) + 60_000
    blocklist = Blocklist((Block(Blocked.NAME, "host", "", 0, until),), clock)
    assert blocklist.refuses_name("The Host")
    assert not blocklist.refuses_name("Hostess")
    clock.pass_by(60)
    assert not blocklist.refuses_name("The Host")
