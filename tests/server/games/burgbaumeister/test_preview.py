"""What a card or a shot would do in Burgbaumeister is said and shown before it is decided."""

import re

import pytest
from tests.server.games.positions import elements, whole
from tests.support.castle_table import ADA, BO, CastleTable, start_castle

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import burgbaumeister
from mauerwerk.games.burgbaumeister.events import Event, Fired
from mauerwerk.games.burgbaumeister.values import Action, Card
from mauerwerk.server.games.burgbaumeister import board
from mauerwerk.server.games.burgbaumeister.preview import preview
from mauerwerk.server.games.room import Parts

NAMES = ("Ada", "Bo", "Cem")
WALLS = "4 7 10 17 27 | 3 13 20 31 | 2 5 22 33"


def seen(table: CastleTable, seat: Seat | None = ADA, legal: tuple[Action, ...] = ()) -> Parts:
    """The table as a seat sees it, or a spectator."""
    return board.parts(burgbaumeister.view(table.state, seat), legal, NAMES, ENGLISH)


def deciding(
    number: int, walls: str = WALLS, *, variant: str = "yes", spell: int | None = None
) -> CastleTable:
    """Ada has just turned this number up at c1."""
    table = start_castle(walls, spell=spell, variant=variant)
    table.play(f"0:c1 ~:{number}")
    return table


def legal(table: CastleTable) -> tuple[Action, ...]:
    return tuple(burgbaumeister.legal(table.state, ADA))


def said(html: str) -> str:
    """The words of some HTML."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def foreseen(table: CastleTable, word: str, *before: Event) -> str:
    """The sentence of a preview."""
    view = burgbaumeister.view(table.state, ADA)
    found = preview(view, burgbaumeister.parse(word), NAMES, ENGLISH, before)
    assert found is not None
    return found.sentence


def test_the_consequence_of_adding_is_said() -> None:
    """Points, and the few numbers that still fit (BB-7, BB-21)."""
    table = deciding(44)

    told = said(seen(table, legal=legal(table)).consequence)

    assert told == "+4 points. After 44 only 45 and 46 fit. Still fits after it: 45 46"
    assert foreseen(table, "+") == "+4 points. After 44 only 45 and 46 fit."
    gone = Fired(BO, ADA, Card(45))
    assert foreseen(table, "+", gone) == "+4 points. After 44 only 46 fits."
    assert foreseen(table, "-") == "It is turned face down again where it lies."


@pytest.mark.parametrize(
    ("number", "walls", "words"),
    [
        (46, WALLS, "+1 point. After 46 nothing fits any more."),
        (45, WALLS, "+2 points. After 45 only 46 fits."),
        (40, "5 | . | .", "+3 points. After 40, 6 numbers still fit."),
        (38, "5 7 | . | .", "It makes the 2 cards before it safe."),
        (36, "5 | 3 | .", "Its cannon may then destroy a card that is not safe."),
        (17, "5 | 3 | .", "Later the wizard may insert one card."),
        (45, "2 4 6 8 9 12 14 15 | 3 | .", "With it the wall is complete."),
    ],
)
def test_what_a_picture_does_is_said_too(number: int, walls: str, words: str) -> None:
    """A knight pairs with a damsel, a tower guards, a cannon fires, a wizard inserts later."""
    table = deciding(number, walls)

    assert words in said(seen(table, legal=legal(table)).consequence)


def test_the_basic_game_counts_cards() -> None:
    """There are no extra points, so only the length of the wall is said (BB-10)."""
    table = deciding(30, "4 7 | 3", variant="no")

    assert said(seen(table, legal=legal(table)).consequence).startswith("Card 3 of 9. After 30, ")


def test_the_ghost_stands_in_the_slot_that_the_card_would_take() -> None:
    """For its player, who can press it; and small for everybody else."""
    table = deciding(44)
    own = [each for each in elements(seen(table, ADA, legal(table)).tray) if each.tag == "li"]
    others = [
        each
        for each in elements(seen(table, None).aside)
        if each.attributes.get("class") == "maybe"
    ]

    kinds = [each.attributes.get("class") for each in own]
    assert kinds == [None] * 6 + ["ghost"] + ["free"] * 3
    assert len(others) == 1
    assert "Will Ada add it? It is worth 4 points." in said(seen(table, BO).consequence)


def test_the_wizard_inserts_where_the_number_belongs() -> None:
    """The ghost stands between two cards, and the spell is named (BB-26)."""
    table = deciding(14, spell=0)
    own = [each for each in elements(seen(table, ADA, legal(table)).tray) if each.tag == "li"]

    assert [each.attributes.get("class") for each in own].index("ghost") == 4
    assert foreseen(table, "^").endswith("It uses up the wizard's spell.")


def test_a_card_that_fits_nowhere_has_no_ghost() -> None:
    """It is only said that it is too low."""
    table = deciding(6)

    assert "ghost" not in seen(table, ADA, legal(table)).tray
    assert "maybe" not in seen(table, None).aside
    assert said(seen(table, None).consequence) == "It is too low for Ada's wall."


def test_what_a_shot_would_do_is_said() -> None:
    """Whose card, how many points, and what fits again; a spell goes with its wizard (BB-27)."""
    table = deciding(36)
    table.play("0:+")

    words = foreseen(table, "x33")
    assert words == (
        "Cem loses 33, the queen, and with it 4 points. Then numbers above 22 fit that wall again."
    )
    assert foreseen(table, "x-") == "Nothing is destroyed, and the shot is lost."


@pytest.mark.rule("BB-9")
def test_after_the_decision_nothing_tells_what_lay_there() -> None:
    """Neither ghost nor sentence nor markup: two games that differ in the number look alike."""
    shown: list[str] = []
    for number in (44, 45):
        table = deciding(number)
        table.play("0:-")
        shown.append("".join(whole(seen(table, seat)) for seat in (ADA, BO, None)))

    assert shown[0] == shown[1]
    assert "ghost" not in shown[0]
    assert "maybe" not in shown[0]


@pytest.mark.rule("BB-9")
def test_a_preview_of_turning_knows_no_number() -> None:
    """It names the place alone, whatever was turned there before."""
    table = deciding(44)
    table.play("0:- 1:a1 ~:30 1:- 2:a1 ~:30 2:-")
    view = burgbaumeister.view(table.state, ADA)

    known, new = (
        preview(view, burgbaumeister.parse(word), NAMES, ENGLISH) for word in ("c1", "d1")
    )

    assert known == new
