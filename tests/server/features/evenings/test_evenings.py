"""Evenings over a store: exactly once, over several servers, over restarts, without who is gone."""

import asyncio
from collections.abc import Awaitable

import msgspec
import pytest
from msgspec.structs import replace
from tests.support.evenings import QUICK, played
from tests.support.hosts import with_features

from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import service
from mauerwerk.server.features.accounts.store import data_of
from mauerwerk.server.features.evenings import service as evenings_module
from mauerwerk.server.features.evenings.service import Evenings
from mauerwerk.server.features.evenings.values import Evening, EveningError, Hindrance, ranking
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.tables.errors import TooManyError
from mauerwerk.server.tables.log import ANONYMOUS, Ending
from mauerwerk.server.tables.table import Status, Table

pytestmark = pytest.mark.anyio

ADA, BEN, CLARA, DORA = (Guest(f"id-{name}", name) for name in ("Ada", "Ben", "Clara", "Dora"))
FRIDAY = Evening("Friday at Ada's", seconds_per_move=0, level="apprentice")


async def gathered(host: Host, *games: str, people: int = 3) -> str:
    """An evening of Ada's with these people and games."""
    id_ = await host.service(Evenings).create(FRIDAY, ADA)
    for guest in (ADA, BEN, CLARA, DORA)[:people]:
        await host.service(Evenings).join(id_, guest)
    for game in games:
        await host.service(Evenings).add_game(id_, ADA, game, QUICK if game == "mauer" else {})
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
    pressed = (each.service(Evenings).start(id_, ADA, 0) for each in (one, other, one))
    first, again, _ = await asyncio.gather(*pressed)

    (table,) = first.evening.rounds[0].tables
    assert again.evening.rounds[0].tables == (table,)
    assert set((await one.table(table.id)).owners) == {ADA.id, BEN.id, CLARA.id}
    assert await refused(one.service(Evenings).start(id_, ADA, 1)) is Hindrance.STILL_PLAYING
    await played(one, table.id)
    seen = (await other.service(Evenings).look(id_)).evening
    assert seen.rounds[0].is_over
    assert sum(line.total for line in ranking(seen)) == 6
    assert (await one.service(Evenings).look(id_)).evening == seen

    second = (await other.service(Evenings).start(id_, ADA, 1)).evening
    assert second.current == 1
    assert second.rounds[1].tables[0].people != second.rounds[0].tables[0].people


async def test_only_the_host_may(hosts: tuple[Host, Host]) -> None:
    """Start, swap, add and send home; everybody may leave."""
    host, _ = hosts
    id_ = await gathered(host, "mauerbauer")
    evenings = host.service(Evenings)
    for asked in (
        evenings.start(id_, BEN, 0),
        evenings.swap(id_, BEN, 0, 1),
        evenings.add_game(id_, BEN, "mauer", {}),
        evenings.drop_game(id_, BEN, 0),
        evenings.arrange(id_, BEN, "swiss"),
        evenings.leave(id_, BEN, 2),
        evenings.start(id_, DORA, 0),
    ):
        assert await refused(asked) is Hindrance.NOT_HOST
    assert (await evenings.leave(id_, BEN)).here == (0, 2)
    assert (await evenings.leave(id_, ADA, 2)).here == (0,)
    await evenings.join(id_, BEN)
    await evenings.leave(id_, ADA)
    assert (await evenings.add_game(id_, BEN, "mauer", {})).rounds, "the next one is the host"
    assert await refused(evenings.look("nothing")) is Hindrance.MISSING


async def test_a_server_that_stops_leaves_the_rest_to_the_next(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round that was written down without its tables gets them from whoever looks."""
    first = with_features(Host(store_at(place)))
    await first.open()
    id_ = await gathered(first, "mauer")

    async def stopped(*_: object) -> None:
        """Nothing happens any more."""

    monkeypatch.setattr(first.service(Evenings), "_set_up_missing", stopped)
    await first.service(Evenings).start(id_, ADA, 0)
    await first.close()

    second = with_features(Host(store_at(place)))
    await second.open()
    looked = await second.service(Evenings).look(id_)
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
        await host.service(Evenings).start(id_, ADA, 0)
    monkeypatch.setattr(host, "create_at", create_at)
    assert (await host.service(Evenings).look(id_)).evening.following == 0
    running = (await host.service(Evenings).start(id_, ADA, 0)).evening
    assert running.current == 0

    # A round that runs goes on, whatever happens when somebody presses again.
    monkeypatch.setattr(host, "create_at", full)
    assert (await host.service(Evenings).start(id_, ADA, 0)).evening.rounds == running.rounds


@pytest.mark.parametrize("joined", [False, True])
async def test_a_round_is_started_whole_or_not_at_all(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch, *, joined: bool
) -> None:
    """Where its second table cannot be set up, nobody plays at the first; whoever comes then."""
    host, _ = hosts
    id_ = await host.service(Evenings).create(FRIDAY, ADA)
    for guest in (ADA, BEN, CLARA, DORA):
        await host.service(Evenings).join(id_, guest)
    await host.service(Evenings).add_game(id_, ADA, "mauerbauer", {}, 2)
    create_at = host.create_at
    made: list[str] = []

    async def once(table: str, order: Order, sitting: dict[Seat, Guest], guest: Guest) -> Table:
        if made:
            if joined:
                await host.service(Evenings).join(id_, Guest("id-Emil", "Emil"))
            raise TooManyError("you have many tables already")
        made.append(table)
        return await create_at(table, order, sitting, guest)

    monkeypatch.setattr(host, "create_at", once)
    with pytest.raises(TooManyError):
        await host.service(Evenings).start(id_, ADA, 0)
    monkeypatch.setattr(host, "create_at", create_at)
    assert (await host.service(Evenings).look(id_)).evening.following == 0
    assert await host.store.load(made[0]) is None
    again = await host.service(Evenings).start(id_, ADA, 0)
    assert len(again.cards) >= 2
    assert made[0] not in again.cards


async def test_a_bot_plays_for_somebody_who_is_missing(hosts: tuple[Host, Host]) -> None:
    """And the ranking says so; a game without a winner brings nothing."""
    host, _ = hosts
    id_ = await gathered(host, "mauer")
    (table,) = (await host.service(Evenings).start(id_, ADA, 0)).evening.rounds[0].tables
    seat = (await host.table(table.id)).owners.index(BEN.id)
    await host.hand_over(table.id, seat, "apprentice")  # type: ignore[arg-type] # a seat
    await host.end(table.id, Ending.HOST)
    seen = (await host.service(Evenings).look(id_)).evening

    assert seen.rounds[0].tables[0].stand_ins == (1,)
    assert [line.stand_ins for line in ranking(seen)] == [(), (0,), ()]
    assert not any(line.total for line in ranking(seen))


async def test_a_table_that_was_deleted_holds_nobody_up(
    hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while it counts as done."""
    host, _ = hosts
    id_ = await gathered(host, "mauer", "mauer")
    (table,) = (await host.service(Evenings).start(id_, ADA, 0)).evening.rounds[0].tables
    await host.store.write(
        "page", lambda transaction: moderation.delete_table(transaction, table.id)
    )
    monkeypatch.setattr(evenings_module, "REPAIRS", -1_000)
    assert (await host.service(Evenings).look(id_)).evening.rounds[0].is_over


async def test_an_evening_forgets_a_person(hosts: tuple[Host, Host]) -> None:
    """They take along what there is about them; then the ranking goes on without the name."""
    host, _ = hosts
    id_ = await gathered(host, "mauer")
    assert [each for each, _ in await host.service(Evenings).of(ADA)] == [id_]
    about, _ = await data_of(host.store, ADA.id, ADA.name)
    assert "Friday at Ada's" in msgspec.json.encode(about).decode()
    await service.forget(host.store, ADA)
    seen = (await host.service(Evenings).look(id_)).evening

    assert seen.people[0].name == ANONYMOUS
    assert seen.title == ""
    assert ADA.id not in msgspec.json.encode(seen).decode()
    assert seen.here == (1, 2)
    assert await host.service(Evenings).of(ADA) == ()
    assert (await host.service(Evenings).add_game(id_, BEN, "mauer", {})).rounds


async def test_a_name_that_the_host_of_the_server_changed(hosts: tuple[Host, Host]) -> None:
    """Is changed here, too."""
    host, _ = hosts
    id_ = await gathered(host)
    await moderation.rename(host.store, BEN.id, "Player")
    assert (await host.service(Evenings).look(id_)).evening.people[1].name == "Player"


async def test_an_evening_that_does_not_change_keeps_its_version(hosts: tuple[Host, Host]) -> None:
    """Coming twice is no change."""
    host, _ = hosts
    id_ = await gathered(host)
    before = (await host.service(Evenings).look(id_)).evening
    assert await host.service(Evenings).join(id_, BEN) == before
    assert await host.service(Evenings).arrange(id_, ADA, "swiss") == replace(
        before, way="swiss", version=before.version + 1
    )
