"""Cards that teach: what is said of a card or a piece agrees with what the rules pay for it."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.driven_table import DrivenTable, start_table

from mauerwerk.core.language import ENGLISH, Language, language_of
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.scoring import is_city_card, value
from mauerwerk.games.mauerbauer.views import known_table
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Explanation

OPTIONS = {
    "mauer": {"first": "0"},
    "burgbaumeister": {"first": "0", "variant": "yes"},
    "mauerbauer": {"first": "0", "board": "small"},
}
LETTERS = {"mauer": "hhh", "burgbaumeister": "hh", "mauerbauer": "hh"}
LANGUAGES = [language_of(code) for code in ("en", "de", "it")]


def played(game: str, moves: int = 60, seed: int = 4, **options: str) -> Iterator[DrivenTable]:
    """A game with random moves, after each of them."""
    chance = random.Random(seed)
    laid = start_table(game, LETTERS[game], options=OPTIONS[game] | options)
    yield laid
    for _ in range(moves):
        if not laid.table.deciding:
            return
        seat = laid.table.deciding[0]
        laid.move(seat, chance.choice(laid.legal(seat)))
        yield laid


def explained(
    laid: DrivenTable, seat: int | None, thing: str, language: Language = ENGLISH
) -> Explanation | None:
    """What a seat is told about something."""
    room = web_game(laid.table.charter.game)
    assert room.explain
    names = ("Ada", "Bo", "Cleo")[: laid.table.setup.seats]
    return room.explain(laid.table_view(seat).view, thing, names, language)


def view_of(laid: DrivenTable, seat: int | None) -> Any:  # noqa: ANN401 - the game's own
    """The table as a seat sees it."""
    return laid.table_view(seat).view


def things(laid: DrivenTable, seat: int | None) -> set[str]:
    """All that can be asked about on the page of a seat."""
    room, view = web_game(laid.table.charter.game), laid.table_view(seat)
    names = ("Ada", "Bo", "Cleo")[: laid.table.setup.seats]
    parts = room.board.parts(view.view, view.legal, names, ENGLISH)
    drawn = f"{parts.stage}{parts.tray}{parts.aside}{parts.figure}"
    return set(re.findall(r'data-explains="([^"]+)"', drawn))


@pytest.mark.parametrize("game", OPTIONS)
def test_all_that_can_be_asked_about_is_explained(game: str) -> None:
    """One sentence and a clause, in each language; what glows is on the page."""
    asked = 0
    for laid in played(game, 40):
        for seat in (0, None):
            for thing in things(laid, seat):
                found = explained(laid, seat, thing, LANGUAGES[asked % 3])
                assert found is not None, thing
                assert found.title
                assert found.sentence.endswith(".")
                assert re.fullmatch(r"(MB|DM|BB)-\d+", found.clause)
                asked += 1
    assert asked > 100


@pytest.mark.parametrize("game", OPTIONS)
def test_of_anything_else_nothing_is_said(game: str) -> None:
    """Neither of an element that is no thing, nor of a card that lies face down."""
    laid = next(played(game))
    for thing in ("", "card-", "card-99", "hand-X", "turned", "<script>", "card-17"):
        assert explained(laid, 0, thing) is None


@pytest.mark.parametrize(
    "points", ["printed", "land-towers:5,land-white:7,land-water:9,land-walls:0,cities:8"]
)
def test_a_country_card_says_what_it_pays_now(points: str) -> None:
    """The sum, the marked column and the marks on the board agree with the rules (MB-57 to 64)."""
    paid = 0
    for laid in played("mauerbauer", 80, points=points):
        view = view_of(laid, 0)
        for card in KINDS:
            if is_city_card(card):
                continue
            found = explained(laid, 0, f"card-{card.value}")
            assert found is not None
            scores = value(card, known_table(view), None)
            assert found.now[0].points == str(scores)
            marks = [int(text) for text in found.marks.values() if text]
            assert sum(marks) in {0, scores}
            now = [column.points for column in found.table if column.mark == "now"]
            assert now == ([str(scores)] if scores else [])
            paid += scores
    assert paid


def test_a_city_card_shows_the_walls_that_would_pay() -> None:
    """Each wall that is named closes a city, and the card would pay that much for it."""
    shown = 0
    for count, laid in enumerate(played("mauerbauer", 120, seed=8)):
        if count % amount(3, 1, 1):
            continue
        view = view_of(laid, 0)
        if view.city is not None or not known_table(view).walls:
            continue
        for card in filter(is_city_card, KINDS):
            found = explained(laid, 0, f"card-{card.value}")
            assert found is not None
            numbered = [line for line in found.now if line.number]
            assert [line.number for line in numbered] == [*range(1, len(numbered) + 1)]
            assert [int(line.points) for line in numbered] == sorted(
                (int(line.points) for line in numbered), reverse=True
            )
            assert found.drawing.count("<circle") >= len(numbered)
            shown += len(numbered)
    assert shown


def test_nobody_is_told_what_is_hidden() -> None:
    """The explanation of a card is the same for all who may see it, whoever holds one like it."""
    for laid in played("mauerbauer", 30):
        for card in KINDS[:20:3]:
            if view_of(laid, None).city is None:
                told = [explained(laid, seat, f"card-{card.value}") for seat in (0, 1, None)]
                assert len({each and each.sentence for each in told}) == 1
                assert len({each and each.now for each in told}) == 1


def test_the_pair_is_marked_and_counted() -> None:
    """A knight and a damsel are worth 1 each and 1 more together (BB-22)."""
    found = None
    for laid in played("burgbaumeister", 200, seed=3):
        for seat in (0, 1):
            for wall in view_of(laid, seat).walls:
                for card in wall:
                    if card.picture and card.picture.value in {"knight", "damsel"}:
                        found = explained(laid, seat, f"card-{card.number}")
    assert found is not None
    assert [column.points for column in found.table] == ["1", "3", "4", "6", "9"]
    assert found.marks


def test_a_piece_says_where_it_fits() -> None:
    """As the rules have it (DM-9)."""
    laid = start_table("mauer", options=OPTIONS["mauer"])
    first = explained(laid, 0, "hand-T")
    assert first is not None
    assert first.now[0].words == "The first piece starts the wall."
    laid.play("0:T 1:4 2:4 0:>")
    tower, wall = explained(laid, 1, "hand-T"), explained(laid, 1, "hand-4")
    assert tower is not None
    assert wall is not None
    assert tower.now[0].words == "There is no place for it now."
    assert wall.now[0].words == "It fits at both ends now."
    assert next(column.points for column in tower.table if column.mark) == "15"


def test_with_house_rules_the_numbers_of_the_table_are_said() -> None:
    """Points of guild cards, penalties, and the cards that finish a wall; not what is printed."""
    points = "city-1:13,city-colours-2:5,city-colours-4:6,city-red-palace:9,city-red-house:2"
    laid = next(played("mauerbauer", points=f"{points},city-towers:4"))
    told = [explained(laid, 0, f"card-city-{each}") for each in ("1", "colours", "red", "towers")]
    assert [found and [column.points for column in found.table] for found in told] == [
        ["13", "0"],
        ["0", "5", "6"],
        ["2", "9"],
        ["4", "8", "12", "16", "20", "24", "28"],
    ]
    assert [found and re.findall(r"\d+", found.sentence) for found in told] == [
        *([], [], ["9", "2"], ["4"]),
    ]
    tower = explained(next(played("mauer", penalties="T:40,C:1")), 0, "hand-T")
    assert tower is not None
    assert [column.points for column in tower.table] == ["1", "1", "2", "3", "4", "6", "40"]
    assert tower.more.endswith("it costs 40 points.")


@pytest.mark.parametrize(
    ("wall", "said"),
    [
        ("1", "1 card finishes a wall."),
        ("3", "3 cards finish a wall."),
        ("9", "9 cards finish a wall."),
    ],
)
def test_a_card_says_how_many_finish_a_wall(wall: str, said: str) -> None:
    """As many as the table plays with (BB-10)."""
    laid = start_table("burgbaumeister", "hh", options={"first": "0", "wall": wall})
    laid.play("0:a1")
    found = explained(laid, 0, "turned")
    assert found is not None
    assert found.more == said
