"""A house: what is asked of its tables is stored, then told, and goes on after a restart."""

import asyncio
import random
import time
from collections import Counter

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, LEVEL, bytes_of, order, refused
from tests.support.hosts import (
    SEATS,
    begun,
    folder,
    heard,
    kept_words,
    move,
    opened,
    play,
    quick_bots,
    set_up,
    until,
    words_of,
)

from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import Seat
from mauerwerk.lab.workers.jobs import AsyncWorkers
from mauerwerk.play.host.host import Host
from mauerwerk.play.host.limits import HostLimits
from mauerwerk.play.tables import limits
from mauerwerk.play.tables.entries import Kind, Status
from mauerwerk.play.tables.errors import (
    KeyReusedError,
    LaggingError,
    NoTableError,
    RequestError,
    TooManyError,
)
from mauerwerk.web.api.table_messages import notice_messages, view_message

pytestmark = pytest.mark.anyio
__all__ = ["folder", "quick_bots"]

STALLS = {"rounds": "1", "stall": "1"}
OVER = "0:- 1:- 2:-"


# --- Requests --------------------------------------------------------------------------------


async def test_a_receipt_has_the_number_of_the_notice(folder: str) -> None:
    """When the receipt comes, the entry is in the log and is told under that number."""
    async with opened(folder) as host:
        table = await set_up(host)
        told = await host.subscribe(table, Seat(0), after=None)
        receipt = await play(host, table, "0:T")

        assert await kept_words(host.store, table) == "0:T"
        (notice,) = await heard(told, 1)
        assert (notice.number, notice.kind) == (receipt.number, Kind.MOVE)
        assert (await host.snapshot(table)).view(Seat(0)).number == receipt.number


async def test_nobody_finds_a_table_that_is_not_there(folder: str) -> None:
    """Every request about an unknown table is refused."""
    async with opened(folder) as host:
        for request in (
            host.table("none"),
            host.record("none"),
            host.sit("none", None, ADA),
            host.move("none", Seat(0), "T", 0, ""),
            host.subscribe("none", None, after=0),
            host.rematch("none", ADA),
        ):
            with pytest.raises(NoTableError):
                await request


async def test_a_request_that_comes_twice_is_done_once(place: str) -> None:
    """Repeated at once, later or after a restart, it gets the same answer."""
    async with opened(place) as host:
        table = await set_up(host)
        number = (await host.table(table)).number(Seat(0))
        receipts = await asyncio.gather(
            *(host.move(table, Seat(0), "T", number, "k") for _ in range(5))
        )
        await play(host, table, "1:4")
        receipts.append(await host.move(table, Seat(0), "T", number, "k"))
        with pytest.raises(KeyReusedError):
            await host.move(table, Seat(0), "4", number, "k")
    async with opened(place) as host:
        receipts.append(await host.move(table, Seat(0), "T", number, "k"))

        assert len({receipt.number for receipt in receipts}) == 1
        assert await words_of(host, table) == "0:T 1:4"


async def test_of_many_moves_at_once_one_counts(place: str) -> None:
    """One move counts, and all others are stale."""
    async with opened(place) as host:
        table = await set_up(host)
        await play(host, table, "0:T 1:4 2:4")
        number = (await host.table(table)).number(Seat(0))
        answers = await asyncio.gather(
            *(host.move(table, Seat(0), ">", number, f"k{each}") for each in range(20)),
            return_exceptions=True,
        )

        assert Counter(type(answer).__name__ for answer in answers) == {
            "Receipt": 1,
            "StaleError": 19,
        }
        assert (await kept_words(host.store, table)).count(">") == 1


async def test_a_move_is_made_even_if_the_client_leaves(folder: str) -> None:
    """If the client hangs up before the answer, the move is stored and told all the same."""
    async with opened(folder) as host:
        table = await set_up(host)
        told = await host.subscribe(table, Seat(1), after=None)
        number = (await host.table(table)).number(Seat(0))
        asking = asyncio.create_task(host.move(table, Seat(0), "T", number, ""))
        await begun()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

        assert await words_of(host, table) == "0:T"
        batch = await told.next()
        assert batch is not None
        assert [notice.kind for notice in batch.notices] == [Kind.MOVE]


async def test_a_guest_has_only_so_many_tables(folder: str) -> None:
    """Finished tables do not count."""
    async with opened(folder, limits=HostLimits(unfinished_tables=2)) as host:
        over = await set_up(host, options=STALLS)
        await play(host, over, OVER)
        await set_up(host)
        await set_up(host)
        with pytest.raises(TooManyError):
            await set_up(host)
        await set_up(host, BOB)


async def test_a_guest_has_only_so_many_tables_of_bots(folder: str) -> None:
    """They would keep the processes of all other bots busy."""
    async with opened(folder, limits=HostLimits(bot_tables=2)) as host:
        for _ in range(2):
            await set_up(host, letters="bbb")
        with pytest.raises(TooManyError, match="bots play at 2 of your tables"):
            await set_up(host, letters="bbb")
        await set_up(host, letters="bbh")


async def test_ordering_many_tables_at_once_gives_no_more(folder: str) -> None:
    """The limit is checked for one after the other."""
    async with opened(folder, limits=HostLimits(unfinished_tables=2)) as host:
        orders = [set_up(host) for _ in range(12)]
        made = await asyncio.gather(*orders, return_exceptions=True)

    assert sum(not isinstance(each, TooManyError) for each in made) == 2


# --- Streams ---------------------------------------------------------------------------------


async def test_streams_have_no_gaps_and_no_repeats(place: str) -> None:
    """This holds however often a viewer leaves and comes back."""
    async with opened(place) as host:
        table = await set_up(host, options={"rounds": "1"})
        rng = random.Random(3)
        collected: dict[Seat | None, list[bytes]] = {viewer: [] for viewer in (None, *SEATS)}
        now = await host.table(table)
        while now.status is Status.RUNNING:
            told = {
                viewer: await host.subscribe(table, viewer, after=len(notices))
                for viewer, notices in collected.items()
                if rng.random() < 0.7
            }
            for _ in range(rng.randrange(1, 6)):
                now = await host.table(table)
                if not now.waiting:
                    break
                seat = rng.choice(now.waiting)
                legal = (await host.snapshot(table)).view(seat).legal
                await move(host, table, seat, now.game.write(rng.choice(legal)))
            for viewer, subscription in told.items():
                missing = (await host.table(table)).number(viewer) - len(collected[viewer])
                collected[viewer] += map(bytes_of, await heard(subscription, missing))
                subscription.close()
            now = await host.table(table)
        for viewer, notices in collected.items():
            last = (await host.snapshot(table)).story(viewer, after=len(notices))
            story = (await host.snapshot(table)).story(viewer)
            assert [*notices, *map(bytes_of, last)] == list(map(bytes_of, story))
        assert host.streams() == 0


async def test_a_slow_viewer_is_cut_off(folder: str) -> None:
    """A slow viewer can come back for the rest, and nobody waits for them."""
    async with opened(folder) as host:
        table = await set_up(host, options={"rounds": "10"})
        slow = await host.subscribe(table, Seat(0), after=None)
        begun = (await host.table(table)).number(Seat(0))
        await play(host, table, "0:T")
        for each in range(HostLimits().unread_notices):
            await play(host, table, "0:C" if each % 2 else "0:6")
        assert host.streams() == 0

        with pytest.raises(LaggingError):
            await slow.next()
        again = await host.subscribe(table, Seat(0), after=begun)
        rest = await heard(again, HostLimits().unread_notices + 1)
        assert [notice.number for notice in rest] == list(
            range(begun + 1, begun + HostLimits().unread_notices + 2)
        )


async def test_all_streams_end_when_the_host_is_closed(folder: str) -> None:
    """Viewers are disconnected, so that they come back later or elsewhere."""
    async with opened(folder) as host:
        table = await set_up(host)
        told = await host.subscribe(table, None, after=None)
    assert await told.next() is None


async def test_seats_with_a_viewer_are_present(folder: str) -> None:
    """Seats with a viewer are present; spectators are not counted."""
    async with opened(folder) as host:
        table = await set_up(host)
        await host.subscribe(table, None, after=None)
        told = await host.subscribe(table, Seat(1), after=None)
        assert (await host.snapshot(table)).present == (1,)
        told.close()
        assert (await host.snapshot(table)).present == ()


# --- Seats -----------------------------------------------------------------------------------


async def test_people_come_and_go(folder: str) -> None:
    """They take an open seat, come by a link, or leave their seat to a bot."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hoh", mine=(Seat(0),))
        await host.sit(table, None, BOB, "k")
        assert (await host.sit(table, None, BOB, "k")).number == 2
        await host.stand(table, Seat(1))
        await host.sit(table, Seat(1), BOB)
        await host.claim(table, Seat(2), CLEO)
        assert (await host.table(table)).status is Status.RUNNING

        await host.hand_over(table, Seat(1), LEVEL)
        await host.come_back(table, Seat(1))

        kinds = [notice.kind for notice in (await host.snapshot(table)).story(None)]
        assert kinds == ["sit", "sit", "stand", "sit", "sit", "start", "away", "back"]
        assert [card.id for card in await host.tables_of(BOB, before=None, most=9)] == [table]


@pytest.mark.rule("DM-27")
@pytest.mark.usefixtures("quick_bots")
async def test_bots_whom_everybody_has_left_do_not_play_for_ever(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a game that need not end, bots on their own stop after very many moves."""
    monkeypatch.setattr(limits, "MOST_MOVES", 20)
    async with opened(folder) as host:
        table = await set_up(host, letters="hbb", options={"stall": "off"})
        await host.stand(table, Seat(0))

        async def stopped() -> bool:
            return limits.is_too_long(await host.table(table))

        await until(stopped)
        await asyncio.sleep(0.1)
        left = await host.table(table)

        assert left.status is Status.RUNNING
        assert len(left.plays) < 20 + len(SEATS)  # who was thinking then may still play


async def test_a_seat_has_a_new_link_once_it_is_another_s(folder: str) -> None:
    """The owner's link stays valid on any device and after a restart."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hhh", mine=(Seat(0),))
        before = host.keys.seat_token(await host.table(table), Seat(1))
        await host.claim(table, Seat(1), BOB)
        now = await host.table(table)
        after = host.keys.seat_token(now, Seat(1))

        assert host.keys.seat_of(now, before) is None
        assert host.keys.seat_of(now, after) == 1
        await host.claim(table, Seat(1), BOB)
    async with opened(folder) as host:
        assert host.keys.seat_of(await host.table(table), after) == 1


# --- Bots and clocks -------------------------------------------------------------------------


@pytest.mark.process
async def test_bots_play_at_their_tempo(folder: str) -> None:
    """Real bots in their own process play slowly enough to follow."""
    async with opened(folder) as host:
        table = await set_up(host, letters="hbb", tempo=300)
        await play(host, table, "0:T")
        told = await host.subscribe(table, Seat(0), after=None)
        moved = await heard(told, 2)

        assert {notice.seat for notice in moved} == {1, 2}
        started, *_, last = (logged.entry.at for logged in (await host.table(table)).log)
        assert last - started >= 290


@pytest.mark.usefixtures("quick_bots")
async def test_bots_alone_play_a_whole_game(folder: str) -> None:
    """Four bots finish a game, and its record is stored."""
    async with opened(folder) as host:
        table = await set_up(host, letters="bbb", options=STALLS)

        async def over() -> bool:
            return (await host.table(table)).status is Status.OVER

        await until(over)
        assert "# fair seed=" in await host.record(table)


@pytest.mark.usefixtures("quick_bots")
async def test_when_time_is_up_a_bot_plays(folder: str) -> None:
    """A bot plays until the owner is back; seats that had already chosen are left alone."""
    async with opened(folder) as host:
        table = await set_up(host, pace=1)
        await play(host, table, "0:T")
        began = time.monotonic()

        async def chosen() -> bool:
            return len((await host.table(table)).plays) >= 3

        await until(chosen)
        assert time.monotonic() - began > 0.5
        kinds = [
            (notice.kind, notice.seat)
            for notice in (await host.snapshot(table)).story(None)
            if notice.kind is Kind.AWAY
        ]
        assert kinds[:2] == [(Kind.AWAY, 1), (Kind.AWAY, 2)]
        await host.come_back(table, Seat(1))
        assert (await host.table(table)).occupants[1].person


@pytest.mark.usefixtures("quick_bots")
async def test_a_table_goes_on_after_a_restart(place: str) -> None:
    """Bots and clocks resume where they were."""
    async with opened(place) as host:
        with_bots = await set_up(host, letters="hbb", tempo=1_000)
        await play(host, with_bots, "0:T")
        with_clock = await set_up(host, pace=60)
        before = await everything(host, with_bots, with_clock)
    later = time.time() + 61
    async with opened(place, clock=lambda: later) as host:
        assert await everything(host, with_bots, with_clock) == before

        async def both_went_on() -> bool:
            clocks = (await host.table(with_clock)).occupants
            plays = (await host.table(with_bots)).plays
            return len(plays) >= 3 and all(occupant.level for occupant in clocks)

        await until(both_went_on)


async def everything(host: Host, *tables: str) -> list[bytes]:
    """All that anybody can see at these tables."""
    return [
        bytes_of((view_message(at, viewer), notice_messages(at.table.game, at.story(viewer))))
        for at in [await host.snapshot(table) for table in tables]
        for viewer in (None, *SEATS)
    ]


async def test_hints_are_for_the_seat_that_decides(folder: str) -> None:
    """A seat gets hints when it has to decide, at tables that allow them."""
    async with opened(folder) as host:
        plain = await set_up(host, hints=False)
        with refused(RequestError, "without hints"):
            await host.hints(await host.table(plain), Seat(0))
        table = await set_up(host)
        await play(host, table, "0:T")
        with refused(RequestError, "nothing to decide"):
            await host.hints(await host.table(table), Seat(0))


async def test_advice_that_does_not_come_is_no_fault(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the bots take too long or have died, one can ask again."""

    async def takes_too_long(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(AsyncWorkers, "run", takes_too_long)
    async with opened(folder) as host:
        table = await set_up(host)
        with pytest.raises(TooManyError, match="ask again"):
            await host.hints(await host.table(table), Seat(0))


# --- Afterwards ------------------------------------------------------------------------------


async def test_the_record_comes_at_the_end(folder: str) -> None:
    """The record contains the seed, so it is not given out before the end."""
    async with opened(folder) as host:
        table = await set_up(host, options=STALLS)
        with refused(RequestError, "when the game is over"):
            await host.record(table)
        await play(host, table, OVER)

        assert "= 0:" in await host.record(table)
        with pytest.raises(StaleMoveError):
            await play(host, table, "0:T")


async def test_a_rematch_is_one_table_for_all(place: str) -> None:
    """The same people have the same seats and can begin at once."""
    async with opened(place) as host:
        table = await set_up(host, letters="hoh", mine=(Seat(0),), options=STALLS)
        await host.sit(table, None, BOB)
        await host.claim(table, Seat(2), CLEO)
        with refused(RequestError, "after the game"):
            await host.rematch(table, ADA)
        await play(host, table, OVER)

        asked = (ADA, BOB, CLEO, BOB)
        (again,) = set(await asyncio.gather(*(host.rematch(table, guest) for guest in asked)))

        new = await host.table(again)
        assert [occupant.guest for occupant in new.occupants] == ["ada", "bob", "cleo"]
        assert (new.status, new.charter.before) == (Status.RUNNING, table)
        assert (await host.snapshot(table)).view(None).rematch == again
        last = (await host.snapshot(table)).story(Seat(1))[-1]
        assert (last.kind, last.table) == (Kind.REMATCH, again)
        assert await host.rematch(table, CLEO) == again


async def test_the_lobby_shows_public_tables(folder: str) -> None:
    """The lobby lists them by status."""
    async with opened(folder) as host:
        await set_up(host, public=True, mine=(Seat(0),))
        running = await set_up(host, public=True)
        await set_up(host)

        shown = await host.lobby(Status.RUNNING, before=None, most=9)

        assert [card.id for card in shown] == [running]
        assert len(await host.lobby(Status.OPEN, before=None, most=9)) == 1


async def test_what_cannot_be_played_leaves_no_table(folder: str) -> None:
    """An order is checked before anything is stored."""
    async with opened(folder) as host:
        with pytest.raises(ValueError, match="seats"):
            await host.create(order(letters="hh", public=True), ADA)
        assert await host.store.count() == {"open": 0, "running": 0, "over": 0}
