"""Burgbaumeister, a turn: BB-5 to BB-9."""

import pytest
from tests.support.castle_table import ADA, StartCastle
from tests.support.game_table import AnyTable, StartTable

from mauerwerk.core.errors import IllegalMoveError
from mauerwerk.core.game import NATURE
from mauerwerk.games.burgbaumeister.events import Added, Left, Shown, Turned
from mauerwerk.games.burgbaumeister.values import Card, Show


@pytest.mark.rule("BB-5")
def test_a_turned_card_is_seen_by_all(start_table: StartTable) -> None:
    """Turn any card of the depot; everybody learns which it is (BB-5)."""
    table = start_table(3)
    told = table.play("0:e3 ~:44")

    for who in table.viewers:
        assert told.only(Turned, who) == Turned(ADA, 22)
        assert told.only(Shown, who) == Shown(ADA, 22, Card(44))
        assert table.view(who).turned.card == Card(44)


@pytest.mark.rule("BB-5")
def test_one_card_a_turn_by_the_one_whose_turn_it_is(table: AnyTable) -> None:
    """Nobody else turns a card, and nobody turns a second one (BB-5)."""
    assert table.legal(1) == ""
    assert table.why_not("1:a1") == "BB-5"
    table.play("0:a1")
    assert [table.why_not(word) for word in ("0:a2", "1:a2")] == ["BB-9", "BB-9"]
    table.play("~:9")
    assert [table.why_not(word) for word in ("0:a2", "1:+", "~:9")] == ["BB-6"] * 3


@pytest.mark.rule("BB-5")
def test_only_what_lies_in_the_depot_can_be_turned(table: AnyTable) -> None:
    """Where a card was taken there is none any more (BB-5)."""
    table.play("0:a1 ~:9 0:+")

    assert table.why_not("1:a1") == "BB-5"
    assert "a1" not in table.legal(1).split()
    assert len(table.legal(1).split()) == 44


@pytest.mark.rule("BB-6", "BB-4")
def test_add_it_or_leave_it_then_the_next_clockwise(start_table: StartTable) -> None:
    """After either the turn passes to the left (BB-6)."""
    table = start_table(3)

    table.play("0:a1 ~:9")
    assert table.legal(0) == "+ -"
    table.play("0:+ 1:b1 ~:30 1:- 2:c1 ~:5")
    assert table.to_act == (2,)
    table.play("2:-")
    assert table.to_act == (0,)


@pytest.mark.rule("BB-7")
@pytest.mark.parametrize(("number", "choices"), [(18, "-"), (20, "+ -"), (46, "+ -"), (2, "-")])
def test_numbers_rise(castle: StartCastle, number: int, choices: str) -> None:
    """A card is added only if it is higher than the last one (BB-7)."""
    table = castle("4 19 | .")
    table.play(f"0:a1 ~:{number}")

    assert table.legal(0) == choices


@pytest.mark.rule("BB-7")
def test_a_card_is_added_at_the_right_end(castle: StartCastle) -> None:
    """The wall grows to the right and keeps its order (BB-7)."""
    table = castle("4 19 | 3")
    told = table.play("0:a1 ~:21 0:+")

    assert table.walls == "4 19 21 | 3"
    assert told.only(Added) == Added(ADA, 0, Card(21))


@pytest.mark.rule("BB-7")
def test_a_card_that_is_too_low_is_refused(castle: StartCastle) -> None:
    """The refusal names the clause and changes nothing (BB-7)."""
    table = castle("4 19 | 3")
    table.play("0:a1 ~:6")
    before = table.state

    with pytest.raises(IllegalMoveError, match=r"seat 1 may not play '\+' here: .* \(BB-7\)"):
        table.play("0:+")
    assert table.state == before


@pytest.mark.rule("BB-8")
def test_a_card_that_fits_may_be_left(castle: StartCastle) -> None:
    """It stays in its place, face down (BB-8)."""
    table = castle("4 | .")
    told = table.play("0:a1 ~:5 0:-")

    assert table.walls == "4 | ."
    assert told.only(Left) == Left(ADA)
    assert table.view(1).turned is None
    assert "a1" in table.legal(1).split()


@pytest.mark.rule("BB-8")
def test_leaving_is_asked_even_when_nothing_else_is_possible(castle: StartCastle) -> None:
    """A card that does not fit is looked at before it is turned back (BB-8)."""
    table = castle("40 | .")
    table.play("0:a1 ~:5")

    assert (table.to_act, table.legal(0)) == ((0,), "-")


@pytest.mark.rule("BB-9")
def test_a_card_keeps_its_number(table: AnyTable) -> None:
    """Turned again, it is the same card, and nature is asked all the same (BB-9)."""
    table.play("0:a1 ~:9 0:- 1:a1")

    assert table.to_act == (NATURE,)
    assert table.game.odds(table.state) == {Show(9): 1}
    assert table.why_not("~:10") == "BB-9"


@pytest.mark.rule("BB-9", "BB-1")
def test_no_number_is_dealt_twice(table: AnyTable) -> None:
    """What was seen elsewhere, or is in a wall, cannot come up again (BB-1, BB-9)."""
    table.play("0:a1 ~:9 0:- 1:b1 ~:12 1:+ 0:c1")

    assert [table.why_not(f"~:{number}") for number in (9, 12, 13)] == ["BB-9", "BB-9", ""]
    assert len(table.legal(NATURE).split()) == 43
