"""Mauerbauer, what is news: dice and cards; the board lies open."""

import pytest
from tests.games.mauerbauer.conftest import MauerbauerTable, StartBoard, ring, without
from tests.support.game_table import StartTable
from tests.support.taking_back import news

from mauerwerk.games.mauerbauer.values import FULL_SUPPLY, Supply


def about_to_close(start_board: StartBoard, hands: str, points: str = "") -> MauerbauerTable:
    """Seat 0 has built the last wall around 3h, beside the city of 3i, and has rolled."""
    table = start_board(
        walls=f"{without(ring('3h'), 'g4-h3')} {ring('3i')}",
        towers="Wg4 Gh3 Bi4",
        houses="y3h",
        hands=hands,
        points=points,
    )
    table.play("0:g4-h3 ~:*yb")
    return table


# --- The board -------------------------------------------------------------------------------


@pytest.mark.rule("MB-8")
def test_the_lot_and_the_deal_are_news(start_table: StartTable) -> None:
    """The lot for the first player, and every card that is dealt (MB-8)."""
    assert news(start_table(), "~:@1 ~:+cities ~:+cities") == "~:@1 ~:+cities ~:+cities"


@pytest.mark.rule("MB-10", "MB-11", "MB-20")
def test_a_wall_is_final_once_the_dice_have_rolled(start_board: StartBoard) -> None:
    """Building tells nothing; the roll that follows does (MB-10)."""
    assert news(start_board(), "0:h3-j3 ~:*Brg") == "~:*Brg"


@pytest.mark.rule("MB-14")
def test_an_early_roll_is_not_made_and_so_tells_nothing(start_board: StartBoard) -> None:
    """It costs a point and counts for nothing (MB-14)."""
    assert news(start_board(points="5 5", early="yes"), "0:!") == ""


@pytest.mark.rule("MB-21", "MB-22", "MB-25")
def test_towers_and_houses_may_be_put_elsewhere(start_board: StartBoard) -> None:
    """The roll is known, and where its pieces stand everybody sees (MB-21, MB-25)."""
    table = start_board()
    table.play("0:h3-j3 ~:*Brg")

    assert news(table, "0:Bh3 0:Wj3 0:r3i 0:g2i") == ""


@pytest.mark.rule("MB-31", "MB-34", "MB-40", "MB-41")
@pytest.mark.parametrize("join", ["0:&3i", "0:&-"])
def test_a_city_is_closed_and_joined_in_the_open(start_board: StartBoard, join: str) -> None:
    """Palaces, cleared walls and joined cities follow from what all see (MB-34, MB-40)."""
    table = about_to_close(start_board, "cities; city-1")

    assert news(table, f"0:y3h 0:b3g {join}") == ""


# --- The cards -------------------------------------------------------------------------------


@pytest.mark.rule("MB-43", "MB-44", "MB-45")
def test_a_card_that_was_laid_down_has_been_seen(start_board: StartBoard) -> None:
    """Played or discarded, all know now that it was in the hand; to be done tells nothing."""
    table = about_to_close(start_board, "cities land-red land-blue; city-1 city-2")
    table.play("0:y3h 0:b3g 0:&-")

    words = "0:cities 0:. 1:-city-1 ~:+land-east ~:+city-7 ~:+city-7"
    assert news(table, words) == "0:cities 1:-city-1 ~:+land-east ~:+city-7 ~:+city-7"


@pytest.mark.rule("MB-44", "MB-47")
def test_a_card_that_was_swapped_has_been_seen(start_board: StartBoard) -> None:
    """It lies face up on the discard pile; what comes for it is news as well (MB-44, MB-47)."""
    table = about_to_close(start_board, "cities; land-red city-1", points="9 0")
    table.play("0:y3h 0:b3g 0:&- 0:cities 1:land-red 1:. ~:+city-7 ~:+city-7")

    assert news(table, "1:^city-1 1:. ~:+land-east") == "1:^city-1 ~:+land-east"


@pytest.mark.rule("MB-70", "MB-72", "MB-73")
def test_at_the_end_hands_are_shown(start_board: StartBoard) -> None:
    """That the end has come, and the city that somebody chose, all see; hands are news (MB-73)."""
    table = start_board(
        walls=ring("3h"),
        towers="Wa2 Wb1",
        hands="cities land-red; cities",
        supply=Supply(1, FULL_SUPPLY.towers, FULL_SUPPLY.houses, FULL_SUPPLY.palaces),
    )
    table.play("0:a2-b1 ~:*rr")

    assert news(table, "0:r1b 0:=3h 0:. 1:=- 1:.") == "1:."
