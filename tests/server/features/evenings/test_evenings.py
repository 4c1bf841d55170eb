"""Evenings over a store: exactly once, over several servers, over restarts, without who is gone."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
import pytest
from msgspec.structs import replace
from tests.support.evenings import QUICK, played
from tests.support.hosts import set_up, with_features

from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import service as accounts
from mauerwerk.server.features.accounts.store import data_of
from mauerwerk.server.features.evenings import service, values
from mauerwerk.server.features.evenings.store import evenings_of
from mauerwerk.server.features.evenings.values import Evening, EveningError, Hindrance, ranking
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.tables.errors import TooManyError
from mauerwerk.server.tables.log import ANONYMOUS, Ending, Kind
from mauerwerk.server.tables.requests import Submission
from mauerwerk.server.tables.table import Status, Table

pytestmark = pytest.mark.anyio

ADA, BEN, CLARA, DORA = (Guest(f"id-{name}", name) for name in ("Ada", "Ben", "Clara", "Dora"))
FRIDAY = Evening("Friday at Ada's", seconds_per_move=0, level="apprentice")


def added(game: str, size: int = 0) -> Callable[[Evening], Evening]:
    """The change that puts a game at the end of the programme."""
    options = QUICK if game == "mauer" else {}
    return partial(values.with_game, game=game, options=options, size=size)


async def gathered(host: Host, *games: str, people: int = 3) -> str:
    """An evening of Ada's with these people and games."""
    id_ = await service.create(host, FRIDAY, ADA)
    for guest in (ADA, BEN, CLARA, DORA)[:people]:
        await service.join(host, id_, guest)
    for game in games:
        await service.change(host, id_, ADA, added(game))
    return id_


async def refused(asked: Awaitable[object]) -> Hindrance:
    """Why something cannot be done."""
    with pytest.raises(EveningError) as fault:
        await asked
    return fault.value.hindrance


async def test_a_round_is_started_once_and_played(hosts: tuple[Host, Host]) -> None:
    """Whoever presses how often at which server; then the ranking has it."""
    one, other = hosts
    id_ = await gathered(one, "mauer", "mauer")
    pressed = (service.start(each, id_, ADA, 0) for each in (one, other, one))
    first, again, _ = await asyncio.gather(*pressed)

    (table,) = first.evening.rounds[0].tables
    assert again.evening.rounds[0].tables == (table,)
    assert set((await one.table(table.id)).owners) == {ADA.id, BEN.id, CLARA.id}
    assert await refused(service.start(one, id_, ADA, 1)) is Hindrance.STILL_PLAYING
    await played(one, table.id)
    seen = (await service.load(other, id_)).evening
    assert seen.rounds[0].is_over
    assert sum(line.total for line in ranking(seen)) == 6
    assert (await service.load(one, id_)).evening == seen

    second = (await service.start(other, id_, ADA, 1)).evening
    assert second.current == 1
    assert second.rounds[1].tables[0].people != second.rounds[0].tables[0].people


async def test_only_the_host_may(hosts: tuple[Host, Host]) -> None:
    """Start, swap, add and send home; everybody may leave."""
    host, _ = hosts
    id_ = await gathered(host, "mauerbauer")
    dropped = partial(values.without_game, number=0, programme=["mauerbauer"])
    for asked in (
        service.start(host, id_, BEN, 0),
        service.change(host, id_, BEN, partial(values.swapped, one=0, other=1)),
        service.change(host, id_, BEN, added("mauer")),
        service.change(host, id_, BEN, dropped),
        service.change(host, id_, BEN, partial(replace, way="swiss")),
        service.leave(host, id_, BEN, 2),
        service.start(host, id_, DORA, 0),
    ):
        assert await refused(asked) is Hindrance.NOT_HOST
    assert (await service.leave(host, id_, BEN)).here == (0, 2)
    assert (await service.leave(host, id_, ADA, 2)).here == (0,)
    await service.join(host, id_, BEN)
    await service.leave(host, id_, ADA)
    assert (await service.change(host, id_, BEN, added("mauer"))).rounds, "the next one is the host"
    assert await refused(service.load(host, "nothing")) is Hindrance.MISSING


async def test_a_server_that_stops_leaves_the_rest_to_the_next(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round that was written down without its tables gets them from whoever looks."""
    first = with_features(Host(store_at(place)))
    await first.open()
    id_ = await gathered(first, "mauer")

    async def stopped(*_: object) -> None:
        """Nothing happens any more."""

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(service, "_set_up_missing", stopped)
        await service.start(first, id_, ADA, 0)
    await first.close()

    second = with_features(Host(store_at(place)))
    await second.open()
    looked = await service.load(second, id_)
    (table,) = looked.evening.rounds[0].tables
    assert looked.cards[table.id].status is Status.RUNNING
    await second.close()


async def test_what_cannot_be_set_up_was_not_started(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host is told why, and can try again."""
    host, _ = hosts
    id_ = await gathered(host, "mauer")
    create_at = host.create_at

    async def full(*_: object) -> None:
        raise TooManyError("you have many tables already")

    monkeypatch.setattr(host, "create_at", full)
    with pytest.raises(TooManyError):
        await service.start(host, id_, ADA, 0)
    monkeypatch.setattr(host, "create_at", create_at)
    assert (await service.load(host, id_)).evening.following == 0
    running = (await service.start(host, id_, ADA, 0)).evening
    assert running.current == 0

    # A round that runs goes on, whatever happens when somebody presses again.
    monkeypatch.setattr(host, "create_at", full)
    assert (await service.start(host, id_, ADA, 0)).evening.rounds == running.rounds


async def test_somebody_who_has_many_tables_keeps_nobody_from_playing(
    hosts: tuple[Host, Host],
) -> None:
    """The table counts as one that somebody else there opened."""
    host, _ = hosts
    host.limits = replace(host.limits, unfinished_tables=1)
    await set_up(host, ADA)
    id_ = await gathered(host, "mauer")
    started = await service.start(host, id_, ADA, 0)
    (table,) = started.evening.rounds[0].tables
    assert table.people[0] == 0
    assert (await host.table(table.id)).charter.opener == BEN.id

    await service.change(host, id_, ADA, added("mauer"))
    end = Submission("", frozenset({Kind.END}))
    await host.submit(table.id, end, lambda it: requests.end(it, Ending.HOST))
    for guest in (BEN, CLARA):
        await set_up(host, guest)
    with pytest.raises(TooManyError):
        await service.start(host, id_, ADA, 1)


@pytest.mark.parametrize("joined", [False, True])
async def test_a_round_is_started_whole_or_not_at_all(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch, *, joined: bool
) -> None:
    """Where its second table cannot be set up, nobody plays at the first; whoever comes then."""
    host, _ = hosts
    id_ = await service.create(host, FRIDAY, ADA)
    for guest in (ADA, BEN, CLARA, DORA):
        await service.join(host, id_, guest)
    await service.change(host, id_, ADA, added("mauerbauer", 2))
    create_at = host.create_at
    made: list[str] = []

    async def once(table: str, order: Order, sitting: dict[Seat, Guest], guest: Guest) -> Table:
        if made:
            if joined:
                await service.join(host, id_, Guest("id-Emil", "Emil"))
            raise TooManyError("you have many tables already")
        made.append(table)
        return await create_at(table, order, sitting, guest)

    monkeypatch.setattr(host, "create_at", once)
    with pytest.raises(TooManyError):
        await service.start(host, id_, ADA, 0)
    monkeypatch.setattr(host, "create_at", create_at)
    assert (await service.load(host, id_)).evening.following == 0
    assert await host.store.load(made[0]) is None
    again = await service.start(host, id_, ADA, 0)
    assert len(again.cards) >= 2
    assert made[0] not in again.cards


async def test_a_bot_plays_for_somebody_who_is_missing(hosts: tuple[Host, Host]) -> None:
    """And the ranking says so; a game without a winner brings nothing."""
    host, _ = hosts
    id_ = await gathered(host, "mauer")
    (table,) = (await service.start(host, id_, ADA, 0)).evening.rounds[0].tables
    seat = (await host.table(table.id)).owners.index(BEN.id)
    await host.hand_over(table.id, seat, "apprentice")  # type: ignore[arg-type] # a seat
    end = Submission("", frozenset({Kind.END}))
    await host.submit(table.id, end, lambda it: requests.end(it, Ending.HOST))
    seen = (await service.load(host, id_)).evening

    assert seen.rounds[0].tables[0].stand_ins == (1,)
    assert [line.stand_ins for line in ranking(seen)] == [(), (0,), ()]
    assert not any(line.total for line in ranking(seen))


async def test_a_bot_finishes_the_game_of_somebody_who_goes_home(hosts: tuple[Host, Host]) -> None:
    """Nobody waits for them, also where they come back to their seat and vanish again."""
    host, other = hosts
    id_ = await gathered(host, "mauer", "mauer")
    (table,) = (await service.start(host, id_, ADA, 0)).evening.rounds[0].tables
    seat = Seat(table.people.index(1))

    async def bots() -> list[bool]:
        return [bool(each.level) for each in (await host.table(table.id)).occupants]

    expected = [person == 1 for person in table.people]
    await service.leave(other, id_, BEN)
    assert await bots() == expected
    await host.come_back(table.id, seat)
    assert await bots() == [False] * 3
    await service.leave(host, id_, ADA, 1)
    assert await bots() == expected
    assert (await host.table(table.id)).owners[seat] == BEN.id, "who may come back"

    end = Submission("", frozenset({Kind.END}))
    await host.submit(table.id, end, lambda it: requests.end(it, Ending.HOST))
    seen = (await service.load(host, id_)).evening
    assert seen.rounds[0].tables[0].stand_ins == (1,)
    assert await refused(service.leave(host, id_, ADA, 1)) is Hindrance.NOT_THERE
    assert 1 not in (await service.start(host, id_, ADA, 1)).evening.rounds[1].tables[0].people


async def test_a_table_that_a_host_of_the_server_deletes_stays_away(
    hosts: tuple[Host, Host],
) -> None:
    """The others go on, and the round is over without it."""
    host, other = hosts
    id_ = await service.create(host, FRIDAY, ADA)
    for guest in (BEN, CLARA, DORA):
        await service.join(host, id_, guest)
    await service.change(host, id_, ADA, added("mauerbauer", 2))
    first, second = (await service.start(host, id_, ADA, 0)).evening.rounds[0].tables
    await moderation.delete_table(host.store, first.id)

    seen = await service.load(other, id_)
    assert [each.over for each in seen.evening.rounds[0].tables] == [True, False]
    assert set(seen.cards) == {second.id}
    await moderation.delete_table(host.store, second.id)
    assert (await service.start(host, id_, ADA, 0)).evening.rounds[0].is_over
    assert await host.store.load(first.id) is None
    assert await host.store.load(second.id) is None


async def test_a_table_that_is_missing_holds_nobody_up(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while it counts as done."""
    host, _ = hosts
    id_ = await gathered(host, "mauer", "mauer")
    (table,) = (await service.start(host, id_, ADA, 0)).evening.rounds[0].tables
    await host.store.write("upkeep", lambda transaction: transaction.delete(table.id))
    monkeypatch.setattr(service, "REPAIRS", -1_000)
    assert (await service.load(host, id_)).evening.rounds[0].is_over


async def test_an_evening_forgets_a_person(hosts: tuple[Host, Host]) -> None:
    """They take along what there is about them; then the ranking goes on without the name."""
    host, _ = hosts
    id_ = await gathered(host, "mauer")
    assert [each for each, _ in await evenings_of(host.store, ADA.id)] == [id_]
    about, _ = await data_of(host.store, ADA.id, ADA.name)
    assert "Friday at Ada's" in msgspec.json.encode(about).decode()
    await accounts.forget(host.store, ADA)
    seen = (await service.load(host, id_)).evening

    assert seen.people[0].name == ANONYMOUS
    assert seen.title == ""
    assert ADA.id not in msgspec.json.encode(seen).decode()
    assert seen.here == (1, 2)
    assert await evenings_of(host.store, ADA.id) == ()
    assert (await service.change(host, id_, BEN, added("mauer"))).rounds


async def test_a_name_that_the_host_of_the_server_changed(hosts: tuple[Host, Host]) -> None:
    """Is changed here, too."""
    host, _ = hosts
    id_ = await gathered(host)
    await moderation.rename(host.store, BEN.id, "Player")
    assert (await service.load(host, id_)).evening.people[1].name == "Player"


async def test_an_evening_that_does_not_change_keeps_its_version(hosts: tuple[Host, Host]) -> None:
    """Coming twice is no change."""
    host, _ = hosts
    id_ = await gathered(host)
    before = (await service.load(host, id_)).evening
    assert await service.join(host, id_, BEN) == before
    assert await service.change(host, id_, ADA, partial(replace, way="swiss")) == replace(
        before, way="swiss", version=before.version + 1
    )
