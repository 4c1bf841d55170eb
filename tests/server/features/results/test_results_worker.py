"""Finished games are counted: once each, by one of several servers, also after a restart."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.support.driven_table import ADA, BOB, CLEO
from tests.support.hosts import opened, play, set_up

from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import is_url
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.accounts import service
from mauerwerk.server.features.results import store
from mauerwerk.server.features.results.ratings import PlayerResult, Skill, beginner, rate, shown
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.features.results.store import (
    RATINGS,
    RESULTS,
    rating_faults,
    recompute_ratings,
    result_faults,
)

pytestmark = pytest.mark.anyio

SHORT = {"rounds": "1", "stall": "1"}


async def game_of_three(host: Host, words: str = "0:- 1:- 2:-", **more: Any) -> str:  # noqa: ANN401
    """A short game of Ada, Bob and Cleo."""
    table = await set_up(host, letters="hoo", mine=(Seat(0),), options=SHORT, **more)
    await host.sit(table, Seat(1), BOB)
    await host.sit(table, Seat(2), CLEO)
    await play(host, table, words)
    return table


async def rows(host: Host, of: sa.Table) -> list[dict[str, Any]]:
    """All rows of a table."""

    def read(transaction: Transaction) -> list[dict[str, Any]]:
        return [dict(row) for row in transaction.connection.execute(sa.select(of)).mappings()]

    return await host.store.read(read)


async def test_a_game_is_counted_once(place: str) -> None:
    """However many servers look for it, and after a restart."""
    async with opened(place) as host:
        table = await game_of_three(host, rated=True, hints=False)
        await host.service(ResultsWorker).count_all()
        if is_url(place):  # a file is for one server
            async with opened(place) as other:
                await other.service(ResultsWorker).count_all()
    async with opened(place) as host:
        assert not await host.service(ResultsWorker).count_all()
        lines = await rows(host, RESULTS)
        ratings = await rows(host, RATINGS)

    assert [(each["table_id"], each["guest"]) for each in lines] == [
        (table, guest.id) for guest in (ADA, BOB, CLEO)
    ]
    assert {each["guest"]: each["games"] for each in ratings} == {
        guest.id: 1 for guest in (ADA, BOB, CLEO)
    }


async def test_a_game_waits_for_a_database_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is counted when the database is back; a game that cannot be counted stops no other."""
    async with opened(str(tmp_path)) as host:
        await host.service(ResultsWorker).__aexit__()  # which would count at the same time
        broken = [True]

        def count(*_: object) -> tuple[Mapping[str, float], ...]:
            if broken[0]:
                raise ValueError("broken")
            return ()

        worker = ResultsWorker(host, count)
        await game_of_three(host)
        assert not await worker.count_all()
        broken[0] = False
        with monkeypatch.context() as patch:
            patch.setattr(store, "count", lambda *_: (_ for _ in ()).throw(StorageError("gone")))
            await game_of_three(host)
            with pytest.raises(StorageError):
                await worker.count_all()
        assert await worker.count_all() == 1
    async with opened(str(tmp_path)) as host:  # and after a restart, the other one
        assert await host.service(ResultsWorker).count_all() == 1


async def test_only_rated_games_change_ratings(tmp_path: Path) -> None:
    """A game counts as the table agreed, or if it is played against the clock without hints."""
    async with opened(str(tmp_path)) as host:
        await game_of_three(host)
        await game_of_three(host, seconds_per_move=60)
        await game_of_three(host, hints=False)
        await game_of_three(host, rated=False, seconds_per_move=60, hints=False)
        await host.service(ResultsWorker).count_all()
        assert not await rows(host, RATINGS)
        assert len(await rows(host, RESULTS)) == 4 * 3

        await game_of_three(host, seconds_per_move=60, hints=False)
        await host.service(ResultsWorker).count_all()
        assert len(await rows(host, RATINGS)) == 3


async def test_leaving_counts(tmp_path: Path) -> None:
    """Whoever leaves a rated game is behind all who stay, and a bot's place is not theirs."""
    async with opened(str(tmp_path)) as host:
        table = await set_up(
            host, letters="hoo", mine=(Seat(0),), options=SHORT, rated=True, hints=False
        )
        await host.sit(table, Seat(1), BOB)
        await host.sit(table, Seat(2), CLEO)
        known = [{"guest": guest.id, **beginner()._asdict()} for guest in (ADA, BOB, CLEO)]
        add = sa.insert(RATINGS).values(game="mauer", games=5, changed=0)
        await host.store.write("", lambda each: each.connection.execute(add, known).rowcount)
        await play(host, table, "1:-")
        await host.stand(table, Seat(1))
        await play(host, table, "0:- 2:-")
        await host.service(ResultsWorker).count_all()
        lines = {each["guest"]: each for each in await rows(host, RESULTS)}
        skills = {each["guest"]: each["mu"] for each in await rows(host, RATINGS)}

    assert set(lines) == {ADA.id, BOB.id, CLEO.id}
    assert lines[BOB.id]["gone"]
    assert lines[BOB.id]["place"] is None
    assert skills[BOB.id] < min(skills[ADA.id], skills[CLEO.id])


async def test_nobody_is_rated_against_themselves(tmp_path: Path) -> None:
    """One person at several seats could let themselves win."""
    async with opened(str(tmp_path)) as host:
        table = await set_up(host, options=SHORT, rated=True, hints=False)
        await play(host, table, "0:- 1:- 2:-")
        await host.service(ResultsWorker).count_all()
        assert not await rows(host, RATINGS)
        assert [each["people"] for each in await rows(host, RESULTS)] == [1, 1, 1]


def test_doubt_is_shown() -> None:
    """A beginner is in the middle, and nearly anything is possible."""
    first = shown(beginner())
    known = shown(Skill(beginner().mu + 2, 1.0))

    assert (round(first.mean), round(known.mean)) == (1500, 1548)
    assert first.low is not None
    assert first.high is not None
    assert first.high - first.low == pytest.approx(784, abs=1)


async def test_ratings_are_worked_out_again(tmp_path: Path) -> None:
    """From the results, in the order of counting, they come out the same, also after a deletion."""
    async with opened(str(tmp_path)) as host:
        for first in ("0:- 1:- 2:-", "2:- 1:- 0:-", "1:- 0:- 2:-"):
            await game_of_three(host, first, rated=True, hints=False)
        await host.service(ResultsWorker).count_all()
        await service.forget(host.store, CLEO)
        before = await rows(host, RATINGS)

        def check(transaction: Transaction) -> list[str]:
            return [*result_faults(transaction), *rating_faults(transaction.connection)]

        assert await host.store.read(check) == []
        spoil = sa.update(RATINGS).where(RATINGS.c.guest == ADA.id).values(mu=99.0)
        await host.store.write(
            "", lambda transaction: transaction.connection.execute(spoil).rowcount
        )
        assert len(await host.store.read(check)) == 1
        assert await host.store.write("", recompute_ratings) == 2
        assert await rows(host, RATINGS) == before
    assert {each["guest"] for each in before} == {ADA.id, BOB.id}


def test_bots_keep_the_rating_of_their_ladder() -> None:
    """Against a strong bot a loss costs little; the bot itself is not changed."""
    players = [PlayerResult(Seat(0), ADA.id, "", 2, 0), PlayerResult(Seat(1), "", "foreman", 1, 0)]
    lost = rate("mauerbauer", players, [None, None], [2, 1])
    won = rate("mauerbauer", players, [None, None], [1, 2])
    unrated = rate("nothing", players, [None, None], [1, 2])

    assert lost[0]
    assert won[0]
    assert lost[1]
    assert lost[1].before == lost[1].after
    assert won[0].after.mu - 25 > 25 - lost[0].after.mu
    assert unrated == [None, None]
