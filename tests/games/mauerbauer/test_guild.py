"""Mauerbauer, what every guild card scores: MB-50 to MB-64."""

import pytest
from tests.games.mauerbauer.conftest import MauerbauerTable, StartBoard, ring

from mauerwerk.games.mauerbauer.board import Field
from mauerwerk.games.mauerbauer.cities import city_named
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.scoring import is_city_card, value

HEXAGON = "3f 3g 3h 4f 4g 4h"
"""The fields around the point g4."""


def worth(table: MauerbauerTable, card: str, city: str | None = None) -> int:
    """What a card scores, for a city named by its first field."""
    chosen = None if city is None else city_named(table.on_table, Field(city))
    return value(Card(card), table.on_table, chosen)


# --- City cards ------------------------------------------------------------------------------


@pytest.mark.rule("MB-50")
@pytest.mark.parametrize(
    ("fields", "scores"),
    [
        ("3h", [6, 0, 0, 0]),
        ("3h 3i", [0, 7, 0, 0]),
        ("3g 3h 3i", [0, 0, 8, 0]),
        ("3f 3g 3h 3i", [0, 0, 0, 0]),
        (HEXAGON, [0, 0, 0, 0]),
        (f"3e {HEXAGON}", [0, 0, 0, 9]),
        (f"3e {HEXAGON} 3i", [0, 0, 0, 9]),
    ],
)
def test_the_size_of_the_city(start_board: StartBoard, fields: str, scores: list[int]) -> None:
    """6, 7, 8 points for exactly 1, 2, 3 fields, 9 for 7 or more (MB-50)."""
    table = start_board(walls=ring(fields))
    name = fields.split(maxsplit=1)[0]

    assert [worth(table, f"city-{size}", name) for size in (1, 2, 3, 7)] == scores


@pytest.mark.rule("MB-51")
@pytest.mark.parametrize(
    ("houses", "palaces", "points"),
    [
        ("", "", 0),
        ("r3h r3h", "r3h", 0),
        ("r3h", "y3h", 4),
        ("r3h", "y3h b3h r3h", 4),
        ("r3h g3h", "y3h b3h", 7),
        ("r3h g3h p3h", "y3h b3h", 7),
    ],
)
def test_colours_of_houses_and_palaces(
    start_board: StartBoard, houses: str, palaces: str, points: int
) -> None:
    """4 points for 2 or 3 colours, 7 for 4 or 5, else none (MB-51)."""
    table = start_board(walls=ring("3h"), houses=houses, palaces=palaces)

    assert worth(table, "city-colours", "3h") == points


@pytest.mark.rule("MB-52", "MB-55")
def test_towers_of_the_city(start_board: StartBoard) -> None:
    """2 points for each of a colour (MB-52), or 1 for each of any (MB-55)."""
    table = start_board(walls=ring("3h 3i"), towers="Wg4 Wh3 Bi4 Wa2 Bb1")

    assert [worth(table, f"city-{tower}", "3h") for tower in ("white", "grey", "black")] == [
        4,
        0,
        2,
    ]
    assert worth(table, "city-towers", "3h") == 3


@pytest.mark.rule("MB-53", "MB-54")
def test_palaces_and_colours_of_the_city(start_board: StartBoard) -> None:
    """1 point for each palace (MB-53); of one colour 3 for each and 1 for each house (MB-54)."""
    table = start_board(walls=ring("3h"), houses="r3h y3h r3g", palaces="r3h r3h b3h")

    assert worth(table, "city-palaces", "3h") == 3
    colours = ("yellow", "green", "blue", "pink", "red")
    assert [worth(table, f"city-{colour}", "3h") for colour in colours] == [1, 0, 3, 0, 7]


@pytest.mark.rule("MB-56")
def test_towers_of_a_city_stand_at_the_ends_of_its_ring(start_board: StartBoard) -> None:
    """A tower that two cities share counts for both, one beyond the ring for none (MB-56)."""
    table = start_board(walls=f"{ring('3h')} {ring('3i')} a2-b1", towers="Wh3 Wi4 Wj3 Wg4 Wk4 Wa2")

    assert worth(table, "city-towers", "3h") == 3
    assert worth(table, "city-towers", "3i") == 3


# --- Country cards ---------------------------------------------------------------------------


@pytest.mark.rule("MB-57", "MB-58")
def test_houses_outside_all_cities(start_board: StartBoard) -> None:
    """1 point each, by colour (MB-57) or by region (MB-58); those in cities do not count."""
    table = start_board(walls=ring("3h"), houses="r3h r3h r3g r1b g1b g2f g5j y4j")

    colours = ("yellow", "green", "blue", "pink", "red")
    assert [worth(table, f"land-{colour}") for colour in colours] == [1, 3, 0, 0, 2]
    regions = ("west", "middle", "east")
    assert [worth(table, f"land-{region}") for region in regions] == [2, 2, 2]


@pytest.mark.rule("MB-58")
def test_a_region_that_a_board_does_not_have_scores_nothing(start_board: StartBoard) -> None:
    """A board may have fewer regions than the deck has arms (MB-58, MB-6)."""
    table = start_board(houses="r1b r1c", board="wwwm")

    assert [worth(table, f"land-{region}") for region in ("west", "middle", "east")] == [2, 0, 0]


@pytest.mark.rule("MB-59", "MB-60", "MB-63")
def test_towers_outside_all_cities(start_board: StartBoard) -> None:
    """1 point each (MB-59) or 2 of a colour (MB-60); towers of a ring do not count (MB-63)."""
    table = start_board(walls=f"{ring('3h')} h3-i2 e4-f5", towers="Wg4 Wh3 Bi4 Bi2 We4 Gf5")

    assert worth(table, "land-towers") == 3
    assert [worth(table, f"land-{tower}") for tower in ("white", "grey", "black")] == [2, 2, 2]


@pytest.mark.rule("MB-61")
def test_towers_by_the_water(start_board: StartBoard) -> None:
    """2 points each on a coastal space; where coast meets plain edge is one (MB-61)."""
    table = start_board(towers="Wb1 Wa2 Wj1 Wk6 Wd1 Wc4")

    assert worth(table, "land-water") == 8


@pytest.mark.rule("MB-61")
def test_a_coastal_tower_of_a_city_is_not_outside(start_board: StartBoard) -> None:
    """The towers of a ring at the coast do not count (MB-61, MB-63)."""
    table = start_board(walls=ring("3b"), towers="Wa4 Wb3 Wc4 Wa2")

    assert worth(table, "land-water") == 2


@pytest.mark.rule("MB-61")
def test_a_lake_is_water_too(start_board: StartBoard) -> None:
    """On the large board the shore of the lake is coast (MB-61, MB-6)."""
    table = start_board(towers="Wg4 Wf5 Wh3", board="large")

    assert worth(table, "land-water") == 4


@pytest.mark.rule("MB-62", "MB-63")
def test_walls_outside_all_cities(start_board: StartBoard) -> None:
    """1 point each; a wall of a ring is not outside, whatever is beyond it (MB-62, MB-63)."""
    table = start_board(walls=f"{ring('3h')} h3-i2 e4-f5 a2-b1")

    assert worth(table, "land-walls") == 3


@pytest.mark.rule("MB-64")
def test_cities(start_board: StartBoard) -> None:
    """1 point for each closed city on the board (MB-64)."""
    table = start_board(walls=f"{ring('3h')} {ring('3i')} {ring('1b')}")

    assert worth(table, "cities") == 3


# --- All cards -------------------------------------------------------------------------------


@pytest.mark.rule("MB-7", "MB-50", "MB-64", "MB-72")
def test_fifteen_kinds_look_at_one_city_and_are_worth_nothing_without(
    start_board: StartBoard,
) -> None:
    """City cards need a city; the others look at the board (MB-50 to MB-64, MB-72)."""
    city_cards = [card for card in KINDS if is_city_card(card)]
    table = start_board(walls=ring("3h"), houses="r3h", towers="Wg4")

    assert len(city_cards) == 15
    assert {worth(table, card.value) for card in city_cards} == {0}


@pytest.mark.rule("MB-44")
def test_the_view_shows_what_each_card_in_hand_would_score(start_board: StartBoard) -> None:
    """For its owner alone, in the order of the hand (MB-44)."""
    table = start_board(walls=ring("3h"), hands="city-1 land-walls cities; cities")

    assert table.view(0).worth == (0, 0, 1)
    assert table.view(1).worth == (1,)
    assert table.view(None).worth == ()
