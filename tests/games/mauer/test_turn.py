"""Die Mauer, a turn: planning and the way of the stone, DM-5 to DM-7."""

from itertools import permutations

import pytest
from tests.games.mauer.conftest import FULL, StartMauer

from mauerwerk.games.mauer.events import FistsOpened, StonePassed
from mauerwerk.games.mauer.values import Planning


@pytest.mark.rule("DM-5")
def test_everybody_plans_at_the_same_time(mauer_table: StartMauer) -> None:
    """Master builder and rivals all choose, and nobody waits for another (DM-5)."""
    table = mauer_table(master=1)

    asked = [table.to_act]
    for word in ("1:T", "2:-"):
        table.play(word)
        asked.append(table.to_act)

    assert asked == [(0, 1, 2), (0, 2), (0,)]


@pytest.mark.rule("DM-5")
def test_a_plan_is_a_piece_of_ones_own_or_the_empty_fist(mauer_table: StartMauer) -> None:
    """Each may plan what is in the own hand, or nothing, and no more (DM-5)."""
    table = mauer_table(hands="T C26 TC12346")

    assert [table.legal(seat) for seat in range(3)] == ["T -", "C 2 6 -", "T C 1 2 3 4 6 -"]


@pytest.mark.rule("DM-5")
def test_the_fists_open_when_the_last_one_is_closed(mauer_table: StartMauer) -> None:
    """Nothing is revealed before all have planned; then everything at once (DM-5)."""
    table = mauer_table(hands=f"{FULL} {FULL} {FULL} {FULL}")

    assert table.play("3:- 0:T 2:4").of(FistsOpened) == ()
    opened = table.play("1:4").only(FistsOpened)

    assert [table.game.write(plan) for plan in opened.fists] == ["T", "4", "4", "-"]


@pytest.mark.rule("DM-5")
def test_the_order_of_closing_fists_does_not_matter(mauer_table: StartMauer) -> None:
    """All are revealed at the same time, so who was first is of no use (DM-5)."""
    tables = [mauer_table() for _ in range(6)]
    for table, order in zip(tables, permutations(("0:4", "1:4", "2:-")), strict=True):
        table.play(" ".join(order))

    assert {table.state for table in tables} == {tables[0].state}
    assert tables[0].to_act == (1,)


@pytest.mark.rule("DM-6")
@pytest.mark.parametrize("piece", ["T", "C"])
def test_a_piece_that_fits_nowhere_may_be_planned(mauer_table: StartMauer, piece: str) -> None:
    """Between tower and gate no tower fits; everybody may plan one all the same (DM-6)."""
    table = mauer_table(wall="T4C", hands=f"TC1 {FULL} {FULL}")

    assert piece in table.legal(0).split()
    assert piece in table.legal(1).split()
    table.open_fists(piece * 3)
    assert table.wall == "T4C"


TURNS = {
    "the master builder builds": ("", "46T", "0:>"),
    "a rival builds": ("", "446", "1:>"),
    "two rivals build": ("", "444", "1:> 2:<"),
    "too many rivals": ("4T", "CCC", "0:<"),
    "it fits nowhere": ("T4C", "TT4", ""),
    "a choice": ("T", "-T4", "0:!4 0:>"),
    "a gift": ("T", "-T-", "2:*C"),
    "nothing happens": ("T", "---", ""),
}


@pytest.mark.rule("DM-7", "DM-22")
@pytest.mark.parametrize("master", [0, 1, 2])
@pytest.mark.parametrize("kind", TURNS)
def test_the_stone_passes_to_the_left_after_every_turn(
    mauer_table: StartMauer, kind: str, master: int
) -> None:
    """Whatever happened, the next master builder is the next clockwise (DM-7, DM-22)."""
    wall, plans, rest = TURNS[kind]
    table = mauer_table(wall=wall, master=master)
    seat_of = [(master + step) % 3 for step in range(3)]
    opened = " ".join(f"{seat}:{plan}" for seat, plan in zip(seat_of, plans, strict=True))
    closing = " ".join(f"{seat_of[int(word[0])]}{word[1:]}" for word in rest.split())

    told = table.play(f"{opened} {closing}")

    assert isinstance(table.state, Planning)
    assert table.master == seat_of[1]
    assert [told.only(StonePassed, who).master for who in table.viewers] == [seat_of[1]] * 4
    assert table.game.turn(table.state) == 1


@pytest.mark.rule("DM-7", "DM-22")
def test_the_stone_passes_when_the_master_builder_can_build_nothing(
    mauer_table: StartMauer,
) -> None:
    """An empty fist with nothing that fits is a turn like any other (DM-7, DM-22)."""
    table = mauer_table(wall="T4C", hands=f"TC {FULL} {FULL}")

    told = table.open_fists("-44")

    assert told.only(StonePassed).master == table.master == 1


@pytest.mark.rule("DM-7")
def test_the_stone_passes_once_however_many_build(mauer_table: StartMauer) -> None:
    """It stays where it is until the last rival has built (DM-7)."""
    table = mauer_table(master=1)

    table.play("0:4 1:4 2:4 2:>")
    assert table.master == 1
    table.play("0:>")
    assert table.master == 2
