"""Burgbaumeister, which number shows what: BB-29."""

from importlib import resources

import pytest
from tests.support.game_table import StartTable

from mauerwerk.core.errors import SetupError
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.cards import LETTERS, pictures
from mauerwerk.games.burgbaumeister.values import Card, Picture

STANDARD = "3r,5d,7n,10t,11rr,13c,17w,19r,20t,22n,25c,27d,29t,31rr,33q,36c,38t,40n,42d,44k,45r"


@pytest.mark.rule("BB-29")
def test_our_distribution() -> None:
    """21 cards show something; this is which (BB-29)."""
    words = {picture: letters for letters, picture in LETTERS.items()}
    shown = pictures("standard")

    assert ",".join(f"{number}{words[shown[number]]}" for number in sorted(shown)) == STANDARD


@pytest.mark.rule("BB-29")
def test_a_table_can_be_given_as_a_word() -> None:
    """The order of the entries does not matter (BB-29)."""
    assert pictures(STANDARD) == pictures("standard")
    assert pictures(",".join(reversed(STANDARD.split(",")))) == pictures("standard")


@pytest.mark.rule("BB-29")
def test_a_table_can_be_given_as_a_file() -> None:
    """In the form of our own; faults in it are found as in a word (BB-29)."""
    ours = resources.files(bb).joinpath("cards.json").read_text(encoding="utf-8")

    assert bb.FILES["pictures"](ours) == STANDARD
    assert bb.FILES["pictures"]('{"king": [2, 99]}') == "2k,99k"


@pytest.mark.rule("BB-29")
@pytest.mark.parametrize("text", ["", "[]", '{"dragon": [7]}', '{"king": "44"}', '{"king": [4.5]}'])
def test_a_file_of_another_form_is_refused(text: str) -> None:
    """The error says what the file should hold (BB-29)."""
    with pytest.raises(SetupError, match="should list numbers under king, queen, knight"):
        bb.FILES["pictures"](text)


@pytest.mark.rule("BB-29", "BB-21")
def test_the_printed_game_can_be_entered(start_table: StartTable) -> None:
    """A card shows what the table says, and counts for it (BB-29)."""
    table = start_table(variant="yes", pictures=STANDARD.replace("44k", "2k"))
    table.play("0:a1 ~:2 0:+")

    assert table.view(0).walls[0] == (Card(2, Picture.KING),)
    assert table.view(0).points == (4, 0)


@pytest.mark.rule("BB-29")
def test_how_many_ravens_are_on_a_card_is_free() -> None:
    """Five raven cards, with one or two each (BB-29)."""
    shown = pictures(STANDARD.replace("3r", "3rr", 1))

    assert shown[3] is Picture.TWO_RAVENS


@pytest.mark.rule("BB-29")
@pytest.mark.parametrize(
    ("word", "fault"),
    [
        (STANDARD.replace(",44k", ""), "1 card shows a king, not 0 (BB-21)"),
        (STANDARD.replace("33q", "33k"), "1 card shows a king, not 2 (BB-21)"),
        (STANDARD.replace(",33q", ""), "1 card shows a queen, not 0 (BB-21)"),
        (STANDARD + ",2n", "3 cards show a knight, not 4 (BB-22)"),
        (STANDARD.replace(",5d", ""), "3 cards show a damsel, not 2 (BB-22)"),
        (STANDARD.replace(",11rr", ""), "5 cards show a raven, not 4 (BB-23)"),
        (STANDARD + ",2c", "3 cards show a cannon, not 4 (BB-24)"),
        (STANDARD.replace(",10t", ""), "4 cards show a tower, not 3 (BB-25)"),
        (STANDARD + ",18w", "1 card shows a wizard, not 2 (BB-26)"),
        (STANDARD + ",44n", "card 44 cannot show both king and knight (BB-29)"),
        (STANDARD + ",47r", "there is no card 47, only 2 to 46 (BB-1)"),
        (STANDARD + ",1t", "there is no card 1, only 2 to 46 (BB-1)"),
        (STANDARD + ",6x", "'6x' should be a number and one of k q n d r rr c t w"),
        ("", "'' should be a number and one of k q n d r rr c t w"),
        ("Standard", "'Standard' should be a number"),
    ],
)
def test_a_table_that_breaks_the_counts_is_refused(
    start_table: StartTable, word: str, fault: str
) -> None:
    """The error names what is wrong, in the basic game too (BB-29)."""
    with pytest.raises(SetupError) as caught:
        start_table(pictures=word)

    assert str(caught.value).startswith(f"option pictures: {fault}")
