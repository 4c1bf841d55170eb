"""People are notified when it is their turn: once, in time, and not when they have seen it."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial

import msgspec
import pytest
import sqlalchemy as sa
from tests.support.driven_table import ADA
from tests.support.hosts import PATIENCE, folder, opened, play, set_up
from tests.support.notifications import (
    ALWAYS,
    BY_MAIL,
    CHANNELS,
    PHONE,
    TABLET,
    Clock,
    Postbox,
    notify,
    notifying,
    states,
    table_of_two,
    wants_notifications,
)

from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications import service
from mauerwerk.server.features.notifications.schedule import (
    NotificationPreferences,
    Pace,
    when_to_notify,
)
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.notifications.store import (
    AGAIN,
    LEASE,
    OUTBOX,
    SERVICES,
    TURNS,
    Attempt,
    Device,
    Lane,
    OutboxItem,
    Result,
    State,
    claim,
    confirm,
    fill_outbox,
    mark_sent,
    preferences_of,
    put_item,
    record_results,
    store_device,
    store_preferences,
)
from mauerwerk.server.tables.charter import Guest

pytestmark = pytest.mark.anyio

__all__ = ["folder"]  # pytest finds a fixture by its name


async def test_a_turn_is_notified_once(place: str, clock: Clock, postbox: Postbox) -> None:
    """After a moment of grace, and then not again, however often a server looks."""
    async with notifying(place, clock, postbox) as host:
        await wants_notifications(host)
        table = await table_of_two(host)
        await notify(host)
        assert postbox.tables == []

        clock.pass_by(11)
        for _ in range(3):
            await notify(host)
        assert postbox.tables == [(table,)]
        assert postbox.sent[0].device == PHONE
        assert await states(host) == {"sent": 1}


async def test_players_who_have_looked_are_not_notified(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """Neither before the message is made nor before it is sent; a later turn is notified again."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host)
        table = await table_of_two(host)
        await notify(host)
        await host.service(Notifications).see(ADA.id, table)
        clock.pass_by(60)
        await notify(host)
        assert postbox.sent == []

        clock.pass_by(60)
        await play(host, table, "0:- 1:- 2:-")
        clock.pass_by(60)
        await notify(host)
        assert postbox.tables == [(table,)]


async def test_looking_is_noted_only_where_one_sits(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """Or anybody could fill the database with tables that they name."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host)
        table = await table_of_two(host)
        await notify(host)
        for each in (table, table, "another", "x" * 9_000):
            await host.service(Notifications).see(ADA.id, each)
        noted = sa.select(TURNS.c.table_id)
        assert await host.store.read(lambda it: [*it.connection.scalars(noted)]) == [table]


async def test_two_tables_are_one_message(folder: str, clock: Clock, postbox: Postbox) -> None:
    """Turns that are due together come together, and go to each device."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, None, PHONE, TABLET)
        tables = {await table_of_two(host), await table_of_two(host)}
        clock.pass_by(11)
        await notify(host)

        assert [set(each) for each in postbox.tables] == [tables, tables]
        assert {each.device for each in postbox.sent} == {PHONE, TABLET}


async def test_quiet_hours(folder: str, clock: Clock, postbox: Postbox) -> None:
    """What came in the night arrives as one message after it, by the clock on the wall there."""
    async with notifying(folder, clock, postbox) as host:
        zone = NotificationPreferences(ADA.id, zone="Europe/Rome")  # quiet from 22:00 to 7:30
        await wants_notifications(host, zone)
        clock.set("2026-11-16 21:30")
        first = await table_of_two(host)
        clock.set("2026-11-17 03:00")
        second = await table_of_two(host)
        for time in ("2026-11-17 03:01", "2026-11-17 06:29"):
            clock.set(time)
            await notify(host)
            assert postbox.sent == []

        clock.set("2026-11-17 06:30")
        await notify(host)
        assert {*postbox.tables[0]} == {first, second}
        assert len(postbox.sent) == 1


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        ("2026-10-25 01:10", "2026-10-25 01:30"),  # the second 2:10, after clocks were put back
        ("2026-10-25 00:10", "2026-10-25 00:30"),
        ("2026-03-29 00:50", "2026-03-29 01:30"),  # there is no 2:30 in that night
    ],
)
def test_quiet_hours_end_also_when_clocks_are_changed(clock: Clock, now: str, ends: str) -> None:
    """On the day itself, and not a day later."""
    wanted = NotificationPreferences(
        ADA.id, quiet_from=22 * 60, quiet_to=2 * 60 + 30, zone="Europe/Rome"
    )
    clock.set(now)
    at = int(clock() * 1_000)
    clock.set(ends)
    assert when_to_notify(wanted, at - 60_000, at) == int(clock() * 1_000)


async def test_once_a_day(folder: str, clock: Clock, postbox: Postbox) -> None:
    """At six in the evening, all in one."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, msgspec.structs.replace(ALWAYS, pace=Pace.DAILY))
        await table_of_two(host)
        clock.set("2026-11-16 17:59")
        await notify(host)
        assert postbox.sent == []
        clock.set("2026-11-16 18:00")
        await notify(host)
        assert len(postbox.sent) == 1


async def test_a_game_over_days(place: str, clock: Clock, postbox: Postbox) -> None:
    """The server is replaced in the night: nothing is sent twice, and nothing is forgotten."""
    async with notifying(place, clock, postbox) as host:
        await wants_notifications(host, NotificationPreferences(ADA.id))  # quiet from 22:00 to 7:30
        table = await table_of_two(host)
        clock.pass_by(60)
        await notify(host)
        assert postbox.tables == [(table,)]
        clock.set("2026-11-16 20:00")
        await host.service(Notifications).see(ADA.id, table)
        await play(host, table, "0:- 1:-")
        clock.set("2026-11-16 23:00")
        await play(host, table, "2:-")  # nobody looks for turns before the server stops
    clock.set("2026-11-17 04:00")
    async with notifying(place, clock, postbox) as host:
        await notify(host)
        assert len(postbox.sent) == 1
    async with notifying(place, clock, postbox) as host:
        clock.set("2026-11-17 07:31")
        await notify(host)
        await notify(host)
        assert postbox.tables == [(table,), (table,)]


async def test_what_fails_is_tried_again(folder: str, clock: Clock, postbox: Postbox) -> None:
    """Later and later, and not for ever; a turn that is over meanwhile is not notified any more."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host)
        table = await table_of_two(host)
        postbox.result = Result.LATER
        clock.pass_by(11)
        await notify(host)
        for wait in AGAIN:
            clock.pass_by(wait / 1_000 - 1)
            await notify(host)
            before = len(postbox.sent)
            clock.pass_by(2)
            await notify(host)
            assert len(postbox.sent) == before + 1
        assert await states(host) == {State.FAILED: 1}

        await play(host, table, "0:- 1:- 2:-")
        clock.pass_by(11)
        await notify(host)
        sent = len(postbox.sent)
        await play(host, table, "0:-")
        clock.pass_by(AGAIN[0] / 1_000 + 1)
        await notify(host)
        assert len(postbox.sent) == sent
        assert (await states(host))[State.MOOT] == 1


async def test_what_is_tried_again_keeps_the_quiet_hours(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """It was made before them and could not be sent; it waits for the morning."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, NotificationPreferences(ADA.id))  # quiet from 22:00 to 7:30
        clock.set("2026-11-16 21:58")
        await table_of_two(host)
        postbox.result = Result.LATER
        clock.set("2026-11-16 21:59")
        await notify(host)
        assert len(postbox.sent) == 1
        for time in ("2026-11-16 22:01", "2026-11-17 03:00", "2026-11-17 07:29"):
            clock.set(time)
            await notify(host)
            assert len(postbox.sent) == 1, time
        clock.set("2026-11-17 07:30")
        await notify(host)
        assert len(postbox.sent) == 2


async def test_who_wants_no_more_calls_gets_none(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """Also none that waits to be tried again."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host)
        await table_of_two(host)
        postbox.result = Result.LATER
        clock.pass_by(11)
        await notify(host)
        await wants_notifications(host, msgspec.structs.replace(ALWAYS, pace=Pace.NEVER))
        clock.pass_by(AGAIN[0] / 1_000 + 1)
        await notify(host)
        assert len(postbox.sent) == 1
        assert await states(host) == {State.MOOT: 1}


async def test_nobody_who_moves_waits_for_all_calls(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """Many people are notified at six in the evening: a few in each transaction."""
    async with notifying(folder, clock, postbox) as host:
        due = {"asked": 0, "due": 0, "seen": 0, "table_id": "x"}

        def three(transaction: Transaction) -> None:
            rows = [{"guest": guest, **due} for guest in "abc"]
            transaction.connection.execute(sa.insert(TURNS), rows)

        await host.store.write("", three)
        left = sa.select(sa.func.count()).where(TURNS.c.due.is_not(None))
        for more, waiting in ((True, 1), (False, 0)):
            work = partial(fill_outbox, channels=CHANNELS, now=host.now(), most=2)
            assert await host.store.write("", work) is more
            assert await host.store.read(lambda it: it.connection.scalar(left)) == waiting


async def test_first_tries_go_before_others(folder: str, clock: Clock, postbox: Postbox) -> None:
    """Somebody whose devices never answer does not hold up everybody else."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, BY_MAIL)
        clock.pass_by(60)

        def two(transaction: Transaction) -> list[int]:
            transaction.connection.execute(sa.update(OUTBOX).values(attempts=3))
            put_item(transaction, ADA.id, "confirm", "ada@post.example", (), host.now())
            return [each.attempt for each in claim(transaction, Lane(CHANNELS, 9), 1, host.now())]

        assert await host.store.write("", two) == [1]


# --- Services that do not answer -------------------------------------------------------------


class Services(Postbox):
    """Takes messages; some services keep them until the test says how it went."""

    def __init__(self) -> None:
        """All answer at once."""
        super().__init__()
        self.slow: Callable[[OutboxItem], bool] = lambda _: False
        self.waiting: list[asyncio.Future[Result]] = []

    async def __call__(self, item: OutboxItem) -> Result:
        """Take a message."""
        if not self.slow(item):
            return await super().__call__(item)
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.waiting.append(answer)
        return await answer

    def give_up(self, result: Result = Result.SILENT) -> None:
        """What services have kept until now went like this."""
        for each in self.waiting:
            each.set_result(result)
        self.waiting.clear()


async def look_often(host: Host, services: Services, times: int = 20) -> None:
    """Let the server look, and send what it can; what is kept waits on."""
    for _ in range(times):
        await host.service(Notifications).look()
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        while len(host.service(Notifications)._sending) > len(services.waiting):  # noqa: ASYNC110, SLF001
            await asyncio.sleep(0.001)


async def crowd(host: Host, number: int, endpoint: Callable[[int, int], str]) -> None:
    """Others have to move too, each with eight devices."""
    for each in range(number):
        guest = Guest(f"crowd{each}", "Crowd")
        wanted = msgspec.structs.replace(ALWAYS, guest=guest.id)
        await store_preferences(host.store, wanted, host.now())
        for device in range(8):
            at = Device(endpoint(each, device), "key", "auth")
            await store_device(host.store, guest.id, at, host.now())
        await set_up(host, guest, "hhh")


def of_ada(item: OutboxItem) -> bool:
    return item.preferences.guest == ADA.id


@pytest.mark.parametrize("address", ["https://slow.example/{}/{}", "https://s{}-{}.example/"])
async def test_services_that_do_not_answer_hold_up_nobody_else(
    folder: str, clock: Clock, address: str
) -> None:
    """Whether many devices have one silent service, or each has its own; ours is as new."""
    services = Services()
    services.slow = lambda item: not of_ada(item)
    async with notifying(folder, clock, services) as host:
        await crowd(host, 5, address.format)
        await wants_notifications(host)
        await table_of_two(host)
        clock.pass_by(11)
        await look_often(host, services)
        assert [of_ada(item) for item in services.sent] == [True]
        assert len(services.waiting) <= 32
        services.give_up()
        await host.service(Notifications).finish()


@pytest.mark.slow
async def test_a_silent_service_waits_alone(folder: str, clock: Clock) -> None:
    """One message at a time tries it, later and later; messages for it fail together in the end."""
    services = Services()
    services.slow = lambda item: item.service == "slow.example:443"
    async with notifying(folder, clock, services) as host:
        await crowd(host, 3, "https://slow.example/{}/{}".format)
        clock.pass_by(11)
        tried = [0]
        for pause in (*AGAIN, 0):
            await look_often(host, services)
            tried.append(len(services.waiting))
            services.give_up()
            await host.service(Notifications).finish()
            await look_often(host, services)
            assert services.waiting == []  # not before the pause is over
            clock.pass_by(pause / 1_000 + 1)
        assert tried[1:] == [2] * (len(AGAIN) + 1)
        assert await states(host) == {State.FAILED: 24}


async def test_a_service_that_answers_again_is_used_again(folder: str, clock: Clock) -> None:
    """What waited for it goes out, and new messages do not wait."""
    services = Services()
    services.slow = lambda _: True
    async with notifying(folder, clock, services) as host:
        await wants_notifications(host)
        await table_of_two(host)
        clock.pass_by(11)
        await look_often(host, services)
        services.give_up()
        await host.service(Notifications).finish()
        services.slow = lambda _: False
        await table_of_two(host)
        clock.pass_by(11)
        await look_often(host, services)
        assert services.sent == []
        clock.pass_by(60)
        await look_often(host, services)
        assert len(services.sent) == 1
        assert len(services.sent[0].turns) == 2
        await table_of_two(host)
        clock.pass_by(11)
        await look_often(host, services)
        assert len(services.sent) == 2


async def test_a_service_that_answers_late_keeps_to_the_places_of_new_ones(
    folder: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is never silent, and would otherwise have most places of those that answer at once."""
    monkeypatch.setattr(service, "QUICK", -1.0)
    services = Services()
    async with notifying(folder, clock, services) as host:
        await wants_notifications(host)
        await table_of_two(host)
        clock.pass_by(11)
        await look_often(host, services)
        answered = sa.select(SERVICES.c.answered, SERVICES.c.failures)
        assert await host.store.read(lambda it: [*it.execute(answered)]) == [(None, 0)]
        monkeypatch.undo()
        await table_of_two(host)
        clock.pass_by(11)
        await look_often(host, services)
        now = host.now()
        assert await host.store.read(lambda it: [*it.execute(answered)]) == [(now, 0)]
        assert len(services.sent) == 2


@pytest.mark.slow
async def test_nobody_has_all_places_of_services_that_answer(folder: str, clock: Clock) -> None:
    """One person has two, and one service has eight."""
    services = Services()
    async with notifying(folder, clock, services) as host:
        await crowd(host, 8, "https://push.example/{}/{}".format)
        clock.pass_by(11)
        async with asyncio.timeout(60):
            while len(services.sent) < 64:  # then the service is proven
                await look_often(host, services, 1)
        services.slow = lambda _: True
        for each in range(8):
            await set_up(host, Guest(f"crowd{each}", "Crowd"), "hhh")
        clock.pass_by(11)
        await look_often(host, services)
        assert len(services.waiting) == 8
        busy = [item for _, item in host.service(Notifications)._sending.values()]  # noqa: SLF001
        assert max(Counter(item.preferences.guest for item in busy).values()) <= 2
        services.give_up(Result.SENT)
        services.slow = lambda _: False
        await host.service(Notifications).finish()


@pytest.mark.parametrize("handed", [False, True])
async def test_a_server_that_is_killed_while_it_sends(
    place: str, clock: Clock, postbox: Postbox, *, handed: bool
) -> None:
    """All goes out again; only an e-mail that may have been handed over does not."""
    async with notifying(place, clock, postbox) as host:
        await wants_notifications(host, BY_MAIL, PHONE)
        proof = await preferences_of(host.store, ADA.id)
        assert proof is not None
        await notify(host)
        assert [item.channel for item in postbox.sent] == ["confirm"]
        await confirm(host.store, proof.proof, host.now())
        await table_of_two(host)
        clock.pass_by(11)

        async def killed(item: OutboxItem) -> Result:
            if handed and item.channel == "email":
                assert await mark_sent(host.store, item=item, now=host.now())
            begun.release()
            await asyncio.Event().wait()
            return Result.SENT

        begun = asyncio.Semaphore(0)
        host.service(Notifications).deliver = killed
        await host.service(Notifications).look()
        for _ in range(2):
            await begun.acquire()
        for task in tuple(host.service(Notifications)._sending):  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            task.cancel()
        await host.service(Notifications).finish()
        host.service(Notifications).deliver = postbox
        clock.pass_by(LEASE / 1_000 + 1)
        await notify(host)
        again = ["push"] if handed else ["email", "push"]
        assert sorted(item.channel for item in postbox.sent) == ["confirm", *again]
        assert (await states(host)).get(State.UNKNOWN, 0) == handed


async def test_who_lost_the_claim_does_not_send(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """A server that was too slow hands nothing over once another has the message."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, BY_MAIL)
        mail = frozenset({"confirm"})
        claimed = [
            await claim(host.store, Lane(mail, 9), most=9, now=now)
            for now in (host.now(), host.now() + LEASE + 1)
        ]
        (first,), (second,) = claimed
        assert first.id == second.id
        assert not await mark_sent(host.store, first, 1)
        assert await mark_sent(host.store, second, 1)
        late = await record_results(host.store, [Attempt(first, Result.LATER)], host.now())
        assert late == [State.MOOT]
        assert await states(host) == {State.HANDING: 1}


async def test_who_looks_while_an_e_mail_is_on_its_way_gets_none(
    folder: str, clock: Clock, postbox: Postbox
) -> None:
    """The mail server is asked last of all whether it is still of any use."""
    async with notifying(folder, clock, postbox) as host:
        await wants_notifications(host, BY_MAIL)
        await notify(host)
        kept = postbox.sent[0].preferences
        await confirm(host.store, kept.proof, host.now())
        table = await table_of_two(host)
        clock.pass_by(11)

        async def slow(item: OutboxItem) -> Result:
            await host.service(Notifications).see(ADA.id, table)
            handed = await mark_sent(host.store, item=item, now=host.now())
            assert not handed
            return Result.MOOT

        host.service(Notifications).deliver = slow
        await notify(host)
        assert (await states(host))[State.MOOT] >= 1


@pytest.mark.postgres
async def test_two_servers_send_one_message(
    postgresql_url: str, clock: Clock, postbox: Postbox
) -> None:
    """Whoever looks first claims it, also where both look at the same moment."""
    async with (
        notifying(postgresql_url, clock, postbox) as one,
        notifying(postgresql_url, clock, postbox) as other,
    ):
        await wants_notifications(one)
        tables = [await table_of_two(one) for _ in range(3)]
        await notify(other)
        for number in range(1, 6):
            clock.pass_by(60)
            await asyncio.gather(
                *(host.service(Notifications).look() for host in (one, other, one, other))
            )
            await one.service(Notifications).finish()
            await other.service(Notifications).finish()
            assert len(postbox.sent) == number
            for table in tables:
                await play(one, table, "0:- 1:- 2:-")


@pytest.mark.postgres
async def test_who_looks_at_a_server_that_sends_nothing_is_not_called(
    postgresql_url: str, clock: Clock, postbox: Postbox
) -> None:
    """Servers of one database may have other settings; each notes who has looked."""
    async with (
        notifying(postgresql_url, clock, postbox) as one,
        opened(postgresql_url, clock=clock) as other,
    ):
        await wants_notifications(one)
        table = await table_of_two(one)
        await other.service(Notifications).load_subscribers()
        await other.service(Notifications).see(ADA.id, table)
        clock.pass_by(60)
        await notify(one)
        assert postbox.sent == []
