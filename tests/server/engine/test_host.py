"""A host: what is asked of its tables is done once, stored, and then told."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tests.support.driven_table import ADA, BOB, CLEO, order, refused
from tests.support.hosts import begun, folder, heard, kept_words, opened, play, set_up, words_of

from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.tables.errors import (
    KeyReusedError,
    NoTableError,
    OrderError,
    RequestError,
    TooManyError,
)
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Status

pytestmark = pytest.mark.anyio
__all__ = ["folder"]

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


async def test_only_ones_own_tables_of_bots_alone_count(folder: str) -> None:
    """Neither those of others, nor those where people play or may still sit down."""
    async with opened(folder, limits=HostLimits(bot_tables=2)) as host:
        for _ in range(2):
            await set_up(host, BOB, letters="bbb")
        await set_up(host)
        await set_up(host, letters="bbo", mine=())
        for _ in range(2):
            await set_up(host, letters="bbb")
        with pytest.raises(TooManyError, match="bots play at 2 of your tables"):
            await set_up(host, letters="bbb")


async def test_a_host_signs_with_the_secret_of_its_store(folder: str, tmp_path: Path) -> None:
    """Also where no feature tells it the secret; after a restart it is the same."""
    token = ""
    for place, known in ((folder, False), (folder, True), (str(tmp_path / "other"), False)):
        host = Host(store_at(place))
        await host.open()
        assert (host.keys.guest_of(token) is not None) == known
        token = host.keys.guest_token(ADA)
        await host.close()


async def test_ordering_many_tables_at_once_gives_no_more(folder: str) -> None:
    """The limit is checked for one after the other."""
    async with opened(folder, limits=HostLimits(unfinished_tables=2)) as host:
        orders = [set_up(host) for _ in range(12)]
        made = await asyncio.gather(*orders, return_exceptions=True)

    assert sum(not isinstance(each, TooManyError) for each in made) == 2


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
        last = (await host.snapshot(table)).history(Seat(1))[-1]
        assert (last.kind, last.table) == (Kind.REMATCH, again)
        assert await host.rematch(table, CLEO) == again


async def test_the_lobby_shows_public_tables(folder: str) -> None:
    """The lobby lists them by status."""
    async with opened(folder) as host:
        await set_up(host, public=True, mine=(Seat(0),))
        running = await set_up(host, public=True)
        await set_up(host)

        shown = await host.store.lobby(Status.RUNNING, before=None, most=9)

        assert [card.id for card in shown] == [running]
        assert len(await host.store.lobby(Status.OPEN, before=None, most=9)) == 1


async def test_what_cannot_be_played_leaves_no_table(folder: str) -> None:
    """An order is checked before anything is stored."""
    async with opened(folder) as host:
        with pytest.raises(ValueError, match="seats"):
            await host.create(order(letters="hh", public=True), ADA)
        assert await host.store.count() == {"open": 0, "running": 0, "over": 0}


async def test_house_rules_are_for_hosts_who_allow_them(folder: str) -> None:
    """What was printed can be changed at a table only where the host says so."""
    changed = order(options={"penalties": "T:9"})
    async with opened(folder) as host:
        with refused(OrderError, "plays the games as printed, without penalties=T:9"):
            await host.create(changed, ADA)
    async with opened(folder, limits=HostLimits(house_rules=True)) as host:
        table = await host.create(changed, ADA)
        assert table.charter.options["penalties"] == "T:9"
        assert not table.charter.rated
