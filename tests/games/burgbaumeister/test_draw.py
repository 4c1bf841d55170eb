"""Burgbaumeister, drawn: what is in the picture and in the text, and what is not."""

from functools import cache
from random import Random
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace
from tests.support.amounts import amount
from tests.support.castle_table import CastleTable, StartCastle, start_castle
from tests.support.game_table import SPECTATOR

from mauerwerk.core.game import NATURE, Seat, Setup, draw_lot
from mauerwerk.core.language import ENGLISH
from mauerwerk.core.svg.fitting import columns
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.drawing.cards import Reader, wall
from mauerwerk.games.burgbaumeister.drawing.picture import svg
from mauerwerk.games.burgbaumeister.values import (
    Deciding,
    Drawing,
    Insert,
    Picture,
    Spreading,
    State,
)

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "Bo <& Söhne>", "長城 Cem", "Dagobert von und zu Hohenstein der Ältere")

OPTIONS = [
    bb.Options(),
    bb.Options(variant=True, first="lot", depot="chaotic"),
    bb.Options(variant=True, memory_aid=True),
]


@cache
def states_of(seats: int) -> list[State]:
    """States of a few games by chance: the first two, some more, and the last one of each."""
    found: list[State] = []
    games = list(enumerate(OPTIONS))
    one_each = games[seats - 2 :][:1]
    for seed, options in amount(one_each, one_each, games):
        draw = Random(seed).randrange
        game = [bb.start(Setup(seats, options))]
        while asked := bb.to_act(game[-1]):
            legal = bb.legal(game[-1], asked[0])
            nature = asked[0] == NATURE
            action = draw_lot(bb.odds(game[-1]), draw) if nature else legal[draw(len(legal))]
            game.append(bb.apply(game[-1], asked[0], action).state)
        firing = [state for state in game if bb.view(state, None).task == "fire"]
        found += [*game[:2], *game[2 : -1 : amount(83, 83, 41)], *firing[:2], game[-1]]
    return found


def states() -> list[State]:
    """The same with any number of seats."""
    return [state for seats in bb.SEATS for state in states_of(seats)]


def viewers(state: State) -> tuple[Seat | None, ...]:
    return (SPECTATOR, *(Seat(seat) for seat in range(len(bb.view(state, None).walls))))


@cache
def drawn(state: State, seat: Seat | None) -> ET.Element:
    return ET.fromstring(svg(bb.view(state, seat), NAMES))  # noqa: S314 - drawn by ourselves


def used(picture: ET.Element) -> list[str]:
    """The symbols that the picture shows, outside of their definitions."""
    return [each.get("href", "") for each in picture.findall(f"{SVG}g//{SVG}use")]


# --- The picture -----------------------------------------------------------------------------


def test_an_id_names_one_thing() -> None:
    """No id twice, so that a page can tell what moved."""
    for state in states():
        ids = [each.get("id") for each in drawn(state, Seat(0)).iter() if each.get("id")]
        assert len(ids) == len(set(ids))


def test_every_place_keeps_its_id() -> None:
    """From the first drawing to the last there are the same 45 places."""
    for state in states():
        ids = {each.get("id", "") for each in drawn(state, Seat(0)).iter()}
        assert sum(each.startswith("place-") for each in ids) == 45


@pytest.mark.rule("BB-21", "BB-22", "BB-23", "BB-24", "BB-25", "BB-26")
def test_every_special_card_has_its_picture(castle: StartCastle) -> None:
    """King, queen, knight, damsel, raven, two ravens, cannon, tower and wizard are drawn."""
    table = castle("3 5 7 | 10 11 13 | 17 33 44", variant="yes")
    figures = [each for each in used(drawn(table.state, None)) if each.startswith("#fig-")]

    names = {picture.value for picture in Picture} - {"two_ravens"} | {"ravens"}
    assert set(figures) == {f"#fig-{name}" for name in names}
    assert figures.count("#fig-tower") == 4  # three start towers and the 10


@pytest.mark.rule("BB-5")
def test_the_face_up_card_is_drawn_open(castle: StartCastle) -> None:
    """Everybody sees the number, and no back lies in its place (BB-5)."""
    table = castle("3 | 5", variant="yes")
    table.play("0:e3 ~:44")
    for who in table.viewers:
        picture = drawn(table.state, who)
        turned = next(each for each in picture.iter() if each.get("id") == "turned")
        assert turned.get("aria-label") == "44, the king"
        assert "#fig-king" in [each.get("href") for each in turned.iter(f"{SVG}use")]
        assert used(picture).count("#card-back") == 42


@pytest.mark.rule("BB-9")
@pytest.mark.parametrize("layout", [None, 5])
@pytest.mark.parametrize("words", ["", "0:e3", "0:e3 ~:44"])
def test_the_picture_does_not_hint_at_what_was_turned_before(
    layout: int | None, words: str
) -> None:
    """Byte by byte the picture of a table where nothing was turned before (BB-9)."""

    def shown(table: CastleTable) -> list[str]:
        table.play(words)
        assert not isinstance(table.state, Drawing | Spreading)
        state = replace(table.state, table=replace(table.on_table, layout=layout))
        views = [bb.view(state, who) for who in table.viewers]
        return [*(svg(view, NAMES) for view in views), *(bb.text(view, NAMES) for view in views)]

    new = start_castle("3 | 5")
    seen = start_castle("3 | 5", known="a1=9 c2=30 e3=44", left="a1 c2 e3")
    assert shown(new) == shown(seen)


@pytest.mark.rule("BB-9")
def test_the_memory_aid_writes_numbers_on_the_backs(castle: StartCastle) -> None:
    """Where a table wants it, and for eyes and ears alike (BB-9)."""
    table = castle("3 | 5", known="a1=9", memory_aid="yes")
    picture = drawn(table.state, Seat(0))
    place = next(each for each in picture.iter() if each.get("id") == "place-a1")

    assert place.get("aria-label") == "face down at a1: 9"
    assert [each.text for each in place.iter(f"{SVG}text")] == ["9"]
    assert "▒9▒" in bb.text(table.view(0), NAMES)


@pytest.mark.rule("BB-26")
def test_the_wizards_gap_is_where_the_card_belongs(castle: StartCastle) -> None:
    """Between the two cards that are lower and higher (BB-26)."""
    table = castle("4 17 30 | 5", variant="yes", spell=0)
    table.play("0:a1 ~:21")
    reader = Reader({Insert(): ("^", "insert it")}, ENGLISH)
    drawn_wall = wall(table.view(0), Seat(0), reader, 600, line="tray-deep").body
    insert = next(each for each in drawn_wall.iter() if each.get("id") == "insert")
    (number,) = insert.iter("text")

    assert insert.get("data-word") == "^"
    assert number.text == "21"
    assert float(number.get("x", 0)) == pytest.approx(3 * 600 / 10)


def test_a_spectator_has_no_tray() -> None:
    """All walls are panels then."""
    for state in states():
        picture = drawn(state, None)
        ids = {each.get("id") for each in picture.iter()}
        assert "tray" not in ids
        assert {f"seat-{seat}" for seat in viewers(state) if seat is not None} <= ids


# --- The text --------------------------------------------------------------------------------


def test_the_text_fits_a_terminal() -> None:
    """80 columns, no trailing spaces."""
    for state in states():
        for seat in viewers(state):
            lines = bb.text(bb.view(state, seat), NAMES).splitlines()
            assert max(map(columns, lines)) <= 80
            assert [line for line in lines if line != line.rstrip()] == []


def test_the_text_of_full_walls_fits_too(castle: StartCastle) -> None:
    """The longest walls there can be."""
    table = castle(
        "5 11 19 20 22 27 29 31 | 10 13 17 25 33 36 38 40 | 2 4 6 8 9 12 14 15 | .",
        variant="yes",
        spell=1,
    )

    assert max(map(columns, bb.text(table.view(0), NAMES).splitlines())) <= 80


def test_the_text_reads_like_a_table(castle: StartCastle) -> None:
    table = castle("4 7 10 17 27 | 3 13 20 31", spell=0, variant="yes")
    table.play("0:g3 ~:44")
    assert isinstance(table.state, Deciding)

    assert bb.text(table.view(0), NAMES) == TABLE


TABLE = """\
Der Wettkampf der Burgbaumeister
Turn 1, 36 cards in the depot

       a     b     c     d     e     f     g     h     i
  1    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒
  2    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒
  3    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒  [44k]   ▒▒    ▒▒
  4    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒
  5    ·     ·     ·     ·     ·     ·     ·     ·     ·

 > Ada (you)           [4 7n 10t] 17w 27d                            8 points *
   Bo <& Söhne>        [3r 13c 20t] 31rr                             7 points
   k=king n=knight d=damsel r=raven rr=ravens c=cannon t=tower w=wizard
   […]=safe *=spell"""


@pytest.mark.rule("BB-10", "BB-11")
@pytest.mark.parametrize(
    ("walls", "told"),
    [
        ("40 | 3 41", "No card that is left fits any wall. Bo won with 2 points."),
        ("41 | 3 42 | 4 43", "No card that is left fits any wall. Cem won with 2 points."),
    ],
)
def test_the_end_is_told(castle: StartCastle, walls: str, told: str) -> None:
    """Why it is over, and who won (BB-10, BB-11)."""
    table = castle(walls, remaining="6 39")
    table.play("0:a1 ~:6 0:-")

    assert bb.ask(table.view(0), ["Ada", "Bo", "Cem"]) == told


@pytest.mark.rule("BB-11")
def test_a_shared_victory_is_told(castle: StartCastle) -> None:
    """Nobody built anything: all share (BB-11)."""
    table = castle(". | . | .", idle=89)
    table.play("0:a1 ~:6 0:-")

    assert bb.ask(table.view(0), ["Ada", "Bo", "Cem"]) == (
        "Nobody has added a card for too long. Ada, Bo and Cem share the win with 0 points each."
    )


@pytest.mark.rule("BB-12")
@pytest.mark.parametrize(("stall", "told"), [("yes", "card (90 end the game)\n"), ("no", "card\n")])
def test_a_limit_is_shown_where_there_is_one(castle: StartCastle, stall: str, told: str) -> None:
    """How long nobody has added a card, and how long that may go on, if it may not (BB-12)."""
    table = castle("4 | 5", stall=stall)
    table.play("0:a1 ~:2 0:-")

    assert f", 1 turn without a {told}" in bb.text(table.view(0), ["Ada", "Bo"])
