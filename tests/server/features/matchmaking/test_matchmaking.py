"""Finding a game: one seat for each who looks, however often and wherever they press."""

import asyncio

import pytest

from mauerwerk.core.game import Seat
from mauerwerk.server.database.schema import TABLES
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.lobby.open_tables import Seek, fits
from mauerwerk.server.features.matchmaking import store as matchmaking
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.features.matchmaking.store import Sent, find_table
from mauerwerk.server.tables.charter import Chair, Guest, Order
from mauerwerk.server.tables.table import Card, Status

pytestmark = pytest.mark.anyio

PEOPLE = tuple(Guest(f"id-{name}", name) for name in ("Ada", "Ben", "Clara", "Dora"))
ADA, BEN, CLARA, DORA = PEOPLE


def order(game: str, seats: int = 3) -> Order:
    """A listed table for people who are looking."""
    return Order(
        game, (Chair("open"),) * seats, {}, (), public=True, seconds_per_move=120, hints=False
    )


async def find(host: Host, guest: Guest, seek: Seek | None = None, game: str = "mauer") -> str:
    """Look for a game."""
    return await host.service(Matchmaking).find(guest, seek or Seek(), order, game)


async def seats_of(host: Host, table: str, guest: Guest) -> int:
    """How many seats somebody has."""
    return (await host.table(table)).owners.count(guest.id)


async def test_the_first_opens_a_table_and_the_others_join_it(hosts: tuple[Host, Host]) -> None:
    """When it is full, the next opens another."""
    one, other = hosts
    table = await find(one, ADA)
    assert await find(other, BEN) == table
    assert (await one.table(table)).status is Status.OPEN
    assert await find(one, CLARA) == table
    assert (await other.table(table)).status is Status.RUNNING
    assert await find(other, DORA) != table


async def test_pressing_often_gives_one_seat(hosts: tuple[Host, Host]) -> None:
    """At two servers at the same time, for the first and for those who join."""
    one, other = hosts
    for guest in (ADA, BEN):
        pressed = (find(host, guest) for host in (one, other, one, other))
        (table,) = set(await asyncio.gather(*pressed))
        assert await seats_of(one, table, guest) == 1
    assert await find(one, ADA) == table


async def test_two_who_look_at_the_same_moment_meet(hosts: tuple[Host, Host]) -> None:
    """Also while the table is being set up for one of them."""
    one, other = hosts
    found = await asyncio.gather(find(one, ADA), find(other, BEN))
    assert len(set(found)) == 1
    assert await seats_of(one, found[0], ADA) == await seats_of(one, found[0], BEN) == 1


async def test_the_last_seat_goes_to_one(hosts: tuple[Host, Host]) -> None:
    """The other is sent elsewhere, not refused."""
    one, other = hosts
    table = await find(one, ADA)
    await find(one, BEN)
    found = await asyncio.gather(find(one, CLARA), find(other, DORA))
    assert table in found
    assert len(set(found)) == 2


async def test_people_are_sent_to_where_most_wait(hosts: tuple[Host, Host]) -> None:
    """Though another table was opened before, so that a game begins soon."""
    host, _ = hosts
    first, fuller = [(await host.create(order("mauer"), guest)).charter.id for guest in (ADA, BEN)]
    await host.sit(first, None, ADA)
    for guest in (BEN, CLARA):
        await host.sit(fuller, None, guest)
    assert await find(host, DORA) == fuller


async def test_seats_for_friends_are_not_for_everybody(hosts: tuple[Host, Host]) -> None:
    """A listed table whose seats are all for people with a link is passed by."""
    host, _ = hosts
    friends = Order("mauer", (Chair("human"), Chair("human"), Chair("human")), {}, public=True)
    opened = await host.create(friends, BEN)
    assert await find(host, ADA) != opened.charter.id


async def test_somebody_who_has_left_looks_anew(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not sent back to a table that runs without them, though it is theirs no more."""
    monkeypatch.setattr(matchmaking, "FRESH", 0)  # they were sent a while ago
    one, other = hosts
    table = await find(one, ADA)
    assert await find(other, BEN) == await find(one, CLARA) == table
    await other.stand(table, Seat(0))
    found = await find(one, ADA)
    assert found != table
    assert await seats_of(one, table, ADA) == 0
    assert await seats_of(one, found, ADA) == 1


async def test_nobody_finds_the_table_at_which_they_play(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who plays already and looks again gets a second table, where nobody sits yet."""
    monkeypatch.setattr(matchmaking, "FRESH", 0)
    one, other = hosts
    table = await find(one, ADA)
    await find(one, BEN)
    await find(one, CLARA)
    second = await find(other, ADA)
    assert second != table
    assert [await seats_of(one, each, ADA) for each in (table, second)] == [1, 1]
    assert await find(one, ADA) == second, "as long as they wait there"


async def test_a_table_that_is_over_is_not_found_again(hosts: tuple[Host, Host]) -> None:
    """Also by somebody who was sent there a moment ago."""
    one, other = hosts
    table = await find(one, ADA)
    await find(one, BEN)
    await find(one, CLARA)
    await one.store.write(
        "test", lambda it: it.update(TABLES, TABLES.c.id == table, status=Status.OVER.value)
    )
    assert await find(other, ADA) != table


async def test_bots_fill_what_is_open(hosts: tuple[Host, Host]) -> None:
    """The game begins; pressed twice, nothing more happens."""
    host, _ = hosts
    table = await find(host, ADA)
    await asyncio.gather(
        host.service(Matchmaking).fill(table, "apprentice"),
        host.service(Matchmaking).fill(table, "apprentice"),
    )
    now = await host.table(table)
    assert now.status is Status.RUNNING
    assert [bool(each.level) for each in now.occupants] == [False, True, True]


CARD = Card("t", "mauer", 4, True, Status.OPEN, 0, 0, ("A", "", "", ""), ("",) * 4)  # noqa: FBT003


@pytest.mark.parametrize(
    ("seek", "right"),
    [
        (Seek(), True),
        (Seek("mauer", 4, "none"), True),
        (Seek("mauerbauer"), False),
        (Seek(seats=3), False),
        (Seek(clock="live"), False),
        (Seek(language="de"), False),
        (Seek(rated=True), False),
    ],
)
def test_a_table_fits_a_seek(seek: Seek, right: bool) -> None:  # noqa: FBT001
    """Game, seats, clock, language, rated."""
    assert fits(CARD, seek) is right


async def test_who_wants_something_else_gets_something_else(hosts: tuple[Host, Host]) -> None:
    """A table of another game is passed by."""
    host, _ = hosts
    table = await find(host, ADA, game="mauer")
    other = await find(host, BEN, Seek("mauerbauer"), "mauerbauer")
    assert other != table
    assert (await host.table(other)).charter.game == "mauerbauer"
    assert await find(host, CLARA, Seek("mauerbauer"), "mauerbauer") == other


async def test_nobody_waits_for_a_table_of_another_game(hosts: tuple[Host, Host]) -> None:
    """Also not while it is being set up, when only its game is known."""
    host, _ = hosts
    coming = Sent("coming", opens=True, game="mauer")
    await find_table(host.store, ADA.id, Seek(), coming)
    new = Sent("new", opens=True, game="mauerbauer")
    assert await find_table(host.store, BEN.id, Seek("mauerbauer"), new) == new
    another = Sent("another", opens=True, game="mauer")
    assert (await find_table(host.store, CLARA.id, Seek("mauer"), another)).table == "coming"


@pytest.mark.parametrize("ready", [True, False])
async def test_who_took_any_game_can_then_want_another(
    hosts: tuple[Host, Host],
    ready: bool,  # noqa: FBT001
) -> None:
    """They were sent to a table of one game, and are not sent back there for another game."""
    host, _ = hosts
    theirs = Sent("theirs", opens=True, game="mauerbauer")
    await find_table(host.store, BEN.id, Seek("mauerbauer"), theirs)
    if ready:
        await host.create_at("theirs", order("mauerbauer"), {Seat(0): BEN}, BEN)
    any_game = Sent("own", opens=True, game="mauer")
    sent = await find_table(host.store, ADA.id, Seek(), any_game)
    assert sent == Sent("theirs", opens=False, game="mauerbauer")
    again = await find_table(host.store, ADA.id, Seek("mauer"), any_game)
    assert again == any_game
