"""A board on the drawing table: strokes, coast, size, place; and its word, which holds it all."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount

from mauerwerk.games.mauerbauer.board import (
    BOARDS,
    MOST_COLUMNS,
    MOST_ROWS,
    Apart,
    Board,
    BoardError,
    Field,
    Line,
    Plan,
    board_of,
    faults_of,
    sketch,
    word_of,
)
from mauerwerk.server.games.mauerbauer.board_editor.draft import (
    WAYS,
    Draft,
    Mirror,
    blank,
    edges,
    file_of,
    lattice,
    moved,
    painted,
    pencilled,
    pencilled_around,
    read,
    read_text,
    resized,
    with_coast,
)

MIRRORS: tuple[Mirror, ...] = get_args(Mirror)


def fields(names: str) -> list[Field]:
    return [Field(name) for name in names.split()]


def lines(names: str) -> list[Line]:
    return [Line(name) for name in names.split()]


FEW = settings(max_examples=amount(15, 40, 100), deadline=None)


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """What somebody may have drawn, stroke by stroke."""
    draft = blank(draw(st.integers(1, 6)), draw(st.integers(1, 9)))
    for _ in range(draw(st.integers(0, 6))):
        names = st.sampled_from(lattice(*draft.size).fields)
        stroke = draw(st.lists(names, min_size=1, max_size=8))
        draft = painted(
            draft, stroke, draw(st.sampled_from("wme.")), draw(st.sampled_from(MIRRORS))
        )
    if edge := sorted(edges(draft)):
        drawn = draw(st.lists(st.sampled_from(edge), max_size=4))
        draft = pencilled(draft, drawn, draw(st.sampled_from(MIRRORS)))
    return draft


@st.composite
def playable(draw: st.DrawFn) -> Draft:
    """One with a field, from which all is erased that lies apart."""
    draft = draw(drafts())
    if not draft.board.fields:
        return painted(draft, lattice(*draft.size).fields[:1], "w")
    apart = [each for each in faults_of(draft.board, draft.coast) if isinstance(each, Apart)]
    for piece in (piece for each in apart for piece in each.pieces[1:]):
        draft = painted(draft, map(Field, piece), ".")
    return draft


# --- Words -----------------------------------------------------------------------------------


@FEW
@given(draft=drafts())
def test_a_draft_is_its_word(draft: Draft) -> None:
    """Whatever was drawn comes back from the address; what is played is the same board."""
    assert read(draft.word) == draft
    assert read(draft.name).board.regions == draft.board.regions
    assert set(read(draft.name).coast) == set(draft.coast)


@FEW
@given(draft=drafts())
def test_strokes_leave_no_false_coast(draft: Draft) -> None:
    """Coast lies on the edge whatever is drawn, so land in one piece can be played."""
    assert set(draft.coast) <= edges(draft)
    wrong = faults_of(draft.board, draft.coast)
    if not wrong:
        assert board_of(draft.name).regions == draft.board.regions
    else:
        assert len(wrong) == 1


@FEW
@given(draft=playable())
def test_a_draft_that_can_be_played_is_a_file(draft: Draft) -> None:
    """Commands read the same board from it."""
    assert not faults_of(draft.board, draft.coast)
    played = board_of(word_of(file_of(draft)))
    assert played.regions == draft.board.regions
    assert played.coast == draft.board.coast
    assert read_text(file_of(draft)).board.regions == draft.board.regions


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_of_the_game_keeps_its_name(name: str) -> None:
    """Also with room around it; one stroke more, and it is a board of one's own."""
    draft = read(name)
    rows, columns = draft.size
    roomy = resized(draft, rows + 1, columns + 2)

    assert draft.name == roomy.name == name
    assert painted(draft, [draft.board.fields[0]], ".").name != name


@pytest.mark.parametrize("word", ["castle", "", "wxw", "w" * 25, "/".join(["w"] * 25)])
def test_what_is_no_board_is_refused(word: str) -> None:
    """With the fault that the rules name."""
    with pytest.raises(BoardError):
        read(word)


# --- Strokes ---------------------------------------------------------------------------------


def test_land_rises_from_the_sea() -> None:
    """A first field has a coast all around; the next one shifts it."""
    one = painted(blank(2, 4), fields("1b"), "w")
    two = painted(one, fields("1c"), "m")

    assert one.word == "w.../....+a2-b1,b1-c2,a2-c2"
    assert two.rows == ("wm..", "....")
    assert set(two.coast) == edges(two)


def test_land_goes_on_from_a_plain_edge_plainly() -> None:
    """Who has taken the coast away does not get it back with the next field."""
    plain = with_coast(painted(blank(2, 4), fields("1b"), "w"), ())

    assert painted(plain, fields("1c"), "w").coast == ()


def test_water_leaves_a_coast() -> None:
    """A lake in the middle of the land has one all around, and the old edge stays as it was."""
    plain = read("/".join(["mmmmmmm"] * 4))
    lake = painted(plain, fields("2c 2d 2e 3c 3d 3e"), ".")

    assert lake.rows[1:3] == ("m...mmm", "m...mmm")
    assert len(lake.coast) == 6
    assert painted(lake, fields("2c 2d 2e 3c 3d 3e"), "e").coast == ()


def test_another_region_changes_no_coast() -> None:
    """The edge is the same."""
    island = painted(blank(2, 4), fields("1b 1c"), "w")

    assert painted(island, fields("1c"), "e") == Draft(("we..", "...."), island.coast)


def test_what_is_no_field_of_the_grid_is_left_out() -> None:
    """A stroke that leaves the sheet does not spoil it."""
    assert painted(blank(1, 2), fields("1b 9z x"), "w").rows == ("w.",)
    assert pencilled(blank(1, 2), lines("a2-b1 zz")) == blank(1, 2)


def test_a_pencil_makes_coast_and_takes_it_away() -> None:
    """A line on the edge; no other can be coast."""
    land = read("wwww")
    coastal = pencilled(land, lines("a2-b1 b1-c2"))

    assert coastal.coast == ("a2-b1",)
    assert pencilled(coastal, lines("a2-b1")) == land


def test_a_pencil_goes_around_a_field() -> None:
    """All its edges become coast; where all are, none is."""
    land = read("wwww+a2-b1")
    around = pencilled_around(land, fields("1b"))

    assert around.coast == ("a2-b1", "a2-c2")
    assert pencilled_around(around, fields("1b")).coast == ()


def test_a_pencil_goes_around_a_field_once() -> None:
    """However often the stroke crosses it; and each field of it as if it were the only one."""
    land = read("wwww+a2-b1")

    assert pencilled_around(land, fields("1b 1c 1b")) == pencilled_around(
        pencilled_around(land, fields("1b")), fields("1c")
    )


def test_a_long_stroke_of_the_pencil_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The land is the same before and after, however many fields the stroke crosses."""
    looked: list[Plan] = []

    def look(plan: Plan) -> Board:
        looked.append(plan)
        return sketch(plan)

    monkeypatch.setattr("mauerwerk.games.mauerbauer.board.sketch", look)
    land = read("/".join(["wwwwmmmmeeee"] * 9))
    looked.clear()
    coastal = pencilled_around(land, land.board.fields)

    assert set(coastal.coast) == edges(land)
    assert len(looked) <= 2


@pytest.mark.parametrize("mirror", ["across", "down"])
def test_a_pencil_around_a_field_is_mirrored(mirror: Mirror) -> None:
    """The field on the other side gets its coast too."""
    land = read("wwwmeee/wwwmeee")
    facing = {"across": {"a2-b1", "h1-i2"}, "down": {"a2-b1", "a2-b3"}}

    assert set(pencilled_around(land, fields("1b"), mirror).coast) == facing[mirror]


# --- Mirrors ---------------------------------------------------------------------------------


def test_left_and_right_face_each_other() -> None:
    """What is west here is east there."""
    assert painted(blank(1, 7), fields("1b 1c"), "w", "across").rows == ("ww...ee",)
    assert painted(blank(1, 7), fields("1b"), "m", "across").rows == ("m.....m",)
    assert painted(blank(2, 3), fields("1b"), "w", "down").rows == ("w..", "w..")


@FEW
@given(draft=drafts(), mirror=st.sampled_from(("across", "down")), data=st.data())
def test_a_triangle_faces_its_picture(draft: Draft, mirror: Mirror, data: st.DataObject) -> None:
    """Drawn twice, taken away twice: with a mirror nothing is left of either."""
    field = data.draw(st.sampled_from(lattice(*draft.size).fields))
    land = painted(blank(*draft.size), [field], "m", mirror)

    assert len(land.board.fields) in {1, 2}
    assert painted(land, [field], ".", mirror) == blank(*draft.size)
    assert {len(land.board.fields) * 3, 5} >= {len(land.board.lines)}


def test_coast_is_mirrored_too() -> None:
    """The left one, and the right one."""
    land = read("wwwmeee/wwwmeee")

    assert set(pencilled(land, lines("a2-b1"), "across").coast) == {"a2-b1", "h1-i2"}
    assert set(pencilled(land, lines("b1-d1"), "down").coast) == {"b1-d1", "b3-d3"}


# --- Size and place --------------------------------------------------------------------------


def test_a_grid_grows_and_shrinks_at_the_right_and_below() -> None:
    """What is cut off leaves a coast."""
    land = read("www/www")

    assert resized(land, 3, 5).rows == ("www..", "www..", ".....")
    assert resized(land, 3, 5).coast == ()
    assert resized(land, 2, 2).rows == ("ww", "ww")
    assert set(resized(land, 2, 2).coast) == {"c2-d1", "c2-d3"}
    assert resized(land, 0, 99).size == (1, MOST_COLUMNS)
    assert resized(land, 99, 0).size == (MOST_ROWS, 1)


@settings(max_examples=amount(15, 25, 50), deadline=None)
@given(draft=drafts(), way=st.sampled_from(sorted(WAYS)))
def test_a_board_that_is_moved_is_the_same_board(draft: Draft, way: str) -> None:
    """It comes back by the opposite way, with as many lines and as much coast."""
    back = {"left": "right", "up-left": "down-right", "up-right": "down-left"}
    back |= {there: here for here, there in back.items()}
    there = moved(draft, way)

    assert there.size == draft.size
    assert len(there.board.lines) == len(draft.board.lines)
    assert len(there.coast) == len(draft.coast)
    if there != draft:
        assert moved(there, back[way]) == draft


def test_a_board_does_not_leave_its_grid() -> None:
    """It stays where it is."""
    land = read("www/www")

    assert moved(land, "left") == land
    assert moved(land, "nowhere") == land
