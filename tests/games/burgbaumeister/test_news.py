"""Burgbaumeister, what is news: memory is the game, so that turning and leaving are final."""

import pytest
from tests.support.castle_table import StartCastle
from tests.support.game_table import AnyTable, StartTable
from tests.support.taking_back import news


@pytest.mark.rule("BB-3", "BB-4")
def test_chance_is_news(start_table: StartTable) -> None:
    """Before, it was undecided who begins and how the cards lie (BB-3, BB-4)."""
    assert news(start_table(first="lot", depot="chaotic"), "~:@1 ~:L3") == "~:@1 ~:L3"


@pytest.mark.rule("BB-5", "BB-9")
def test_a_card_once_touched_is_turned(table: AnyTable) -> None:
    """Everybody sees which card it is, and then its number (BB-5)."""
    assert news(table, "0:e3 ~:44") == "0:e3 ~:44"


@pytest.mark.rule("BB-8", "BB-9")
def test_a_card_that_was_left_is_not_turned_up_again(table: AnyTable) -> None:
    """Once turned back, a number is not shown to anyone, not by thinking again either (BB-9)."""
    table.play("0:e3 ~:44")

    assert news(table, "0:-") == "0:-"


@pytest.mark.rule("BB-6", "BB-7")
def test_a_card_that_was_added_may_be_taken_off_again(table: AnyTable) -> None:
    """It lay face up before and does so now; nobody has learnt anything (BB-6)."""
    table.play("0:e3 ~:44")

    assert news(table, "0:+") == ""


@pytest.mark.rule("BB-26")
def test_the_wizard_may_think_again(castle: StartCastle) -> None:
    """A card that was inserted stands in the open as one that was added (BB-26)."""
    table = castle("3 30 | 5", spell=0, variant="yes")
    table.play("0:a1 ~:9")

    assert news(table, "0:^") == ""


@pytest.mark.rule("BB-24")
@pytest.mark.parametrize("shot", ["0:x5", "0:x-"])
def test_a_shot_may_be_taken_back(castle: StartCastle, shot: str) -> None:
    """What was destroyed stood in the open, and so does what was not (BB-24)."""
    table = castle("4 | 5 7", variant="yes")
    table.play("0:a1 ~:13 0:+")

    assert news(table, shot) == ""


@pytest.mark.rule("BB-9", "BB-10")
def test_the_end_is_final(castle: StartCastle) -> None:
    """After the end all turned cards may be shown again, because nobody plays on (BB-9)."""
    table = castle("3 4 5 6 7 8 9 10 | 20")
    table.play("0:a1 ~:44")

    assert news(table, "0:+") == "0:+"
