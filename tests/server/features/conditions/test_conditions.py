"""Moves that are prepared: for what, when they are played, and that nobody else notices."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec import json
from tests.support.driven_table import ADA, BOB
from tests.support.hosts import folder, move, opened, play
from tests.support.moved_time import anyio_backend
from tests.support.notifications import Clock

from mauerwerk.core.game import NATURE, Ephemeral, Seat
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts.store import data_of
from mauerwerk.server.features.conditions import service, store
from mauerwerk.server.features.conditions.service import (
    LATEST,
    RESERVE,
    SOONEST,
    Conditions,
    lines_for,
)
from mauerwerk.server.features.conditions.store import conditions_at
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.tables.charter import SLOW, Chair, Order
from mauerwerk.server.tables.table import Table

__all__ = ["anyio_backend", "folder"]
pytestmark = pytest.mark.anyio

TWO = (Seat(0), Seat(1))


@pytest.fixture
async def host(folder: str, clock: Clock) -> AsyncIterator[Host]:
    """A host whose clock the test moves."""
    async with opened(folder, clock=clock) as host:
        yield host


async def castle(host: Host, seconds: int = SLOW) -> Table:
    """Burgbaumeister over days: Ada has turned up a card, which fits; Bob waits."""
    order = Order(
        game="burgbaumeister",
        chairs=(Chair("human"), Chair("human")),
        options={"first": "0"},
        mine=(Seat(0),),
        seconds_per_move=seconds,
        hints=False,
    )
    table = (await host.create(order, ADA)).charter.id
    await host.claim(table, Seat(1), BOB)
    await play(host, table, "0:a1")
    return await host.table(table)


async def fires(host: Host, clock: Clock, table: str) -> None:
    """All that is due by the latest is played."""
    await host.service(Conditions).look_at(await host.table(table))
    clock.pass_by(LATEST // 1_000 + 1)
    for each in await store.due_conditions(host.store, host.now()):
        await host.service(Conditions)._play(each)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # what the sweep does


async def test_what_can_be_prepared_for(host: Host) -> None:
    """What others do in front of all; not by whom it is the turn, nor where time is short."""
    table = await castle(host)
    offered = {each.words: each.replies for each in lines_for(table, Seat(1))}
    assert offered
    assert set(offered) <= {"0:+", "0:."}
    assert all("b1" in replies and "a1" not in replies for replies in offered.values())
    assert lines_for(table, Seat(0)) == ()
    assert lines_for(await castle(host, SLOW - 1), Seat(1)) == ()


async def test_every_line_shows_nothing(host: Host) -> None:
    """Each of its moves is seen alike by all, reveals nothing, and is not told once."""
    table = await castle(host)
    for line in lines_for(table, Seat(1)):
        state = table.state
        for each in line.moves:
            assert each.seat not in {Seat(1), NATURE}
            step = table.game.apply(state, each.seat, table.game.parse(each.word))
            for event in step.events:
                assert not table.game.reveals(event)
                assert not isinstance(event, Ephemeral)
                assert {table.game.seen(event, viewer) for viewer in (None, *TWO)} == {event}
            state = step.state
        assert table.game.to_act(state) == (Seat(1),)


async def test_it_is_played_some_minutes_later(host: Host, clock: Clock) -> None:
    """Like a move of a person; then it is forgotten."""
    table = await castle(host)
    (line, *_) = [each.words for each in lines_for(table, Seat(1))]
    await host.service(Conditions).prepare(table, Seat(1), line, "c3")
    id_ = table.charter.id
    assert [each.word for each in await conditions_at(host.store, id_, 1)] == ["c3"]
    stored = [await data_of(host.store, guest.id, guest.name) for guest in (ADA, BOB)]
    assert ["c3" in json.encode(each).decode() for each in stored] == [False, True]
    before = len((await host.table(id_)).plays)
    await play(host, id_, line)
    await host.service(Conditions).look_at(await host.table(id_))
    (kept,) = await conditions_at(host.store, id_)
    assert kept.due is not None
    assert SOONEST <= kept.due - host.now() <= LATEST
    assert len((await host.table(id_)).plays) == before + 1, "not at once"

    await fires(host, clock, id_)
    plays = (await host.table(id_)).plays
    assert (plays[before + 1].seat, plays[before + 1].word) == (1, "c3")
    assert not await conditions_at(host.store, id_)


async def test_it_lapses_when_something_else_happens(host: Host, clock: Clock) -> None:
    """Another move, the player's own, or a bot in their place."""
    table = await castle(host)
    offered = [each.words for each in lines_for(table, Seat(1))]
    id_, service_ = table.charter.id, host.service(Conditions)
    await service_.prepare(table, Seat(1), offered[0], "c3")
    await host.hand_over(id_, Seat(1), "apprentice")
    await service_.look_at(await host.table(id_))
    assert not await conditions_at(host.store, id_)

    await host.come_back(id_, Seat(1))
    await service_.prepare(await host.table(id_), Seat(1), offered[0], "c3")
    await play(host, id_, offered[0])
    await move(host, id_, 1, "d4")  # Bob himself was faster
    await service_.look_at(await host.table(id_))
    assert not await conditions_at(host.store, id_)
    await fires(host, clock, id_)
    assert "c3" not in [each.word for each in (await host.table(id_)).plays]


async def test_a_move_that_is_taken_back_is_waited_for_again(
    host: Host, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not played for a position that is no more."""

    async def wait(*_: object) -> None:
        """Leave it to the test when the table is looked at."""

    monkeypatch.setattr(Conditions, "_look_later", wait)
    table = await castle(host)
    line = lines_for(table, Seat(1))[0].words
    id_, service_ = table.charter.id, host.service(Conditions)
    await service_.prepare(table, Seat(1), line, "c3")
    await play(host, id_, line)
    await service_.look_at(await host.table(id_))
    assert [each.due is None for each in await conditions_at(host.store, id_)] == [False]
    await service_.look_at(table)  # as it was before that move
    assert [each.due for each in await conditions_at(host.store, id_)] == [None]
    clock.pass_by(LATEST // 1_000 + 1)
    assert not await store.due_conditions(host.store, host.now())


async def test_what_is_refused(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that does not come, a move that is not possible then, too many."""
    table = await castle(host)
    line = lines_for(table, Seat(1))[0].words
    service_ = host.service(Conditions)
    for said, word, status in ((line, "a1", 422), ("0:b1", "c3", 422), ("", "c3", 422)):
        with pytest.raises(HttpError) as fault:
            await service_.prepare(table, Seat(1), said, word)
        assert fault.value.status == status
    assert not await conditions_at(host.store, table.charter.id)
    monkeypatch.setattr(store, "MOST", 0)
    with pytest.raises(HttpError) as fault:
        await service_.prepare(table, Seat(1), line, "c3")
    assert fault.value.status == 409


async def test_it_is_on_disk_when_it_is_acknowledged(folder: str, clock: Clock) -> None:
    """The next server plays it, also where the line has happened while none looked."""
    async with opened(folder, clock=clock) as host:
        table = await castle(host)
        line = lines_for(table, Seat(1))[0].words
        await host.service(Conditions).prepare(table, Seat(1), line, "c3")
    async with opened(folder, clock=clock) as host:
        await play(host, table.charter.id, line)
        await fires(host, clock, table.charter.id)
        assert "c3" in [each.word for each in (await host.table(table.charter.id)).plays]


async def test_it_is_in_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the player's own time is up."""
    table = await castle(host)
    line = lines_for(table, Seat(1))[0].words
    await host.service(Conditions).prepare(table, Seat(1), line, "c3")
    await play(host, table.charter.id, line)
    monkeypatch.setattr(service, "SOONEST", 10 * SLOW * 1_000)
    monkeypatch.setattr(service, "LATEST", 10 * SLOW * 1_000 + 1)
    now = await host.table(table.charter.id)
    await store.set_due(host.store, (await conditions_at(host.store, table.charter.id))[0].id, None)
    await host.service(Conditions).look_at(now)
    (kept,) = await conditions_at(host.store, table.charter.id)
    limit = now.runs_out(Seat(1))
    assert limit is not None
    assert kept.due == limit - RESERVE


async def test_a_failure_does_not_end_the_search_for_moves_that_are_due(
    folder: str, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it was; of failures in a row the first is logged."""
    looks: list[int] = []

    async def fails_but_the_third(*_: object) -> tuple[()]:
        looks.append(len(looks))
        if len(looks) != 3:
            raise LookupError
        return ()

    monkeypatch.setattr(service, "SWEEP", 0.001)
    monkeypatch.setattr(store, "due_conditions", fails_but_the_third)
    async with opened(folder, clock=clock), asyncio.timeout(60):
        while len(looks) < 5:  # noqa: ASYNC110 - as the server does
            await asyncio.sleep(0.001)
    said = [record.getMessage() for record in caplog.records]

    assert said == ["could not see to a prepared move"] * 2
