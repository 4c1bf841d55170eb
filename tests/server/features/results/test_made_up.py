"""Ratings cannot be made up: not by bots, by guests who leave, nor by the same pair."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa
from tests.support.driven_table import ADA, BOB, order
from tests.support.hosts import folder, move, opened, quick_bots

from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.game import Seat
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.workers import BotWorkers
from mauerwerk.server.features.moderation import actions
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.moderation.state import AdminError
from mauerwerk.server.features.results import ratings, store
from mauerwerk.server.features.results.ratings import Skill, beginner, rate, shown
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.features.results.store import RATINGS, RESULTS
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.table_views import sight

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quick_bots", "same_dice")]
__all__ = ["folder", "quick_bots"]

FIRST, SECOND = Seat(0), Seat(1)
STRONG, WEAK = "foreman", "apprentice"


@pytest.fixture
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game takes the same course."""
    monkeypatch.setattr("mauerwerk.server.engine.host.new_seed", lambda: bytes(32))


def word(table: Table, seat: Seat, *, strong: bool) -> str:
    """A strong player is greedy; a weak one plays its last word."""
    if strong:
        greedy = Greedy(table.game, table.setup, random.Random(0).randrange)
        return table.game.write(greedy.act(sight(table, seat), 1.0))
    return table.game.write(table.game.legal(table.state, seat)[-1])


async def by_level(self: BotWorkers, table: Table, seat: Seat, level: str, **_: object) -> str:
    """A bot that needs no process."""
    del self
    return word(table, seat, strong=level == STRONG)


async def begun(host: Host, other: Guest | None) -> str:
    """A rated game of Burgbaumeister, of Ada and somebody; or of Ada and a weak bot."""
    letters = "ho" if other else "hb"
    wanted = order("burgbaumeister", letters, mine=(FIRST,), rated=True, hints=False)
    table = (await host.create(wanted, ADA)).charter.id
    if other:
        await host.sit(table, SECOND, other)
    return table


async def over(host: Host, table: str) -> None:
    """Play to the end, seat by seat, whatever bots leave to do; and count it."""
    async with asyncio.timeout(60):
        while (seen := await host.table(table)).status is not Status.OVER:
            if seen.occupants[seen.deciding[0]].person:
                await some(host, table, 1)
            else:
                await asyncio.sleep(0.005)  # a bot's turn
    await host.service(ResultsWorker).count_all()


async def some(host: Host, table: str, moves: int) -> None:
    """Let people make so many moves. Ada plays well."""
    for _ in range(moves):
        seen = await host.table(table)
        seat = seen.deciding[0]
        await move(host, table, seat, word(seen, seat, strong=seat == FIRST))


async def rating(host: Host, guest: str = ADA.id) -> float:
    """How strong a guest is taken to be; 1500 before the first rated game."""

    def read(transaction: Transaction) -> float:
        wanted = sa.select(RATINGS.c.mu, RATINGS.c.sigma).where(RATINGS.c.guest == guest)
        row = transaction.execute(wanted).first()
        return shown(Skill(row.mu, row.sigma)).mean if row else 1500.0

    return await host.store.read(read)


async def prove(host: Host, *guests: str, games: int = 5) -> None:
    """These have played so many rated games before."""
    rows: list[dict[str, Any]] = [
        {"game": "burgbaumeister", "guest": guest, **beginner()._asdict(), "games": games}
        for guest in guests
    ]
    add = sa.insert(RATINGS).values(changed=0)
    await host.store.write("test", lambda each: each.connection.execute(add, rows).rowcount)


# --- The attacks -----------------------------------------------------------------------------


async def test_a_bot_wins_nothing_for_anybody(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four games against a weak bot that a stronger one plays for a guest who is away."""
    monkeypatch.setattr(BotWorkers, "choose", by_level)
    won = 0
    async with opened(folder) as host:
        for _ in range(4):
            table = await begun(host, None)
            await host.hand_over(table, FIRST, STRONG)
            await over(host, table)
            outcome = (await host.table(table)).outcome
            won += bool(outcome and outcome.ranks[FIRST] == 1)
        assert won == 4
        assert await rating(host) == 1500


@pytest.mark.slow
async def test_guests_who_leave_at_once_lift_nobody(folder: str) -> None:
    """Eight of them sit down with somebody and go, and bots play all the games."""
    async with opened(folder) as host:
        for number in range(8):
            table = await begun(host, Guest(f"guest {number}", "Eve"))
            await host.stand(table, SECOND)
            await host.hand_over(table, FIRST, WEAK)
            await over(host, table)
        assert await rating(host) == 1500


@pytest.mark.slow
async def test_newcomers_who_lose_on_purpose_lift_nobody(folder: str) -> None:
    """Also those who play to the end. Theirs fall once the other is proven."""
    async with opened(folder) as host:
        for number in range(8):
            await over(host, await begun(host, Guest(f"guest {number}", "Eve")))
            known = await rating(host, f"guest {number}")
            assert known == 1500 if number < ratings.PROVEN else known < 1500
        assert await rating(host) == 1500


# --- The rules -------------------------------------------------------------------------------


async def moved(host: Host, play: Callable[[str], Awaitable[object]]) -> tuple[float, float]:
    """How far the ratings of Ada and Bob move, both proven, when a game is played like this."""
    await prove(host, ADA.id, BOB.id)
    table = await begun(host, BOB)
    await play(table)
    await over(host, table)
    return await rating(host) - 1500, await rating(host, BOB.id) - 1500


async def test_people_who_play_are_rated(folder: str) -> None:
    """As ever: one gains what the other loses."""
    async with opened(folder) as host:
        ada, bob = await moved(host, lambda table: some(host, table, 1))
    assert ada == pytest.approx(-bob)
    assert ada


async def test_whoever_leaves_late_is_behind(folder: str) -> None:
    """A loss cannot be avoided by leaving when it shows."""
    async with opened(folder) as host:

        async def leave(table: str) -> None:
            await some(host, table, 30)
            await host.stand(table, SECOND)

        ada, bob = await moved(host, leave)
    assert ada > 0 > bob


async def test_whoever_leaves_early_leaves_no_rating(folder: str) -> None:
    """It counts for nobody."""
    async with opened(folder) as host:

        async def leave(table: str) -> None:
            await some(host, table, 4)
            await host.stand(table, SECOND)

        assert await moved(host, leave) == (0, 0)


@pytest.mark.parametrize(("seat", "expected"), [(FIRST, "nobody gains"), (SECOND, "both move")])
async def test_whoever_is_away_for_a_while_can_only_lose(
    folder: str, seat: Seat, expected: str
) -> None:
    """Ada wins, but a bot decided once for her; or for Bob, who loses all the same."""
    async with opened(folder) as host:

        async def away(table: str) -> None:
            await some(host, table, 3)
            while (await host.table(table)).deciding[0] != seat:
                await some(host, table, 1)
            await host.hand_over(table, seat, WEAK)
            before = len((await host.table(table)).plays)
            while len((await host.table(table)).plays) == before:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.005)
            await host.come_back(table, seat)

        ada, bob = await moved(host, away)
    assert bob < 0
    assert (ada > 0) == (expected == "both move")
    assert ada >= 0


async def weight(host: Host, table: str) -> float:
    """How much a game counted, for everybody alike."""
    terms = store.RATING_TERMS
    wanted = sa.select(terms.c.weight).where(terms.c.table_id == table).distinct()
    return await host.store.read(lambda each: each.connection.scalars(wanted).one())


@pytest.mark.slow
async def test_the_same_pair_counts_less_and_less(folder: str) -> None:
    """Five games of a month count fully; with somebody else all is as before."""
    async with opened(folder) as host:
        await prove(host, ADA.id, BOB.id, "cleo")
        weights: list[float] = []
        for guest in (*[BOB] * 7, Guest("cleo", "Cleo")):
            table = await begun(host, guest)
            await over(host, table)
            weights.append(await weight(host, table))
    assert weights == [1, 1, 1, 1, 1, 5 / 6, 5 / 7, 1]


def test_terms_are_applied() -> None:
    """Who is not proven moves nobody and is moved; a bot's help gains nothing; weights scale."""
    win, lose = (
        ratings.PlayerResult(Seat(0), "ada", "", 1, 0),
        ratings.PlayerResult(Seat(1), "bob", "", 2, 0),
    )

    def after(*terms: ratings.Terms) -> list[float]:
        rated = rate("mauer", [win, lose], [None, None], [1, 2], terms)
        return [each.after.mu - each.before.mu for each in rated if each]

    plain = ratings.Terms()
    gain, loss = after(plain, plain)
    assert gain > 0 > loss
    assert after(plain, plain._replace(proven=False)) == [0, loss]
    assert after(plain._replace(proven=False), plain) == [gain, 0]
    assert after(plain._replace(helped=True), plain) == [0, loss]
    assert after(plain, plain._replace(helped=True)) == [gain, loss]
    assert after(plain._replace(weight=0.5), plain) == [pytest.approx(gain / 2), loss]


def test_how_much_a_game_counts() -> None:
    """The sixth of a month counts five sixths."""
    assert [ratings.weight_of(games) for games in (0, 4, 5, 9)] == [1, 1, 5 / 6, 0.5]


# --- A host takes a game out -----------------------------------------------------------------


async def results_of(host: Host, table: str) -> list[tuple[Any, ...]]:
    """The lines of a game: places, and ratings before and after."""
    columns = (RESULTS.c.place, RESULTS.c.mu_before, RESULTS.c.mu)
    wanted = sa.select(*columns).where(RESULTS.c.table_id == table).order_by(RESULTS.c.line)
    return await host.store.read(lambda each: [tuple(row) for row in each.execute(wanted)])


@pytest.mark.slow
async def test_a_game_that_is_void_was_never_rated(place: str) -> None:
    """The ratings of everybody are as if it had not been, also those that followed from it."""
    async with opened(place) as host:
        for _ in range(6):  # nobody moves anybody for five games
            await over(host, await begun(host, BOB))
        before = await rating(host), await rating(host, BOB.id)
        assert before != (1500, 1500)
        third = await begun(host, BOB)
        await over(host, third)
        last = await begun(host, BOB)
        await over(host, last)
        assert (await rating(host), await rating(host, BOB.id)) != before
        action = actions.VoidGame(third, "made up")
        assert await host.store.write("page", lambda it: moderation.carry_out(it, action))
        places, *_ = zip(*await results_of(host, third), strict=True)
        assert set(places) == {1, 2}
        assert all(mu is None for _, _, mu in await results_of(host, third))
        (_, mu_before, _), _ = await results_of(host, last)
        assert shown(Skill(mu_before, 1)).mean == pytest.approx(before[0])
        faults = await host.store.read(lambda it: [*store.rating_faults(it.connection)])
        assert faults == []
        entries = await moderation.audit_log(host.store, most=1)
        assert [(each.action, each.what) for each in entries] == [("void-game", third)]
        with pytest.raises(AdminError, match="no game that was rated"):
            await host.store.write("page", lambda it: moderation.carry_out(it, action))
        assert (await moderation.tables(host.store))[0].rated  # the last one
        listed = {each.card.id: each.rated for each in await moderation.tables(host.store)}
        assert (listed[third], listed[last]) == (False, True)
