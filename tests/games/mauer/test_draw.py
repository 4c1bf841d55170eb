"""Die Mauer, drawn: what is in the picture and in the text, and what is not."""

import runpy
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.svg import Drawing
from mauerwerk.core.svg.fitting import columns
from mauerwerk.games import mauer
from mauerwerk.games.mauer.events import Closed, Task, View
from mauerwerk.games.mauer.values import Building, Options, Over, Piece, Plan, Planning, State

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Emil", "Jonas", "Lena", "Ada", "Mara", "Olmo")


def read(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - drawn by ourselves


def viewers(state: State) -> tuple[Seat | None, ...]:
    return (None, *(Seat(seat) for seat in range(len(mauer.view(state, None).counts))))


@cache
def drawn(state: State, seat: Seat | None) -> ET.Element:
    return read(mauer.svg(mauer.view(state, seat), NAMES))


def words_in(picture: ET.Element) -> list[str]:
    """All text outside the symbols, whose numbers are carved into the pieces."""
    return [each.text or "" for each in picture.findall(f"{SVG}g//{SVG}text")]


def planning(*words: str) -> State:
    """Four at the table, and these plans so far."""
    state = mauer.start(Setup(4, Options()))
    for seat, word in enumerate(words):
        state = mauer.apply(state, Seat(seat), mauer.parse(word)).state
    return state


# --- The picture -----------------------------------------------------------------------------


def test_an_id_names_one_thing(states: tuple[State, ...]) -> None:
    """Ids are unique, so that one drawing can turn into the next."""
    for state in states:
        for seat in viewers(state)[:2]:
            names = [each.get("id") for each in drawn(state, seat).iter()]
            ids = Counter(name for name in names if name is not None)
            assert ids.most_common(1)[0][1] == 1


def test_a_piece_keeps_its_id(states: tuple[State, ...]) -> None:
    """Fists, stone, wall and hand are called the same in every drawing of the same table."""
    steady = {f"fist-{seat}" for seat in range(4)} | {"masters-stone", "hand-T", "hand-empty"}
    for state in (planning(), planning("T", "4"), planning("T", "4", "-", "T")):
        ids = {each.get("id") for each in drawn(state, Seat(0)).iter()}
        assert steady <= ids
    for state in states:
        ids = {each.get("id") for each in drawn(state, None).iter()}
        view = mauer.view(state, None)
        right = len(view.wall) - view.left
        pieces = {f"wall-left-{place}" for place in range(1, view.left + 1)}
        pieces |= {f"wall-{place}" for place in range(right)}
        assert {name for name in ids if name and name.startswith("wall-")} == pieces


def test_letters_are_large_enough(states: tuple[State, ...]) -> None:
    """No letter is smaller than 13."""
    for state in states[::3]:
        texts = drawn(state, Seat(0)).findall(f"{SVG}g//{SVG}text")
        assert min(float(each.attrib["font-size"]) for each in texts) >= 13


def test_the_wall_breaks_into_courses_and_keeps_its_size() -> None:
    """However long the wall is, its pieces stay as large, and none leaves the picture."""
    state = planning()
    assert isinstance(state, Planning)
    table = state.table
    short = replace(table, wall=(Piece.WALL_6,) * 3)
    long = replace(table, wall=(Piece.WALL_6, Piece.TOWER) * 14)
    sizes: set[str] = set()
    for each in (short, long):
        plans = (Plan(Piece.WALL_6),) * 4
        picture = drawn(Building(each, plans, Piece.WALL_6, (Seat(0),)), Seat(0))
        stones = [
            stone
            for stone in picture.findall(f".//*[@id='wall']/{SVG}g/{SVG}use")
            if stone.get("href") == "#piece-6"
        ]
        sizes |= {stone.attrib["width"] for stone in stones}
        for stone in stones:
            left = float(stone.attrib["x"])
            assert left >= 0
            assert left + float(stone.attrib["width"]) <= 1080
    assert len(sizes) == 1


@pytest.mark.rule("DM-5")
def test_the_picture_does_not_tell_a_plan() -> None:
    """Whatever a rival has in the fist, everybody else sees the same picture and text (DM-5)."""
    plans = [planning("T", plan) for plan in ("T", "C", "1", "6", "-")]

    for seat in (None, Seat(0), Seat(2), Seat(3)):
        views = [mauer.view(state, seat) for state in plans]
        assert len({mauer.svg(view, NAMES) for view in views}) == 1
        assert len({mauer.text(view, NAMES) for view in views}) == 1


@pytest.mark.rule("DM-5")
def test_ones_own_plan_is_in_ones_own_picture() -> None:
    """The owner of a closed fist sees what is in it; a rival sees a fist (DM-5)."""
    state = planning("T")
    own = drawn(state, Seat(0)).findall(".//*[@id='fist-0']//*[@href='#piece-T']")
    rivals = drawn(state, Seat(1)).findall(".//*[@id='fist-0']//*[@href='#piece-T']")

    assert len(own) == 1
    assert rivals == []
    assert drawn(state, Seat(1)).find(".//*[@id='fist-0']//*[@href='#hand-fist']") is not None
    assert isinstance(mauer.view(state, Seat(1)).fists[0], Closed)


@pytest.mark.parametrize("word", ["1", "6", "T", "C"])
def test_a_piece_stands_beside_the_closed_fist(word: str) -> None:
    """No piece sticks out of a closed fist: it stands at its side, on the plate."""
    for master in (0, 1):
        state = mauer.apply(
            mauer.start(Setup(4, Options(first=master))), Seat(0), mauer.parse(word)
        ).state
        drawing = drawn(state, Seat(0)).find(".//*[@id='fist-0']")
        assert drawing is not None
        fist, piece = (
            drawing.find(f".//*[@href='#{name}']") for name in ("hand-fist", f"piece-{word}")
        )
        assert fist is not None
        assert piece is not None
        middle = float(fist.attrib["x"]) + float(fist.attrib["width"]) / 2
        left = float(piece.attrib["x"])
        assert left > middle + 35 or left + float(piece.attrib["width"]) < middle - 35


@pytest.mark.rule("DM-2")
def test_pips_tell_how_many_pieces_are_left() -> None:
    """Each plate has a pip for every piece of a full set, as many of them full as are held."""
    state = planning()
    assert isinstance(state, Planning)
    hands = (state.table.hands[0][:3], *state.table.hands[1:])
    picture = drawn(replace(state, table=replace(state.table, hands=hands)), None)
    found = picture.findall(".//*[@id='fist-0']//*[@class='pips']/*")

    assert [each.get("fill") for each in found] == ["var(--wood)"] * 3 + ["none"] * 4
    assert "3 left" in words_in(picture)


def test_a_spectator_has_no_tray(states: tuple[State, ...]) -> None:
    """A spectator sees the table and the score sheet."""
    for state in states:
        picture = drawn(state, None)
        assert picture.find(".//*[@id='tray']") is None
        assert picture.find(".//*[@id='slate']") is not None


@pytest.mark.rule("DM-2")
def test_two_of_a_kind_are_counted() -> None:
    """After a gift a hand may hold two of a kind: one slot, and how many (DM-2)."""
    state = planning()
    assert isinstance(state, Planning)
    hands = ((Piece.TOWER, Piece.WALL_4, Piece.WALL_4), *state.table.hands[1:])
    picture = drawn(replace(state, table=replace(state.table, hands=hands)), Seat(0))

    slot = picture.find(".//*[@id='hand-4']")
    assert slot is not None
    assert [each.text for each in slot.iter(f"{SVG}text")] == ["2\N{MULTIPLICATION SIGN}", None]
    gone = picture.find(".//*[@id='hand-6']")
    assert gone is not None
    assert [each.text for each in gone.iter(f"{SVG}text")] == ["gone"]


@pytest.mark.rule("DM-2", "DM-28")
def test_when_it_is_over_all_hands_are_shown(states: tuple[State, ...]) -> None:
    """Everybody's last pieces lie open, and the winner is named (DM-2, DM-28)."""
    over = [state for state in states if isinstance(state, Over)]
    assert len(over) == 4
    for state in over:
        picture = drawn(state, None)
        for seat, hand in enumerate(state.table.hands):
            shown = picture.findall(f".//*[@id='fist-{seat}']//{SVG}use")
            pieces = [each.attrib["href"] for each in shown if "piece" in each.attrib["href"]]
            assert pieces == [f"#piece-{piece.value}" for piece in hand]
        outcome = mauer.outcome(state)
        assert outcome is not None
        won = [words for words in words_in(picture) if words.startswith("winner")]
        assert len(won) == len(outcome.winners)


def test_any_name_can_sit_at_the_table() -> None:
    """Names of any length and any characters: the picture stays well-formed, the lines short."""
    names = ["<b>&\"'", "W" * 200, "", "\x00\x1b[2J\n", "長城" * 40, "\u202eevil\u202c"]
    state = mauer.start(Setup(6, Options()))
    view = mauer.view(state, Seat(1))
    picture = read(mauer.svg(view, names))

    assert f"{SVG}b" not in {each.tag for each in picture.iter()}
    assert any(words.startswith("WWW") and "…" in words for words in words_in(picture))
    for seat in viewers(state):
        lines = mauer.text(mauer.view(state, seat), names).split("\n")
        assert max(map(columns, lines)) <= 80
        assert all(line.isprintable() for line in lines)


def test_a_notebook_shows_the_table() -> None:
    """The picture is a drawing that notebooks know how to show."""
    assert isinstance(mauer.svg(mauer.view(planning(), None), NAMES), Drawing)


def test_the_picture_in_the_docs_is_up_to_date() -> None:
    """If not: `python tests/games/mauer/readme_picture.py` draws it again."""
    script = runpy.run_path(str(Path(__file__).with_name("readme_picture.py")))

    assert script["PLACE"].read_text(encoding="utf-8") == script["picture"]()


# --- The text --------------------------------------------------------------------------------


def test_the_text_fits_a_terminal(states: tuple[State, ...]) -> None:
    """At most 80 columns, no trailing blanks, nothing but printable characters."""
    for state in states:
        for seat in viewers(state):
            for line in mauer.text(mauer.view(state, seat), NAMES).splitlines():
                assert columns(line) <= 80
                assert line == line.rstrip()
                assert line.isprintable()


def test_the_text_of_ten_rounds_fits_too() -> None:
    """The longest score sheet there is, with scores of three figures."""
    view = mauer.view(mauer.start(Setup(6, Options(rounds=10))), Seat(3))
    full = replace(view, scores=((41, 0, 123, 7, 19, 3),) * 9)

    for each in (full, replace(full, task=Task.NOTHING, scores=full.scores + full.scores[:1])):
        lines = mauer.text(each, ["Friedrich Wilhelm"] * 6).splitlines()
        assert max(map(columns, lines)) <= 80
        assert sum("… (you)" in line for line in lines) == 1


def test_the_text_reads_like_a_table() -> None:
    """The wall in blocks, towers the highest; the open ends; a line for each player."""
    state = planning("3", "T", "-", "3")
    assert isinstance(state, Building)
    view: View = mauer.view(
        replace(state, table=replace(state.table, wall=(Piece.WALL_2, Piece.TOWER))), Seat(3)
    )

    assert mauer.text(view, NAMES).splitlines() == [
        "Die Mauer. Round 1 of 4, turn 1",
        "",
        "                                        ▄ ▄ ▄",
        "                                        ┌───┐",
        "                                    ▄ ▄ │   │",
        "                                   ┌───┐│ T │",
        "                                 < │ 2 ││   │ >",
        "                                   └───┘└───┘",
        "▔" * 80,
        "",
        "                         fist           left   1   2   3   4   sum",
        "M   Emil                 a 3               7   ·   ·   ·   ·     0",
        "    Jonas                the tower         7   ·   ·   ·   ·     0",
        "    Lena                 empty fist        7   ·   ·   ·   ·     0",
        " >  Ada (you)            guessed it        7   ·   ·   ·   ·     0",
        "M master builder's stone   > whom we wait for",
        "",
        "Your pieces: T C 1 2 3 4 6 (cost if the round ended now: 41)",
    ]
