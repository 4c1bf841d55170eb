"""Mauerbauer: all faults of a board at once, and remarks on a board without faults (MB-6)."""

import pickle

import pytest

from mauerwerk.games.mauerbauer.board import (
    BOARDS,
    Apart,
    BoardError,
    BoardFault,
    CoastInland,
    CoastNowhere,
    CoastTwice,
    Line,
    NoField,
    NotAFile,
    Plan,
    Region,
    TooWide,
    board_of,
    faults_of,
    plan_in,
    plan_of,
    sketch,
)
from mauerwerk.games.mauerbauer.board_remarks import (
    FewLines,
    NoCoast,
    NoRoom,
    RegionMissing,
    Remark,
    Uneven,
    remarks_on,
)
from mauerwerk.games.mauerbauer.guild import Card


def faults(word: str) -> tuple[BoardFault, ...]:
    plan = plan_of(word)
    return faults_of(sketch(plan), plan.coast)


@pytest.mark.rule("MB-6")
def test_all_faults_are_found_and_not_only_the_first() -> None:
    """Two pieces, and three coasts that are none (MB-6)."""
    assert faults("ww..w+a9-b9,b1-c2,a2-b1,a2-b1") == (
        Apart((("1b", "1c"), ("1f",))),
        CoastNowhere("a9-b9"),
        CoastInland("b1-c2"),
        CoastTwice("a2-b1"),
    )


@pytest.mark.rule("MB-6")
def test_pieces_that_touch_in_a_corner_are_apart() -> None:
    """Fields are connected by lines (MB-6)."""
    assert faults("w.w") == (Apart((("1b",), ("1d",))),)


@pytest.mark.rule("MB-6")
def test_nothing_is_no_board() -> None:
    """There is at least one field (MB-6)."""
    assert faults(".../...") == (NoField(),)


@pytest.mark.rule("MB-6")
@pytest.mark.parametrize("name", BOARDS)
def test_boards_of_the_game_have_no_fault_and_leave_no_card_idle(name: str) -> None:
    """Nor is there anything to remark (MB-6)."""
    plan = plan_of(name)

    assert faults_of(board_of(name), plan.coast) == ()
    assert remarks_on(board_of(name)) == ()


@pytest.mark.rule("MB-6")
def test_a_sketch_holds_what_may_not_be_played() -> None:
    """Its lines and points are there, and of its coast what is a line (MB-6)."""
    board = sketch(Plan(("w..w",), (Line("a2-b1"), Line("x1-y1"))))

    assert board.fields == ("1b", "1e")
    assert board.coast == {"a2-b1"}
    assert board.shore == {"a2", "b1"}
    assert len(board.lines) == 6


@pytest.mark.rule("MB-6")
def test_a_fault_survives_the_way_to_another_process() -> None:
    """The error is made of its fault again (MB-6)."""
    with pytest.raises(BoardError) as refused:
        board_of("w" * 25)

    again = pickle.loads(pickle.dumps(refused.value))  # noqa: S301 - our own
    assert str(again) == str(refused.value)
    assert again.fault == TooWide(1, 25, 24)


@pytest.mark.parametrize("text", ["fields = 3", "fields=" + "[" * 3_000, "fields=" + "1" * 5_000])
def test_a_text_that_nobody_can_read_is_no_file_of_a_board(text: str) -> None:
    """However deep or long it is."""
    with pytest.raises(BoardError) as refused:
        plan_in(text)
    assert isinstance(refused.value.fault, NotAFile)


def test_a_plan_is_its_word_again() -> None:
    """Of a file as of a word."""
    text = 'title = "Strip"\nfields = "wwmee"\ncoast = ["a2-b1"]'

    assert plan_in(text).word == "wwmee+a2-b1"
    assert plan_in(text).title == "Strip"
    assert plan_of("wwmee+a2-b1").word == "wwmee+a2-b1"


@pytest.mark.parametrize(
    ("word", "remark"),
    [
        ("wwwmmm/wwwmmm+a2-b1", RegionMissing(Region.EAST, Card.LAND_EAST)),
        ("wwwmmmeee/wwwmmmeee", NoCoast(Card.LAND_WATER)),
        ("wme+a2-b1", NoRoom(7, Card.CITY_7)),
        ("we+a2-b1", NoRoom(3, Card.CITY_3)),
        ("w+a2-b1", NoRoom(2, Card.CITY_2)),
        ("wme+a2-b1", FewLines(7, 33)),
        ("wwwme/wwmme+a2-b1", Uneven(Region.EAST, Region.WEST)),
    ],
)
def test_what_a_board_leaves_idle_is_remarked(word: str, remark: Remark) -> None:
    """A card that cannot score, walls that cannot run out, a region that is much larger."""
    assert remark in remarks_on(board_of(word))


@pytest.mark.parametrize(
    ("word", "card"), [("we", Card.CITY_2), ("wme", Card.CITY_3), ("wwwwmme", Card.CITY_7)]
)
def test_a_board_that_is_just_large_enough_has_room(word: str, card: Card) -> None:
    """One city of all its fields scores the card (MB-50)."""
    assert not [
        each
        for each in remarks_on(board_of(word))
        if isinstance(each, NoRoom) and each.card == card
    ]


def test_equal_regions_are_not_remarked() -> None:
    """Less than twice as large is even enough; a region that is missing is not compared."""
    for word in ("wwwmmmeee", "wwwmmmee", "wwwmmm"):
        assert not [each for each in remarks_on(board_of(word)) if isinstance(each, Uneven)]
