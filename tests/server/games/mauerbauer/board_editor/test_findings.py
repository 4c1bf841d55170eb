"""What is found on a draft: every fault and every remark, with its place, in three languages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount

from mauerwerk.core.language import ENGLISH, TITLES, language_of
from mauerwerk.games.mauerbauer.board import (
    BoardError,
    NotABoard,
    NotAFile,
    NotALetter,
    TooManyRows,
    TooWide,
)
from mauerwerk.server.games.mauerbauer.board_editor.draft import read, read_text
from mauerwerk.server.games.mauerbauer.board_editor.findings import (
    figures,
    findings,
    fits_kernels,
    said,
)
from mauerwerk.server.games.mauerbauer.board_editor.pages import surface

FAULTY = {
    "...": "There is no land yet",
    "www...ee": "The land lies in 2 pieces",
    "www+a9-b9": "The coast “a9-b9” is no line of this board",
    "wwww+b1-c2": "The coast b1-c2 does not lie on the edge",
    "www+a2-b1,a2-b1": "The coast a2-b1 is named twice",
}

REMARKABLE = {
    "wwwmmm/wwwmmm+a2-b1": "No field lies in the region East: the guild card “Houses in the East”",
    "wwwmmmeee/wwwmmmeee": "There is no coast: the guild card “Towers by the water”",
    "wme+a2-b1": "No city can have 7 fields: the guild card “7 fields or more”",
    "wwmmee+a2-b1": "There are 13 lines and 33 walls",
    "wwwme/wwmme+a2-b1": "The regions are uneven: West is at least twice as large as East",
    "/".join(["w" * 10] * 10): "The board is too large for bots that look ahead",
}


@pytest.mark.parametrize(("word", "words"), FAULTY.items())
def test_a_board_that_cannot_be_played_has_a_fault(word: str, words: str) -> None:
    """And nothing else is said of it."""
    found = findings(read(word), ENGLISH)

    assert [each.fault for each in found] == [True]
    assert found[0].words.startswith(words)


@pytest.mark.parametrize(("word", "words"), REMARKABLE.items())
def test_a_board_that_can_be_played_has_remarks(word: str, words: str) -> None:
    """Which cards never score, how it must end, who cannot think ahead."""
    found = findings(read(word), ENGLISH)

    assert not any(each.fault for each in found)
    assert any(each.words.startswith(words) for each in found)


def test_the_smaller_pieces_are_marked() -> None:
    """Whoever draws sees what to connect."""
    (found,) = findings(read("w...eee"), ENGLISH)

    assert found.fields == ("1b",)


def test_false_coast_is_marked_and_can_be_mended() -> None:
    """Where it is a line at all."""
    inland, nowhere = findings(read("wwww+b1-c2,z1-z2"), ENGLISH)

    assert (inland.lines, nowhere.lines) == (("b1-c2",), ())
    assert inland.mend
    assert nowhere.mend


@pytest.mark.parametrize("code", sorted(set(TITLES) - {"en"}))
@pytest.mark.parametrize("word", [*FAULTY, *REMARKABLE])
def test_nothing_is_said_in_english_to_others(code: str, word: str) -> None:
    """Every sentence is translated."""
    plain = {each.words for each in findings(read(word), ENGLISH)}
    told = {each.words for each in findings(read(word), language_of(code))}

    assert told
    assert not told & plain


@pytest.mark.parametrize(
    ("text", "fault", "words"),
    [
        ("castle", NotABoard, "“castle” is no board."),
        ("fields = 3", NotAFile, "This is not the file of a board ("),
        ("/".join(["w"] * 25), TooManyRows, "A board has 24 rows at most, not 25."),
        ("w" * 25, TooWide, "Row 1 has 25 fields. A board is 24 wide at most."),
        ("www/wxw", NotALetter, "Field 2c is “x”."),
        ("q" * 9000, NotABoard, "“" + "q" * 59 + "…” is no board."),
    ],
)
def test_what_cannot_be_opened_is_said_in_a_line(text: str, fault: type, words: str) -> None:
    """In every language, and briefly however long it was."""
    with pytest.raises(BoardError) as refused:
        read_text(text)
    sentences = {said(refused.value.fault, language_of(code)) for code in TITLES}

    assert isinstance(refused.value.fault, fault)
    assert said(refused.value.fault, ENGLISH).startswith(words)
    assert len(sentences) == len(TITLES)
    assert all(len(each) < 200 and "\n" not in each for each in sentences)


def test_figures_stand_beside_those_of_the_usual_board() -> None:
    """45 fields, 77 lines, 33 tower spaces (MB-6)."""
    usual = figures(read("default"), ENGLISH)
    island = figures(read("small"), ENGLISH)

    assert usual == {
        "Fields": (45, 45),
        "West": (15, 15),
        "Middle": (15, 15),
        "East": (15, 15),
        "Lines": (77, 77),
        "Lines on the edge": (19, 19),
        "Lines on the coast": (10, 10),
        "Tower spaces": (33, 33),
        "Tower spaces by the water": (12, 12),
    }
    assert island["Fields"] == (24, 45)
    assert island["Lines on the coast"] == (12, 10)


def test_the_largest_board_for_kernels() -> None:
    """96 fields, 192 lines and 96 points; a row more is too much."""
    assert fits_kernels(read("/".join(["w" * 12] * 8)).board)
    assert not fits_kernels(read("/".join(["w" * 12] * 9)).board)


@settings(max_examples=amount(30, 100, 100), deadline=None)
@given(word=st.text(alphabet='wme./+,-a1b2<"', max_size=40))
def test_whatever_can_be_read_can_be_shown(word: str) -> None:
    """A word is refused, or drawn with all that is wrong with it."""
    try:
        draft = read(word)
    except BoardError as refused:
        assert said(refused.fault, ENGLISH)
        return
    found = findings(draft, ENGLISH)

    assert len(figures(draft, ENGLISH)) == 9
    assert surface(draft, found, ENGLISH).count("data-field") == draft.size[0] * draft.size[1]
