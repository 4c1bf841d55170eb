"""Mauerbauer, the board: MB-4 to MB-6, boards from files and words, and those that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import (
    BOARDS,
    Board,
    Field,
    Line,
    Point,
    Region,
    board_of,
    word_of,
)
from mauerwerk.games.mauerbauer.board_remarks import FewLines, remarks_on
from mauerwerk.games.mauerbauer.values import Options

FILE = """
title = "A strip"
fields = '''
wwmee
..m..
'''
coast = ["a2-b1"]
"""


def edge(board: Board) -> list[Line]:
    return [line for line in board.lines if len(board.sides[line]) == 1]


@pytest.mark.rule("MB-4")
@pytest.mark.parametrize("name", BOARDS)
def test_every_side_is_a_line_and_every_corner_a_tower_space(name: str) -> None:
    """A field has three lines and three points, a line two ends and one or two fields (MB-4)."""
    board = board_of(name)

    assert {len(set(board.around[field])) for field in board.fields} == {3}
    assert {len(set(board.corners[field])) for field in board.fields} == {3}
    assert {len(sides) for sides in board.sides.values()} == {1, 2}
    for line in board.lines:
        one, other = board.ends[line]
        assert line == f"{one}-{other}"
        for field in board.sides[line]:
            assert line in board.around[field]
            assert {one, other} <= set(board.corners[field])


@pytest.mark.rule("MB-4")
@pytest.mark.parametrize("name", BOARDS)
def test_the_lattice_closes(name: str) -> None:
    """Points, lines and fields agree: with a lake there is one more rim (MB-4)."""
    board = board_of(name)
    lakes = {"default": 0, "small": 0, "large": 1}[name]

    assert len(board.points) - len(board.lines) + len(board.fields) == 1 - lakes
    assert 3 * len(board.fields) == 2 * len(board.lines) - len(edge(board))


@pytest.mark.rule("MB-5", "MB-6")
def test_the_default_board() -> None:
    """45 fields in three regions of 15, 33 tower spaces, 77 lines, 19 on the edge (MB-5, MB-6)."""
    board = board_of("default")

    assert (len(board.fields), len(board.points), len(board.lines)) == (45, 33, 77)
    regions = list(board.regions.values())
    assert [regions.count(region) for region in Region] == [15, 15, 15]
    assert len(edge(board)) == 19
    left = [line for line in board.coast if line.startswith("a")]
    assert (len(board.coast), len(left)) == (10, 5)
    assert len([line for line in edge(board) if line not in board.coast]) == 9
    assert len(board.shore) == 12


@pytest.mark.rule("MB-5")
def test_a_border_between_regions_is_an_ordinary_line() -> None:
    """A wall may go between west and middle (MB-5)."""
    board = board_of("default")
    borders = [
        line
        for line in board.lines
        if len({board.regions[field] for field in board.sides[line]}) == 2
    ]

    assert len(borders) == 10
    assert "d1-e2" in borders


@pytest.mark.rule("MB-6")
def test_names_follow_the_half_units() -> None:
    """Field (row 2, column 6) of MB-6 points up: corners g4, h3 and i4; (2, 7) down (MB-6)."""
    board = board_of("default")

    assert board.corners[Field("3h")] == ("g4", "h3", "i4")
    assert board.corners[Field("3i")] == ("h3", "i4", "j3")
    assert board.spots[Point("h3")] == (7, 2)


@pytest.mark.rule("MB-6")
@pytest.mark.parametrize("name", BOARDS)
def test_every_board_has_all_three_regions_and_coast_on_its_edge(name: str) -> None:
    """The boards that come with the game are boards (MB-6)."""
    board = board_of(name)

    assert set(board.regions.values()) == set(Region)
    assert board.coast <= set(edge(board))


@pytest.mark.rule("MB-6")
def test_a_board_of_ones_own_is_a_file_and_then_a_word() -> None:
    """The word holds the whole board, so that a record needs no file (MB-6)."""
    word = mauerbauer.FILES["board"](FILE)

    assert word == word_of(FILE) == "wwmee/..m..+a2-b1"
    board = board_of(word)
    assert board.fields == ("1b", "1c", "1d", "1e", "1f", "2d")
    assert board.shore == {"a2", "b1"}
    mauerbauer.start(Setup(2, Options(board=word)))


@pytest.mark.rule("MB-6")
def test_a_title_remains_in_its_file() -> None:
    """What is played on is in the word; a title may be left out (MB-6)."""
    untitled = FILE.replace('title = "A strip"', "")

    assert word_of(untitled) == word_of(FILE)
    assert board_of(word_of(FILE)).title == "A board of your own"
    assert board_of("large").title == "The lake"


@pytest.mark.rule("MB-6")
@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("castle", "there is no board 'castle', only default, small, large"),
        ("www/wxw", "field 2c is 'x': a field is w, m or e"),
        ("w..w", "field 1e is not connected with field 1b"),
        ("w/.w/w", "field 2c is not connected with field 1b"),
        ("..../..", "a board has at least one field"),
        ("www+a1-b2", "coast 'a1-b2' is no line of this board"),
        ("www+", "coast '' is no line of this board"),
        ("wwww+b1-c2", "coast b1-c2 does not lie on the edge"),
        ("www+a2-b1,a2-b1", "coast a2-b1 is named twice"),
        ("w" * 25, "row 1 has 25 fields, a board is 24 wide at most"),
        ("/".join(["w"] * 25), "a board has 24 rows at most, not 25"),
    ],
)
def test_a_faulty_board_is_refused_and_the_fault_is_named(word: str, fault: str) -> None:
    """The error names the field or line (MB-6)."""
    with pytest.raises(SetupError) as refused:
        mauerbauer.start(Setup(2, Options(board=word)))

    assert str(refused.value).startswith(f"option board: {fault}")


@pytest.mark.rule("MB-6")
@pytest.mark.parametrize("word", ["w" * 24, "/".join(["ww"] * 24)])
def test_a_board_may_be_as_large_as_the_fault_says(word: str) -> None:
    """24 rows, and 24 fields in a row (MB-6)."""
    assert len(board_of(word).fields) == word.count("w")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("wwmmee", set[str]()),
        ("wwwmmee", set[str]()),
        ("wwwwmmee", {"Uneven"}),
        ("wwwwwmmee", {"Uneven"}),
        ("wwwwwmmmeee", set[str]()),
        ("wwwwwwmmmeee", {"Uneven"}),
    ],
)
def test_twice_as_large_is_uneven(word: str, said: set[str]) -> None:
    """A region with twice as many fields as another is remarked upon (MB-58)."""
    found = {type(remark).__name__ for remark in remarks_on(board_of(word))}
    assert found & {"Uneven"} == said


def test_as_many_lines_as_walls_are_enough() -> None:
    """The walls can run out if there are 33 lines; with fewer they cannot (MB-13)."""
    boards = [board_of("w" * fields) for fields in (15, 16)]

    said = [any(isinstance(each, FewLines) for each in remarks_on(board)) for board in boards]

    assert [len(board.lines) for board in boards] == [31, 33]
    assert said == [True, False]


@pytest.mark.rule("MB-6")
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('title = "no fields"', "not a board file: Object missing required field `fields`"),
        ("fields = [", "not a board file: "),
        ('title = "x"\nfields = "w"\nlakes = 1', "not a board file: Object contains unknown field"),
        ('title = "x"\nfields = "wwq"', "field 1d is 'q'"),
        ('title = "x"\nfields = "www"\ncoast = ["b1-c2"]', "coast b1-c2 does not lie on the edge"),
    ],
)
def test_a_faulty_file_is_refused_and_the_fault_is_named(text: str, fault: str) -> None:
    """The error names the option, and what in the file is wrong (MB-6)."""
    with pytest.raises(SetupError) as refused:
        word_of(text)

    assert str(refused.value).startswith(f"option board: {fault}")


@pytest.mark.rule("MB-6")
@given(word=st.text(alphabet="wme./+,-a1b2x", max_size=40))
def test_any_text_is_a_board_or_is_refused(word: str) -> None:
    """No word leads to anything but a board or a SetupError (MB-6)."""
    try:
        board = board_of(word)
    except SetupError:
        return
    assert board.fields
    assert board.coast <= set(edge(board))
    assert {len(sides) for sides in board.sides.values()} <= {1, 2}
