"""Playing with bots until somebody comes: who is found, who takes over which seat, and when."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.server.features.matchmaking.test_matchmaking import ADA, BEN, CLARA, DORA
from tests.support.hosts import folder, opened, play, until
from tests.support.moved_time import anyio_backend

from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.lobby import looking
from mauerwerk.server.features.lobby.looking import search_at
from mauerwerk.server.features.lobby.open_tables import Seek
from mauerwerk.server.features.matchmaking import service
from mauerwerk.server.features.matchmaking.pages import order_for
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.features.results.ratings import rated_places, results_of
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.tables.table import Status

__all__ = ["anyio_backend", "folder"]
pytestmark = pytest.mark.anyio

FUN = Seek(game="mauer", seats=3, clock="none", fun=True)
STALLS = "0:- 1:- 2:-"
"""A round in which nobody builds (DM-27)."""


async def find(host: Host, guest: Guest, seek: Seek = FUN, rounds: str = "2") -> str:
    """The table of somebody who looks, where rounds are short and bots wait for the test."""

    def order(game: str) -> Order:
        made = order_for(game, seek, "en")
        if game != "mauer":
            return replace(made, bot_delay_ms=60_000)
        options = {"first": "0", "stall": "1", "rounds": rounds}
        return replace(made, bot_delay_ms=60_000, options=options)

    return await host.service(Matchmaking).find(guest, seek, order, seek.game or "mauer")


async def names(host: Host, table: str) -> list[str]:
    """Who sits where; empty for a bot."""
    return [occupant.name for occupant in (await host.table(table)).occupants]


async def test_one_plays_bots_at_once(hosts: tuple[Host, Host]) -> None:
    """For fun, with hints, at a listed table; pressing again leads back to it."""
    one, other = hosts
    table = await find(one, ADA)
    known = await one.table(table)
    assert known.status is Status.RUNNING
    assert [bool(each.level) for each in known.occupants] == [False, True, True]
    terms = known.charter
    assert (terms.public, terms.rated, terms.hints) == (True, False, True)
    assert (await search_at(one.store, table)).since is not None
    assert await looking.people_looking(one.store) == 1
    assert await find(other, ADA) == table


async def test_who_looks_for_two_games_is_one_person(hosts: tuple[Host, Host]) -> None:
    """One for fun, with bots until somebody comes, and a rated one, where they wait."""
    one, other = hosts
    rated = Seek(game="burgbaumeister", rated=True)
    assert await find(one, ADA) != await find(one, ADA, rated)
    assert await looking.people_looking(one.store) == 1
    await find(other, BEN, rated)
    assert await looking.people_looking(one.store) == 2


async def test_who_comes_takes_over_at_the_next_round(hosts: tuple[Host, Host]) -> None:
    """Not before; the points stay with the seat, and the next who comes gets the next bot."""
    one, other = hosts
    table = await find(one, ADA)
    assert await find(other, BEN) == table
    assert await find(other, BEN) == table, "one seat, however often they press"
    assert await names(one, table) == ["Ada", "", ""]
    assert await find(one, CLARA) == table
    coming = (await search_at(one.store, table)).arrivals
    assert [(each.seat, each.name) for each in coming] == [(1, "Ben"), (2, "Clara")]
    assert (await search_at(one.store, table)).since is None, "every bot will be replaced"
    assert await find(one, DORA) != table

    await play(one, table, STALLS)

    async def seated() -> bool:
        return not (await search_at(one.store, table)).arrivals

    await until(seated, 10)
    assert await names(one, table) == ["Ada", "Ben", "Clara"]
    assert (await one.table(table)).status is Status.RUNNING
    await play(one, table, STALLS)
    over = await one.table(table)
    assert over.outcome is not None
    assert {each.guest: each.whole for each in results_of(over)} == {
        ADA.id: True,
        BEN.id: False,
        CLARA.id: False,
    }
    assert rated_places(over, results_of(over)) == {}, "a game for fun changes no rating"


async def test_two_who_come_at_once_get_different_seats(hosts: tuple[Host, Host]) -> None:
    """At two servers."""
    one, other = hosts
    table = await find(one, ADA)
    await asyncio.gather(find(one, BEN), find(other, CLARA))
    coming = (await search_at(one.store, table)).arrivals
    assert sorted(each.seat for each in coming) == [1, 2]
    assert {each.name for each in coming} == {"Ben", "Clara"}


async def test_one_may_stay_away_or_stop_looking(hosts: tuple[Host, Host]) -> None:
    """Then nobody sits down; whoever was told that they may come still may."""
    one, _ = hosts
    table = await find(one, ADA)
    assert await find(one, BEN) == table
    await looking.stay_away(one.store, table, BEN.id)
    await play(one, table, STALLS)
    assert not (await one.service(Matchmaking).search_at(table)).arrivals
    assert await names(one, table) == ["Ada", "", ""]
    assert await find(one, CLARA) == table
    await looking.stop_looking(one.store, table)
    assert [each.name for each in (await search_at(one.store, table)).arrivals] == ["Clara"]
    assert await find(one, DORA) != table


async def test_a_seat_that_somebody_took_meanwhile(hosts: tuple[Host, Host]) -> None:
    """Who was promised it gets another bot's seat, if there is one."""
    one, _ = hosts
    table = await find(one, ADA)
    assert await find(one, BEN) == table
    (coming,) = (await search_at(one.store, table)).arrivals
    await one.sit(table, coming.seat, CLARA)
    await play(one, table, STALLS)

    async def seated() -> bool:
        return await names(one, table) == ["Ada", "Clara", "Ben"]

    await until(seated, 10)


async def test_nothing_is_lost_while_no_server_runs(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is about to come is on disk, and is seated by the next server."""
    async with opened(folder) as host:
        table = await find(host, ADA)
        assert await find(host, BEN) == table
    async with opened(folder) as host:
        assert [each.name for each in (await search_at(host.store, table)).arrivals] == ["Ben"]
        monkeypatch.setattr(service, "begins_round", lambda _: False)  # it dies before that
        await play(host, table, STALLS)
        assert await names(host, table) == ["Ada", "", ""]
    monkeypatch.undo()
    async with opened(folder) as host:

        async def seated() -> bool:
            return await names(host, table) == ["Ada", "Ben", ""]

        await until(seated, 10)


async def test_without_rounds_they_join_the_next_game(hosts: tuple[Host, Host]) -> None:
    """The rematch has them at the bot's seat; rounds that are over do not matter there."""
    one, other = hosts
    table = await find(one, ADA, rounds="1")
    assert await find(other, BEN) == table
    await play(one, table, STALLS)
    assert (await one.table(table)).status is Status.OVER
    joining = await one.service(Matchmaking).joining(table)
    again = await one.rematch(table, ADA, joining)
    assert await names(one, again) == ["Ada", "Ben", ""]
    assert (await one.table(again)).status is Status.RUNNING


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (Seek(game="burgbaumeister", others=("mauer",), fun=True), True),
        (Seek(fun=True, clock="none"), True),
        (Seek(game="burgbaumeister", fun=True), False),
        (Seek(game="mauer", clock="days", fun=True), False),
        (Seek(game="mauer", rated=True), False),
        (Seek(game="mauer", seats=4, fun=True), False),
    ],
)
async def test_only_what_fits(hosts: tuple[Host, Host], other: Seek, *, same: bool) -> None:
    """One of several games will do; a rated game is none for fun."""
    one, _ = hosts
    table = await find(one, ADA)
    assert (await find(one, BEN, other) == table) is same
