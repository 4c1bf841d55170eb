"""The rules of the fourth game change: what was begun under the old ones goes on under them."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from tests.fourth_game.game import BREACH, Breach
from tests.support.driven_table import ADA, BOB, CLEO, SEED, order
from tests.support.hosts import SEATS, folder, opened, play

from mauerwerk.bots.levels import LEVELS, levels_of, sit
from mauerwerk.core import record
from mauerwerk.core.game import Outcome, Seat
from mauerwerk.core.record import RecordError
from mauerwerk.core.registry import RegistryError
from mauerwerk.games import GAMES, game_in, game_of, is_current
from mauerwerk.server.engine.thinking import CHANCE, Turn, choose_simply
from mauerwerk.server.games import web_game
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import charter_for
from mauerwerk.server.tables.errors import OtherRulesError
from mauerwerk.server.tables.folding import fold
from mauerwerk.server.tables.requests import PendingEntries
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.table_views import sight
from mauerwerk.server.tables.transcript import transcript

__all__ = ["folder"]


class SecondBreach(Breach):
    """The game with its second rules: whoever has most stones left wins."""

    RULES = 2
    EARLIER: tuple[Breach, ...] = (BREACH,)

    def outcome(self, state: Any, /) -> Outcome | None:  # noqa: ANN401 - the game's own
        """The other way round."""
        before = super().outcome(state)
        if before is None:
            return None
        return Outcome(tuple(4 - rank for rank in before.ranks), before.points, before.reason)


class ForgetfulBreach(SecondBreach):
    """The same, without the rules as they were."""

    EARLIER = ()


@contextmanager
def playing(game: Breach) -> Generator[Breach, None, None]:
    """The fourth game has these rules meanwhile."""
    before = GAMES["breach"]
    GAMES["breach"] = game
    yield game
    del GAMES["breach"]
    if GAMES["breach"] is not before:
        GAMES["breach"] = before


@pytest.fixture
def second() -> Iterator[Breach]:
    """The rules have changed, and the old ones are kept."""
    with playing(SecondBreach()) as game:
        yield game


@pytest.fixture
def forgetful() -> Iterator[Breach]:
    """The rules have changed, and the old ones are gone."""
    with playing(ForgetfulBreach()) as game:
        yield game


def begun() -> Table:
    """A table under the first rules, as they were then."""
    charter = charter_for(order("breach", "hhh", options={"rounds": "1"}), "table", SEED, 1_000)
    sitting = {Seat(seat): guest for seat, guest in enumerate((ADA, BOB, CLEO))}
    return requests.set_up(charter, SEED, sitting).table


def played_on(table: Table) -> Table:
    """The same table, read again, and played to the end."""
    again = fold(table.charter, [logged.entry for logged in table.log])
    for seat, word in ((0, "6"), (1, "0"), (2, "1")):
        pending = PendingEntries(again, SEED, 2_000)
        requests.move(pending, Seat(seat), word, again.number(Seat(seat)))
        again = pending.table
    return again


def test_a_table_is_played_on_by_its_own_rules(second: Breach) -> None:
    """It ends as the first rules say, and so does its record."""
    first = begun_before()
    over = played_on(first)

    assert second.RULES == 2
    assert (over.status, over.game) == (Status.OVER, BREACH)
    assert over.outcome is not None
    assert over.outcome.ranks[0] == 1
    text = transcript(over, SEED)
    assert text.startswith("breach/1 ")
    assert record.read(text, GAMES) == over.record()
    assert game_in(over.record()) is BREACH


def begun_before() -> Table:
    """A table that was begun before the rules changed."""
    with playing(BREACH):
        return begun()


@pytest.mark.usefixtures("second")
def test_new_tables_have_the_new_rules() -> None:
    """And end as those say."""
    table = begun()
    over = played_on(table)

    assert table.charter.rules == 2
    assert over.outcome is not None
    assert over.outcome.ranks[0] == 3


@pytest.mark.usefixtures("second")
def test_what_is_known_of_the_new_rules_is_not_used_for_the_old() -> None:
    """No room, no kernel, no board of its own: bots and pages take what the rules alone give."""
    old = game_of("breach", 1)
    assert old is not None
    assert old is BREACH
    assert not is_current(old)
    assert list(levels_of(old)) == ["apprentice"]
    assert web_game("breach", 1) is not web_game("breach")
    table = begun_before()
    seen = sight(table, Seat(0))
    turn = Turn("breach", 1, table.setup, seen)
    assert old.parse(choose_simply("greedy", turn)) in seen.legal
    bot = sit(LEVELS["master"], old, table.setup, CHANCE)
    assert bot.act(seen, 0.0) in seen.legal


@pytest.mark.usefixtures("forgetful")
def test_a_table_of_unknown_rules_is_not_read() -> None:
    """Neither is its record: nothing is guessed."""
    table = begun_before()
    with pytest.raises(OtherRulesError):
        fold(table.charter, [logged.entry for logged in table.log])
    with pytest.raises(RecordError, match="plays breach by revision 2 of its rules"):
        record.read("breach/1 seats=3 rounds=1\n", GAMES)


@pytest.mark.anyio
async def test_what_began_with_moves_has_no_rematch_under_other_rules(folder: str) -> None:
    """They were played by the old rules; both are named. Without such moves there is a rematch."""
    async with opened(folder) as host:
        breach = partial(order, "breach", "hhh", options={"rounds": "1"}, mine=SEATS)
        plain, begun = [
            (await host.create(each, ADA)).charter.id
            for each in (breach(), breach(moves=("~:w1",)))
        ]
        for table in (plain, begun):
            await play(host, table, "0:6 1:0 2:1")
        with playing(SecondBreach()):
            assert await host.rematch(plain, ADA)
            with pytest.raises(OtherRulesError, match="by breach/1; this program has breach/2"):
                await host.rematch(begun, ADA)


def test_earlier_rules_must_be_earlier() -> None:
    """A registry refuses others."""
    wrong = SecondBreach()
    wrong.EARLIER = (ForgetfulBreach(),)
    with pytest.raises(RegistryError, match="those of breach before revision 2"):
        GAMES["breach"] = wrong
    other = Breach()
    other.NAME, other.RULES = "tower", 1
    wrong.EARLIER = (other,)
    with pytest.raises(RegistryError, match="those of breach before revision 2"):
        GAMES["breach"] = wrong
