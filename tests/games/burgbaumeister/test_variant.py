"""Burgbaumeister, the variant: points (BB-20 to BB-23), cannon, tower, wizard (BB-24 to BB-28)."""

from functools import partial

import pytest
from tests.support.castle_table import ADA, BO, CastleTable, start_castle

from mauerwerk.core.game import NATURE, Outcome
from mauerwerk.games.burgbaumeister.events import Added, Ended, Fired, FireHeld, Inserted
from mauerwerk.games.burgbaumeister.values import Card, Ending, Picture

variant = partial(start_castle, variant="yes")

EIGHT = "2 4 6 8 12 14 16 18"
"""Eight cards without a picture."""


# --- Points ----------------------------------------------------------------------------------


def points(*walls: str) -> tuple[int, ...]:
    """What these walls are worth."""
    return variant(" | ".join(walls)).view(None).points


@pytest.mark.rule("BB-20")
def test_each_card_is_a_point_and_the_start_tower_is_none() -> None:
    """Cards without a picture count one each (BB-20)."""
    assert points(".", "4", "4 6 8") == (0, 1, 3)


@pytest.mark.rule("BB-20")
def test_the_most_points_win_not_the_ninth_card() -> None:
    """The player who ends the game may lose it (BB-20)."""
    table = variant(f"{EIGHT} | 5 7 22 27 33 44")
    table.play("0:a1 ~:46 0:+")

    assert table.outcome == Outcome((2, 1), (9, 18), "nine")


@pytest.mark.rule("BB-20")
def test_equal_points_go_to_the_higher_last_number() -> None:
    """9 points each: 41 is more than 40, wherever the cards are more (BB-20)."""
    table = variant(f"{EIGHT} | 10 20 24 33 41")
    table.play("0:a1 ~:39 0:+")

    assert table.outcome == Outcome((1, 2), (9, 8), "nine")
    table = variant(f"{EIGHT} | 9 10 20 24 33 41")
    table.play("0:a1 ~:39 0:+")
    assert table.outcome == Outcome((2, 1), (9, 9), "nine")


@pytest.mark.rule("BB-21")
def test_king_and_queen_bring_three_points_each() -> None:
    """In addition to the point for the card (BB-21)."""
    assert points("44", "33", "4 6") == (4, 4, 2)


@pytest.mark.rule("BB-22")
@pytest.mark.parametrize(
    ("wall", "extra"),
    [
        ("7 22 27", 4),  # the rulebook's example: two knights and a damsel
        ("7", 1),
        ("5", 1),
        ("7 22 40", 3),
        ("5 7", 3),
        ("5 7 22 27", 6),
        ("5 7 22 27 40 42", 9),
    ],
)
def test_knights_and_damsels_bring_a_point_each_and_one_for_each_pair(
    wall: str, extra: int
) -> None:
    """Two knights and a damsel are 2 + 1 + 1 extra points (BB-22)."""
    assert points(wall, ".") == (len(wall.split()) + extra, 0)


@pytest.mark.rule("BB-23")
def test_every_raven_counts() -> None:
    """One or two on a card (BB-23)."""
    assert points("3", "11", "3 11 19 31", "45") == (2, 3, 10, 2)


# --- Cannon and tower ------------------------------------------------------------------------


@pytest.mark.rule("BB-24")
def test_a_cannon_destroys_one_card_of_an_opponent() -> None:
    """Right after it was added; the cards to the right of the gap close up (BB-24)."""
    table = variant("4 | 5 7 22 | 8")
    told = table.play("0:a1 ~:13 0:+")
    assert (table.to_act, table.legal(0)) == ((0,), "x5 x7 x8 x22 x-")
    assert told.only(Added).card == Card(13, Picture.CANNON)
    told = table.play("0:x7")

    assert told.only(Fired) == Fired(ADA, BO, Card(7, Picture.KNIGHT))
    assert table.walls == "4 13 | 5 22 | 8"
    assert table.to_act == (1,)


@pytest.mark.rule("BB-24")
def test_a_destroyed_card_leaves_the_game() -> None:
    """It is neither in a wall nor in the depot, and cannot be turned up again (BB-24)."""
    table = variant("4 | 5 7")
    table.play("0:a1 ~:13 0:+ 0:x7 1:b1")

    assert "7" not in table.legal(NATURE).split()
    assert len(table.on_table.depot) == 41


@pytest.mark.rule("BB-24")
def test_a_cannon_need_not_fire() -> None:
    """A player may hold fire, and the shot is lost (BB-24)."""
    table = variant("4 | 5 7")
    told = table.play("0:a1 ~:13 0:+ 0:x-")

    assert told.only(FireHeld) == FireHeld(ADA)
    assert (table.walls, table.to_act) == ("4 13 | 5 7", (1,))


@pytest.mark.rule("BB-24")
@pytest.mark.parametrize("walls", ["4 | .", "4 6 | 5 10 | .", "4 | 20 | 3 5 29"])
def test_with_nothing_to_hit_nothing_is_asked(walls: str) -> None:
    """Start towers, safe cards and the shooter's own cards cannot be hit (BB-24)."""
    table = variant(walls)
    told = table.play("0:a1 ~:13 0:+")

    assert told.of(FireHeld) == ()
    assert table.to_act == (1,)


@pytest.mark.rule("BB-24")
def test_nobody_fires_at_their_own_wall() -> None:
    """Only opponents' cards can be hit (BB-24)."""
    table = variant("4 | 5")
    table.play("0:a1 ~:13 0:+")

    assert [table.why_not(word) for word in ("0:x4", "0:x13", "1:x5", "0:x44", "0:+")] == [
        "BB-24"
    ] * 5


@pytest.mark.rule("BB-24", "BB-8")
def test_a_cannon_that_is_left_does_not_fire() -> None:
    """Only adding or inserting it does (BB-24)."""
    table = variant("4 | 5")
    table.play("0:a1 ~:13 0:-")

    assert (table.walls, table.to_act) == ("4 | 5", (1,))


@pytest.mark.rule("BB-25")
@pytest.mark.parametrize(
    ("wall", "targets"),
    [
        ("3 10 12", "x12 x-"),  # protected between the start tower and the tower
        ("3 10 12 20 22", "x22 x-"),
        ("3 5 10", ""),
        ("10 12 14", "x12 x14 x-"),
        ("12 14 29", ""),
        ("3 5 8", "x3 x5 x8 x-"),
    ],
)
def test_towers_and_all_between_two_towers_are_safe(wall: str, targets: str) -> None:
    """The start tower counts: every card with a tower to its right is safe (BB-25)."""
    table = variant(f"4 | {wall}")
    table.play("0:a1 ~:13 0:+")

    assert table.legal(0) == targets


@pytest.mark.rule("BB-25")
def test_a_shot_at_a_safe_card_is_refused_by_the_tower() -> None:
    """The refusal says why (BB-25)."""
    table = variant("4 | 3 10 12")
    table.play("0:a1 ~:13 0:+")

    assert [table.why_not(f"0:x{number}") for number in (3, 10, 12)] == ["BB-25", "BB-25", ""]
    assert table.view(1).safe == (0, 2)


# --- Wizard ----------------------------------------------------------------------------------


def with_wizard(wall: str = "4 17 30", others: str = "5 7") -> CastleTable:
    """Seat 0 has the wizard, his spell unused, and it is its turn."""
    return variant(f"{wall} | {others}", spell=0)


@pytest.mark.rule("BB-26")
def test_the_wizard_inserts_a_card_from_the_next_turn_on() -> None:
    """Added now, he can be asked when his owner turns the next card (BB-26)."""
    table = variant("4 | 5")
    table.play("0:a1 ~:17 0:+")
    assert (table.view(1).spell, table.to_act) == (0, (1,))
    table.play("1:b1 ~:9 1:-  0:b1 ~:9")
    assert table.legal(0) == "^ -"
    told = table.play("0:^")

    assert told.only(Inserted) == Inserted(ADA, 1, Card(9))
    assert table.walls == "4 9 17 | 5"


@pytest.mark.rule("BB-26")
@pytest.mark.parametrize(
    ("number", "walls"),
    [(2, "2 4 17 30"), (9, "4 9 17 30"), (18, "4 17 18 30"), (29, "4 17 29 30")],
)
def test_an_inserted_card_goes_where_the_numbers_still_rise(number: int, walls: str) -> None:
    """There is one such place, and it may be the first (BB-26)."""
    table = with_wizard()
    table.play(f"0:a1 ~:{number} 0:^")

    assert table.walls == f"{walls} | 5 7"


@pytest.mark.rule("BB-26")
def test_the_spell_works_once() -> None:
    """After it low cards are left again (BB-26)."""
    table = with_wizard()
    table.play("0:a1 ~:9 0:^  1:b1 ~:2 1:-  0:b1 ~:2")

    assert table.legal(0) == "-"
    assert table.why_not("0:^") == "BB-26"
    assert table.view(0).spell is None


@pytest.mark.rule("BB-26")
def test_a_card_that_fits_is_added_and_the_spell_stays() -> None:
    """Adding at the right end does not use the spell (BB-26)."""
    table = with_wizard()
    table.play("0:a1 ~:39")
    assert (table.legal(0), table.why_not("0:^")) == ("+ -", "BB-26")
    table.play("0:+")

    assert table.view(0).spell == 0


@pytest.mark.rule("BB-26")
def test_only_the_wizards_owner_can_ask_him() -> None:
    """Others leave what is too low (BB-26)."""
    table = with_wizard(others="5 28")
    table.play("0:a1 ~:9 0:-  1:a1 ~:9")

    assert table.legal(1) == "-"


@pytest.mark.rule("BB-26", "BB-24")
def test_an_inserted_cannon_fires() -> None:
    """Its effect works as if it had been added (BB-26)."""
    table = with_wizard()
    table.play("0:a1 ~:13 0:^")

    assert (table.to_act, table.legal(0)) == ((0,), "x5 x7 x-")
    table.play("0:x5")
    assert table.walls == "4 13 17 30 | 7"


@pytest.mark.rule("BB-26", "BB-25")
def test_an_inserted_tower_protects() -> None:
    """All cards to its left are safe from now on (BB-25, BB-26)."""
    table = with_wizard()
    table.play("0:a1 ~:20 0:^  1:b1 ~:13 1:+")

    assert table.walls == "4 17 20 30 | 5 7 13"
    assert table.legal(1) == "x30 x-"


@pytest.mark.rule("BB-26", "BB-10")
def test_an_inserted_ninth_card_ends_the_game() -> None:
    """Nine are nine, wherever the last one went (BB-26)."""
    table = with_wizard("2 4 6 8 12 14 17 18", "5 7")
    told = table.play("0:a1 ~:16 0:^")

    assert told.only(Ended).ending is Ending.NINE


# --- Where they meet -------------------------------------------------------------------------


@pytest.mark.rule("BB-27", "BB-20")
def test_a_destroyed_cards_points_are_lost() -> None:
    """A shot at the king costs four (BB-27)."""
    table = variant("4 | 5 44")
    table.play("0:a1 ~:13 0:+")
    assert table.view(0).points == (2, 6)
    table.play("0:x44")

    assert table.view(0).points == (2, 2)


@pytest.mark.rule("BB-27", "BB-22")
def test_a_shot_breaks_a_pair() -> None:
    """Knight or damsel takes the pair's point along (BB-27)."""
    table = variant("4 | 5 7")
    table.play("0:a1 ~:13 0:+ 0:x5")

    assert table.view(0).points == (2, 2)


@pytest.mark.rule("BB-27", "BB-26")
def test_a_destroyed_wizard_takes_his_spell_along() -> None:
    """Unused or not, it is gone (BB-27)."""
    table = variant("4 17 30 | 5", spell=0, player=1)
    table.play("1:a1 ~:13 1:+ 1:x17")
    assert (table.walls, table.view(0).spell) == ("4 30 | 5 13", None)
    table.play("0:b1 ~:9")

    assert table.legal(0) == "-"


@pytest.mark.rule("BB-27", "BB-26")
def test_another_card_destroyed_leaves_the_spell_alone() -> None:
    """The spell goes with the wizard only (BB-27)."""
    table = variant("4 17 30 | 5", spell=0, player=1)
    table.play("1:a1 ~:13 1:+ 1:x30  0:b1 ~:9")

    assert table.legal(0) == "^ -"


@pytest.mark.rule("BB-27", "BB-7")
def test_when_the_last_card_is_destroyed_lower_cards_fit_again() -> None:
    """The wall ends with the card before it (BB-27)."""
    table = variant("4 | 5 44")
    table.play("0:a1 ~:13 0:+ 0:x44  1:b1 ~:6")

    assert table.legal(1) == "+ -"


@pytest.mark.rule("BB-27", "BB-2")
def test_a_wall_can_be_shot_down_to_its_start_tower() -> None:
    """Then any card fits (BB-27)."""
    table = variant("4 | 44")
    table.play("0:a1 ~:13 0:+ 0:x44  1:b1 ~:2")

    assert (table.walls, table.legal(1)) == ("4 13 | .", "+ -")


@pytest.mark.rule("BB-28", "BB-24")
def test_a_cannon_as_ninth_card_fires_before_the_end() -> None:
    """The shot may decide who wins (BB-28)."""
    table = variant("2 4 6 8 9 12 14 16 | 5 7 22 33 44")
    table.play("0:a1 ~:25 0:+")
    assert (table.ending, table.to_act) == ("", (0,))
    told = table.play("0:x44")

    assert told.only(Ended).ending is Ending.NINE
    assert table.outcome == Outcome((2, 1), (9, 11), "nine")


@pytest.mark.rule("BB-28", "BB-24")
def test_a_ninth_cannon_without_target_ends_the_game_at_once() -> None:
    """Nothing is asked, so nothing is waited for (BB-28)."""
    table = variant("2 4 6 8 9 12 14 16 | .")
    table.play("0:a1 ~:25 0:+")

    assert table.ending == "nine"


@pytest.mark.rule("BB-28", "BB-11")
def test_a_shot_can_keep_the_game_from_being_blocked() -> None:
    """It is looked at after the cannon has fired, when a lower card is last again (BB-11)."""
    table = variant("34 | 5 44", remaining="30 36")
    table.play("0:a1 ~:36 0:+")
    held = variant("34 | 5 44", remaining="30 36")
    held.play("0:a1 ~:36 0:+ 0:x-")
    table.play("0:x44")

    assert (table.ending, held.ending) == ("", "blocked")


@pytest.mark.rule("BB-28", "BB-11")
def test_an_unused_spell_keeps_the_game_going() -> None:
    """A player who could still insert a card is not blocked (BB-28)."""
    table = variant("17 44 | 45", remaining="6 39", spell=0, player=1)
    table.play("1:a1 ~:6 1:-")
    assert table.ending == ""
    table.play("0:a1 ~:6 0:^")

    assert (table.walls, table.ending) == ("6 17 44 | 45", "blocked")


@pytest.mark.rule("BB-28", "BB-27")
def test_shooting_the_wizard_can_block_the_game() -> None:
    """With the spell the last chance is gone (BB-27, BB-28)."""
    table = variant("17 46 | 34", remaining="6 36", spell=0, player=1)
    table.play("1:a1 ~:36 1:+ 1:x17")

    assert table.ending == "blocked"


@pytest.mark.rule("BB-28", "BB-12")
def test_an_inserted_card_begins_the_stall_count_anew() -> None:
    """Inserting counts as adding (BB-12, BB-28)."""
    table = variant("17 44 | 45", remaining="6 39", spell=0, left="b1", idle=89)
    table.play("0:a1 ~:6 0:^")

    assert table.ending == "blocked"
    table = variant("17 44 | 8", remaining="6 39", spell=0, left="b1", idle=89)
    table.play("0:a1 ~:6 0:^")
    assert (table.ending, table.view(0).idle) == ("", 0)


@pytest.mark.rule("BB-28")
def test_the_variant_stalls_like_the_basic_game() -> None:
    """A game in which nobody uses the spell ends too (BB-28)."""
    table = variant("17 44 | 45", remaining="6 39", spell=0, left="b1")
    table.play("0:a1 ~:6 0:-")

    assert table.ending == "stall"
