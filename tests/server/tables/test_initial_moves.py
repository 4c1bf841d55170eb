"""A table that begins with moves: a game that was begun elsewhere goes on here."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests.support.driven_table import ADA, SEED, DrivenTable, order, refused, start_table
from tests.support.hosts import folder, opened

from mauerwerk.cli.verify import verify
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Seat
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES
from mauerwerk.server.database.connect import engine_of
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.tables import requests, transcript
from mauerwerk.server.tables.charter import MOST_GIVEN, Charter, Guest, charter_for
from mauerwerk.server.tables.errors import RequestError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.seed import nature_word
from mauerwerk.server.tables.table import Status
from mauerwerk.server.tables.undo import Way

__all__ = ["folder"]

BEGUN = ("~:@2", "0:T", "1:4", "2:4", "1:>")
"""Cleo is the master builder by lot; Bob built, as the only one with that plan."""

LOT = {"rounds": "1", "stall": "1", "first": "lot"}


def words(driven: DrivenTable) -> list[str]:
    """The moves that stand, as a record writes them."""
    return [str(Move(play.seat, play.word)) for play in driven.table.plays]


@pytest.fixture
def driven() -> DrivenTable:
    """Die Mauer for three, in its second turn."""
    return start_table(options=LOT, moves=BEGUN)


# --- Beginning -------------------------------------------------------------------------------


def test_the_game_goes_on_behind_the_moves_that_were_given(driven: DrivenTable) -> None:
    """The log has them after the start, and all seats are asked what comes next."""
    assert words(driven) == list(BEGUN)
    kinds = [logged.entry.kind for logged in driven.table.log]
    assert kinds == [Kind.SIT] * 3 + [Kind.START] + [Kind.MOVE] * 5
    assert driven.table.waiting == (0, 1, 2)
    assert driven.table.charter.given == driven.table_view(None).initial_moves == 5

    driven.play("0:- 1:- 2:-")
    assert driven.table.status is Status.OVER


def test_everybody_is_told_the_story_so_far(driven: DrivenTable) -> None:
    """They are told it as if they had sat there, with the usual secrets (DM-5)."""
    told = driven.history(1)
    assert [notice.seat for notice in told[4:]] == [NATURE, 0, 1, 2, 1]
    assert told[5].events[0].plan is None
    assert driven.history(0)[5].events[0].plan is not None


def test_then_nature_goes_on_from_the_seed() -> None:
    """With the dealing given in Mauerbauer, the next roll comes from the seed."""
    dealt = start_table("mauerbauer", "hh", options={"first": "1", "board": "small"})
    hands = tuple(words(dealt))
    again = start_table("mauerbauer", "hh", options=dealt.table.charter.options, moves=hands)
    assert again.table.state == dealt.table.state
    line = again.legal(1)[0]
    state = again.table.game.apply(again.table.state, Seat(1), again.table.game.parse(line)).state

    again.move(1, line)

    roll = again.table.plays[-1]
    assert roll.seat == NATURE
    assert roll.word == nature_word(again.table.game, state, SEED, "0:all:0")


def test_what_nature_owes_at_the_end_of_the_moves_is_drawn() -> None:
    """With three of twelve cards given, the other nine come from the seed."""
    dealt = start_table("mauerbauer", "hh", options={"first": "1"})
    three = tuple(words(dealt)[:3])

    again = start_table("mauerbauer", "hh", options={"first": "1"}, moves=three)

    assert words(again)[:3] == list(three)
    assert len(again.table.plays) == 12
    assert again.table.waiting == (1,)


def test_moves_wait_until_every_seat_is_taken() -> None:
    """Nothing is played before that."""
    driven = start_table(letters="hho", guests=lay_guests(), options=LOT, moves=BEGUN)
    assert (driven.table.status, words(driven)) == (Status.OPEN, [])

    driven.do(requests.sit, None, ADA)

    assert words(driven) == list(BEGUN)


def lay_guests() -> list[Guest]:
    """Two who sit from the beginning."""
    return [Guest("dan", "Dan"), Guest("eve", "Eve")]


def test_an_old_charter_is_read_as_one_without_moves() -> None:
    """Charters from before tables could begin with moves have none."""
    charter = start_table().table.charter
    kept = msgspec.json.decode(msgspec.json.encode(charter))
    del kept["moves"]
    assert msgspec.convert(kept, Charter) == charter


# --- What is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "because"),
    [
        (("~:@2", "0:T", "1:4", "2:4", "1:<"), r"move 5 .*seat 2 may not play '<' .*DM-8"),
        (("~:@2", "0:T", "1:x"), "move 3 .*'x' is not a move"),
        (("~:@2", "7:T"), "move 2 .*'7:T' is not a seat below 3"),
        (("0:T",), "move 1 .*seat 1 may not play 'T'"),
        (("~:@2 0:T",), "single words"),
        (("~:@2", "# 0:T"), "single words"),
        (("~:@2", ""), "single words"),
        ((*BEGUN, "0:-", "1:-", "2:-"), "nothing left to play"),
        ((*BEGUN, "0:-", "1:-", "2:-", "= 0:41 1:37 2:41 stall"), "single words"),
        (("~:@2",) * (MOST_GIVEN + 1), "at most 3000 moves"),
    ],
)
def test_moves_that_lead_nowhere_are_refused(moves: tuple[str, ...], because: str) -> None:
    """One line names the move and the reason, before there is a table."""
    with refused(SetupError, because) as fault:
        charter_for(order(options=LOT, moves=moves), "table", SEED, 0)
    assert "\n" not in str(fault.value)


def test_as_many_moves_are_given_as_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no more."""
    monkeypatch.setattr("mauerwerk.server.tables.charter.MOST_GIVEN", len(BEGUN))
    assert charter_for(order(options=LOT, moves=BEGUN), "table", SEED, 0).given
    with refused(SetupError, "at most"):
        charter_for(order(options=LOT, moves=(*BEGUN, "0:-")), "table", SEED, 0)


# --- They stand ------------------------------------------------------------------------------


def test_nobody_takes_back_what_was_given(driven: DrivenTable) -> None:
    """This holds even if all agree."""
    assert [driven.table_view(seat).undo for seat in range(3)] == [Way.NO] * 3
    with refused(RequestError, "nothing to take back"):
        driven.take_back(1)


def test_taking_back_ends_where_the_given_moves_do() -> None:
    """Ada's fist was given; Bob and Cleo close theirs here, and may open them again (DM-5)."""
    driven = start_table(options=LOT, moves=BEGUN[:2])
    assert driven.table.waiting == (1, 2)
    driven.play("1:4 2:4")
    driven.take_back(1)
    driven.consent(0)
    driven.consent(2)

    assert words(driven) == list(BEGUN[:2])
    assert driven.table.waiting == (1, 2)
    driven.play("2:4 1:4 1:>")
    assert words(driven) == ["~:@2", "0:T", "2:4", "1:4", "1:>"]


def test_a_fist_that_was_given_stays_closed() -> None:
    """Its owner can neither change nor open it while the others choose."""
    driven = start_table(options=LOT, moves=BEGUN[:2])
    assert driven.table_view(0).legal == ()
    assert not driven.table_view(0).replaces_choice
    assert driven.table_view(0).undo is Way.NO
    driven.play("1:4 1:T")
    driven.take_back(1)
    assert words(driven) == list(BEGUN[:2])


# --- The truth about it ----------------------------------------------------------------------


def test_the_record_says_how_many_moves_were_given(driven: DrivenTable, tmp_path: Path) -> None:
    """Verifying the record claims nothing about them."""
    driven.play("0:- 1:- 2:-")
    text = transcript.transcript(driven.table, SEED)
    assert text.endswith(" numbers=4-11 given=5\n")
    assert transcript.read(text, GAMES).fairness.given == 5
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")

    told = CliRunner().invoke(verify, [str(file)])

    assert told.exit_code == 0
    assert told.output.startswith("0 moves of nature checked; commitment")
    assert "5 moves given at the start, 1 of nature's among them: not drawn" in told.output


@pytest.mark.anyio
async def test_the_doctor_knows_them(folder: str) -> None:
    """A table that began with moves is sound; one whose log has other moves is not."""
    async with opened(folder) as host:
        mine = (Seat(0), Seat(1), Seat(2))
        await host.create(order(options=LOT, moves=BEGUN, mine=mine), ADA)
    (found,) = examine(folder)
    assert found.faults == ()

    with engine_of(folder, writing=True).begin() as connection:
        connection.exec_driver_sql("UPDATE entries SET word = '@1' WHERE seq = 4")

    (found,) = examine(folder)
    assert found.faults[0] == "entry 4: ~:@1, but ~:@2 was given"


@pytest.mark.anyio
async def test_a_rematch_begins_with_the_same_moves(folder: str) -> None:
    """Players who tried a position can try it again."""
    async with opened(folder) as host:
        mine = (Seat(0), Seat(1), Seat(2))
        table = await host.create(order(options=LOT, moves=BEGUN, mine=mine), ADA)
        for seat in mine:
            number = (await host.table(table.charter.id)).number(seat)
            await host.move(table.charter.id, seat, "-", number, "")
        again = await host.table(await host.rematch(table.charter.id, ADA))
    assert again.charter.moves == BEGUN
    assert again.status is Status.RUNNING


def test_strangers_are_not_invited_to_what_somebody_brought() -> None:
    """The lobby could not say that the game was begun, or that somebody rolls the dice."""
    with refused(SetupError, "is not listed"):
        start_table(options=LOT, public=True, moves=BEGUN)
    with refused(SetupError, "is not listed"):
        start_table(options=LOT, public=True, dice="players")
