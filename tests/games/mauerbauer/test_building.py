"""Mauerbauer, wall and dice, towers and houses: MB-10 to MB-14 and MB-19 to MB-30."""

import pytest
from tests.games.mauerbauer.conftest import StartBoard, ring

from mauerwerk.core.errors import IllegalMoveError
from mauerwerk.core.game import NATURE
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.events import EndDecided, Rolled, RolledEarly, TurnPassed
from mauerwerk.games.mauerbauer.values import (
    Building,
    Ending,
    Finishing,
    PlacingEdgeHouse,
    PlacingFirstHouse,
    PlacingFreeTower,
    PlacingRolledTower,
    PlacingSecondHouse,
    Rolling,
    Supply,
)

WALLS, TOWERS, HOUSES, PALACES = 33, (10, 10, 10), (12,) * 5, (3,) * 5
BOTH_ENDS = "Wh3 Wj3"
"""Towers on both ends of the wall h3-j3."""


def left(towers: tuple[int, ...] = TOWERS, houses: tuple[int, ...] = HOUSES) -> Supply:
    """A supply with these numbers of towers and houses, by colour."""
    return Supply(WALLS, towers, houses, PALACES)


# --- The course of a turn --------------------------------------------------------------------


@pytest.mark.rule("MB-10")
def test_a_turn_is_wall_dice_towers_houses_and_then_the_next_player(
    start_board: StartBoard,
) -> None:
    """In this order, and the dice go clockwise (MB-10)."""
    table = start_board(hands="cities; cities; city-1", builder=2)
    phases = [table.phase]
    for word in ["2:h3-j3", "~:*Br?", "2:Bh3", "2:Gj3", "2:r3i", "2:g2i"]:
        told = table.play(word)
        phases.append(table.phase)

    assert phases == [
        Building,
        Rolling,
        PlacingRolledTower,
        PlacingFreeTower,
        PlacingFirstHouse,
        PlacingSecondHouse,
        Building,
    ]
    assert told.only(TurnPassed).builder == table.builder == 0


@pytest.mark.rule("MB-10")
def test_nobody_else_builds_and_nothing_comes_before_the_wall(start_board: StartBoard) -> None:
    """Out of turn or out of order a move is refused with the clause (MB-10)."""
    table = start_board()

    assert [table.why_not(word) for word in ("1:h3-j3", "0:Bh3", "0:cities", "0:.")] == [
        "MB-10"
    ] * 4
    with pytest.raises(IllegalMoveError, match=r"seat 2 may not play 'h3-j3' here: .*\(MB-10\)"):
        table.play("1:h3-j3")
    table.play("0:h3-j3")
    assert table.to_act == (NATURE,)
    assert table.why_not("0:h1-j1") == "MB-10"


@pytest.mark.rule("MB-11")
def test_a_wall_comes_from_the_supply_and_goes_on_any_free_line(start_board: StartBoard) -> None:
    """It need not touch another wall (MB-11)."""
    table = start_board(walls="a2-b1")

    assert len(table.legal(0).split()) == 76
    table.play("0:h3-j3")
    assert table.walls == "a2-b1 h3-j3"
    assert table.supply.walls == 31


@pytest.mark.rule("MB-4", "MB-11")
def test_no_wall_on_a_wall_and_none_off_the_board(start_board: StartBoard) -> None:
    """A line is free or taken (MB-11), and only sides of triangles are lines (MB-4)."""
    table = start_board(walls="h3-j3")

    assert table.why_not("0:h3-j3") == "MB-11"
    assert [table.why_not(f"0:{word}") for word in ("j5-h5", "h3-h5", "a1-b2")] == ["MB-4"] * 3


@pytest.mark.rule("MB-12")
def test_never_inside_a_closed_city(start_board: StartBoard) -> None:
    """A line with one closed city on both sides is not free (MB-12)."""
    table = start_board(walls=ring("3h 3i"))

    assert "h3-i4" not in table.legal(0).split()
    assert table.why_not("0:h3-i4") == "MB-12"
    assert len(table.legal(0).split()) == 77 - 4 - 1


@pytest.mark.rule("MB-13")
def test_with_no_line_left_the_game_ends_at_once(start_board: StartBoard) -> None:
    """The next player cannot build, so the last scoring begins, with him first (MB-13)."""
    table = start_board(
        walls="a2-b1 a2-c2", towers="Wa2 Wb1 Wc2", hands="cities; cities land-walls", board="w"
    )

    table.play("0:b1-c2 ~:*rr 0:r1b 0:cities 1:cities 1:.")
    told = table.play("~:+city-1 ~:+city-1 0:. 1:.")

    assert told.only(EndDecided).ending is Ending.NO_LINE
    assert table.to_act == (1,)
    table.play("1:=1b 1:.  0:=- 0:.")
    assert table.outcome
    assert table.outcome.reason == "no-line"


@pytest.mark.rule("MB-13")
def test_a_turn_that_finds_no_line_is_none(start_board: StartBoard) -> None:
    """As many turns as walls were built (MB-13)."""
    table = start_board(hands=";", board="w", pile="")

    table.play("0:a2-b1 ~:*Wyy 0:Wa2 0:Wb1 0:y1b  1:a2-c2 ~:*Wgg 1:Wc2 1:g1b  0:b1-c2 ~:*bb 0:b1b")

    assert table.outcome
    assert table.outcome.reason == "no-line"
    assert mauerbauer.turn(table.state) == 3


@pytest.mark.rule("MB-14")
def test_who_rolls_too_early_loses_a_point_and_then_builds_and_rolls(
    start_board: StartBoard,
) -> None:
    """The premature roll counts for nothing and is not made; once in a turn (MB-14)."""
    table = start_board(points="5 9", early="yes")

    assert table.legal(0).split()[-1] == "!"
    told = table.play("0:!")
    assert told.only(RolledEarly).lost == 1
    assert (table.points, table.phase, table.builder) == ((4, 9), Building, 0)
    assert table.why_not("0:!") == "MB-14"
    assert table.view(1).hasty
    table.play("0:h3-j3")
    assert table.to_act == (NATURE,)


@pytest.mark.rule("MB-14")
@pytest.mark.parametrize(("before", "afterwards"), [(0, 0), (1, 1), (2, 1), (3, 2)])
def test_nobody_slides_back_behind_field_one(
    start_board: StartBoard, before: int, afterwards: int
) -> None:
    """Only who has 2 points or more loses one (MB-14)."""
    table = start_board(points=f"{before} 9", early="yes")

    table.play("0:!")

    assert table.points == (afterwards, 9)


@pytest.mark.rule("MB-14")
def test_early_rolls_are_an_option(start_board: StartBoard) -> None:
    """Unless the table says so nobody rolls early (MB-14); the next turn allows it again."""
    assert start_board().why_not("0:!") == "MB-14"
    table = start_board(points="5 5", towers=BOTH_ENDS, early="yes")

    table.play("0:! 0:h3-j3 ~:*rr 0:r3i 0:r2i")
    assert table.legal(1).split()[-1] == "!"


# --- Towers ----------------------------------------------------------------------------------


@pytest.mark.rule("MB-19")
def test_the_dice_are_told_apart(start_board: StartBoard) -> None:
    """108 rolls with the tower die, 36 without (MB-19)."""
    free, taken = start_board(), start_board(towers=BOTH_ENDS)
    free.play("0:h3-j3")
    taken.play("0:h3-j3")

    assert len(free.legal(NATURE).split()) == 108
    assert len(taken.legal(NATURE).split()) == 36


@pytest.mark.rule("MB-19", "MB-25")
def test_first_the_first_die_then_the_other(start_board: StartBoard) -> None:
    """The first house goes on either side, the second on the side that is left (MB-19, MB-25)."""
    table = start_board(towers=BOTH_ENDS)

    table.play("0:h3-j3 ~:*gb")
    assert table.legal(0) == "g2i g3i"
    table.play("0:g3i")
    assert table.legal(0) == "b2i"
    assert table.view(0).field == "2i"
    table.play("0:b2i")
    assert table.houses == "b2i g3i"


@pytest.mark.rule("MB-19")
def test_what_a_later_step_would_allow_is_refused_for_the_order(start_board: StartBoard) -> None:
    """Rolled tower, free tower, first die, second die; only whose turn it is is told so (MB-19)."""
    table = start_board()

    table.play("0:h3-j3 ~:*Brg")
    assert [table.why_not(word) for word in ("0:Wh3", "0:r3i", "0:g2i")] == ["MB-19"] * 3
    assert table.why_not("1:Wh3") == "MB-21"
    table.play("0:Bh3")
    assert [table.why_not(word) for word in ("0:r3i", "0:g2i")] == ["MB-19"] * 2
    table.play("0:Wj3")
    assert [table.why_not(word) for word in ("0:g3i", "0:g2i")] == ["MB-19"] * 2
    with pytest.raises(IllegalMoveError, match=r"'g3i' here: .* first die's house .*\(MB-19\)"):
        table.play("0:g3i")


@pytest.mark.rule("MB-19", "MB-28")
def test_on_the_edge_too_the_tower_comes_before_the_house(start_board: StartBoard) -> None:
    """A house that either die allows waits for the towers (MB-19, MB-28)."""
    table = start_board(towers="Wb1")
    table.play("0:b1-d1 ~:*Brg")

    assert [table.why_not(word) for word in ("0:r1c", "0:g1c", "0:y1c")] == [
        "MB-19",
        "MB-19",
        "MB-21",
    ]


@pytest.mark.rule("MB-20")
def test_between_two_towers_the_tower_die_is_left_out(start_board: StartBoard) -> None:
    """No tower is placed then (MB-20)."""
    table = start_board(towers=BOTH_ENDS)

    told = table.play("0:h3-j3 ~:*r?")

    assert told.only(Rolled).roll.tower is None
    assert table.phase is PlacingFirstHouse
    assert table.why_not("~:*Br?") == "MB-25"


@pytest.mark.rule("MB-20")
def test_with_a_free_end_the_tower_die_is_rolled(start_board: StartBoard) -> None:
    """One free end is enough (MB-20)."""
    table = start_board(towers="Wh3")
    table.play("0:h3-j3")

    assert table.why_not("~:*r?") == "MB-10"
    assert table.why_not("~:*Br?") == ""


@pytest.mark.rule("MB-21")
def test_the_rolled_tower_goes_on_either_free_end(start_board: StartBoard) -> None:
    """With two free ends the player chooses; no other colour and no other place (MB-21)."""
    table = start_board()
    table.play("0:h3-j3 ~:*Brr")

    assert table.legal(0) == "Bh3 Bj3"
    assert [table.why_not(word) for word in ("0:Wa2", "0:Ba2", "0:y3i", "1:Bh3")] == ["MB-21"] * 4


@pytest.mark.rule("MB-21")
def test_the_only_free_end_is_asked_for_too(start_board: StartBoard) -> None:
    """With a tower on one end the other gets the rolled one, and no second follows (MB-21)."""
    table = start_board(towers="Wh3")
    table.play("0:h3-j3 ~:*Brr")

    assert table.legal(0) == "Bj3"
    assert table.why_not("0:Wj3") == "MB-21"
    table.play("0:Bj3")
    assert (table.towers, table.phase) == ("Wh3 Bj3", PlacingFirstHouse)


@pytest.mark.rule("MB-22")
def test_the_other_end_gets_any_colour_in_supply(start_board: StartBoard) -> None:
    """The player must place it and chooses its colour (MB-22)."""
    table = start_board(supply=left(towers=(4, 0, 4)))
    table.play("0:h3-j3 ~:*Brr 0:Bj3")

    assert table.legal(0) == "Wh3 Bh3"
    assert [table.why_not(word) for word in ("0:Gh3", "0:Wj3", "0:y3i")] == ["MB-22"] * 3


@pytest.mark.rule("MB-23")
def test_a_rolled_tower_that_is_out_becomes_any_other(start_board: StartBoard) -> None:
    """Any colour in supply on either end (MB-23)."""
    table = start_board(supply=left(towers=(4, 4, 0)))
    table.play("0:h3-j3 ~:*Brr")

    assert table.legal(0) == "Wh3 Gh3 Wj3 Gj3"


@pytest.mark.rule("MB-24")
def test_the_last_tower_goes_on_the_end_that_the_player_chooses(start_board: StartBoard) -> None:
    """Two are needed and one is there: it is placed, and the game will end (MB-24, MB-70)."""
    table = start_board(supply=left(towers=(0, 1, 0)))
    table.play("0:h3-j3 ~:*Brr")

    assert table.legal(0) == "Gh3 Gj3"
    told = table.play("0:Gj3")
    assert told.only(EndDecided).ending is Ending.TOWERS
    assert (table.towers, table.phase) == ("Gj3", PlacingFirstHouse)


# --- Houses ----------------------------------------------------------------------------------


@pytest.mark.rule("MB-25")
def test_a_house_goes_nowhere_but_beside_the_wall(start_board: StartBoard) -> None:
    """One on each side, by the dice (MB-25)."""
    table = start_board(towers=BOTH_ENDS)
    table.play("0:h3-j3 ~:*rg")

    assert [table.why_not(word) for word in ("0:y3i", "0:r1b", "0:Wh3")] == ["MB-25"] * 3
    table.play("0:r3i")
    assert [table.why_not(word) for word in ("0:g3i", "0:r2i")] == ["MB-25"] * 2


@pytest.mark.rule("MB-26")
def test_the_question_mark_is_any_colour_in_supply(start_board: StartBoard) -> None:
    """A free choice, but not of what is out (MB-26)."""
    table = start_board(towers=BOTH_ENDS, supply=left(houses=(9, 0, 9, 9, 9)))
    table.play("0:h3-j3 ~:*?r")

    assert table.legal(0) == "y2i b2i p2i r2i y3i b3i p3i r3i"


@pytest.mark.rule("MB-27")
def test_a_colour_that_is_out_becomes_any_other(start_board: StartBoard) -> None:
    """Both dice show red and one red house is left: then it is out (MB-27)."""
    table = start_board(towers=BOTH_ENDS, supply=left(houses=(9, 0, 9, 0, 1)))
    table.play("0:h3-j3 ~:*rr")

    assert table.legal(0) == "r2i r3i"
    table.play("0:r2i")
    assert table.legal(0) == "y3i b3i"


@pytest.mark.rule("MB-28", "MB-19")
def test_on_the_edge_one_house_of_either_die(start_board: StartBoard) -> None:
    """Both dice are rolled, one is used, in one step (MB-28, MB-19)."""
    table = start_board(towers="Wb1 Wd1")
    table.play("0:b1-d1 ~:*rg")

    assert (table.phase, table.legal(0)) == (PlacingEdgeHouse, "g1c r1c")
    assert table.why_not("0:b1c") == "MB-28"
    table.play("0:r1c")
    assert (table.houses, table.phase) == ("r1c", Building)


@pytest.mark.rule("MB-28")
@pytest.mark.parametrize("roll", ["rg", "gr"])
def test_on_the_edge_a_die_whose_colour_is_out_may_be_used(
    start_board: StartBoard, roll: str
) -> None:
    """It gives the free choice, and the other die its own colour as well (MB-28, MB-27)."""
    table = start_board(towers="Wb1 Wd1", supply=left(houses=(9, 9, 9, 9, 0)))
    table.play(f"0:b1-d1 ~:*{roll}")

    assert table.legal(0) == "y1c g1c b1c p1c"


@pytest.mark.rule("MB-28")
def test_on_the_edge_a_question_mark_gives_all_colours(start_board: StartBoard) -> None:
    """Whatever the other die shows (MB-28, MB-26)."""
    table = start_board(towers="Wb1 Wd1")
    table.play("0:b1-d1 ~:*r?")

    assert table.legal(0) == "y1c g1c b1c p1c r1c"


@pytest.mark.rule("MB-29")
def test_the_last_house_goes_on_the_side_that_the_player_chooses(start_board: StartBoard) -> None:
    """Two are needed and one is there: it is placed, and the game will end (MB-29, MB-70)."""
    table = start_board(towers=BOTH_ENDS, supply=left(houses=(0, 0, 1, 0, 0)))
    table.play("0:h3-j3 ~:*rg")

    assert table.legal(0) == "b2i b3i"
    told = table.play("0:b3i")
    assert told.only(EndDecided).ending is Ending.HOUSES
    assert (table.houses, table.phase) == ("b3i", Finishing)


@pytest.mark.rule("MB-30")
def test_a_field_may_hold_any_number_of_houses(start_board: StartBoard) -> None:
    """Twelve of a colour on one field, and a thirteenth house (MB-30)."""
    table = start_board(towers=BOTH_ENDS, houses="r3i " * 12)

    table.play("0:h3-j3 ~:*yy 0:y3i 0:y2i")

    assert table.houses == "y2i y3i" + " r3i" * 12
