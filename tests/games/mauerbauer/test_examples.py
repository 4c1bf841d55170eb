"""Mauerbauer, the rulebook's worked examples, each as it is told there."""

import pytest
from tests.games.mauerbauer.conftest import StartBoard, ring, without

from mauerwerk.games.mauerbauer.events import Cleared, PalacesBuilt, Played
from mauerwerk.games.mauerbauer.values import Colour, Joining, Swapping, Tower

HEXAGON = "3f 3g 3h 4f 4g 4h"
"""The fields around the point g4."""


@pytest.mark.rule("MB-21", "MB-22")
def test_a_black_tower_is_rolled_and_a_grey_one_chosen(start_board: StartBoard) -> None:
    """A wall between two free points: black on one end, any colour on the other."""
    table = start_board()

    table.play("0:g4-h3 ~:*Br? 0:Bg4")
    assert table.legal(0) == "Wh3 Gh3 Bh3"
    table.play("0:Gh3")
    assert table.towers == "Gh3 Bg4"


@pytest.mark.rule("MB-25", "MB-26")
def test_red_goes_to_the_right_and_green_is_chosen_for_the_left(start_board: StartBoard) -> None:
    """The dice show red and `?`; left of g4-h3 lies 3g, right of it 3h."""
    table = start_board(towers="Wg4 Wh3")

    table.play("0:g4-h3 ~:*r? 0:r3h 0:g3g")

    assert table.houses == "g3g r3h"


@pytest.mark.rule("MB-28")
def test_on_the_edge_only_one_house_is_placed(start_board: StartBoard) -> None:
    """The same dice at the coast: one house of any colour, thanks to `?`."""
    table = start_board(towers="Wa4 Wb3")

    table.play("0:a4-b3 ~:*r? 0:r3b")

    assert table.houses == "r3b"
    assert table.builder == 1


@pytest.mark.rule("MB-34")
def test_two_red_houses_become_one_red_palace(start_board: StartBoard) -> None:
    """A red house is put into a city that has one already."""
    table = start_board(
        walls=without(ring("3h 3i"), "g4-h3"), towers="Wg4 Wh3 Wi4 Wj3", houses="r3i"
    )

    told = table.play("0:g4-h3 ~:*r? 0:r3h 0:y3g")

    assert told.only(PalacesBuilt).colours == (Colour.RED,)
    assert table.cities == "3h,3i=+r"


@pytest.mark.rule("MB-40", "MB-41")
@pytest.mark.parametrize(
    ("choice", "removed"), [("&3f", ["g4-h3", "g4-i4"]), ("&3j", ["i4-j3"]), ("&-", [])]
)
def test_city_one_may_be_joined_with_two_or_with_three_or_stay(
    start_board: StartBoard, choice: str, removed: list[str]
) -> None:
    """Wall A, h3-j3, closes city 1, of 3h and 3i.

    It shares walls B and C, g4-h3 and g4-i4, with city 2, and wall D, i4-j3, with city 3.
    """
    walls = f"{ring('3f 3g 4f 4g 4h')} {ring('3j')} {without(ring('3h 3i'), 'h3-j3')}"
    table = start_board(walls=walls, towers="Wh3 Wj3")

    table.play("0:h3-j3 ~:*yb 0:y3i 0:b2i")
    assert (table.phase, table.legal(0)) == (Joining, "&3f &3j &-")
    before = set(table.on_table.walls)
    table.play(f"0:{choice}")
    assert sorted(before - set(table.on_table.walls)) == removed


@pytest.mark.rule("MB-35")
def test_a_free_standing_wall_and_its_tower_go_back(start_board: StartBoard) -> None:
    """Wall A from i4 to g4 and tower B on g4 stand inside the city that is closed."""
    table = start_board(
        walls=f"{without(ring(HEXAGON), 'f3-h3')} g4-i4", towers="Wf3 Wh3 Wi4 Bg4 We4 Wf5 Wh5"
    )

    told = table.play("0:f3-h3 ~:*yb 0:y3g 0:b2g")

    cleared = told.only(Cleared)
    assert (cleared.walls, cleared.towers) == (("g4-i4",), (("g4", Tower.BLACK),))


@pytest.mark.rule("MB-50", "MB-55", "MB-57", "MB-58", "MB-61", "MB-62", "MB-64")
def test_one_scoring_of_four_players(start_board: StartBoard) -> None:
    """City X has 7 fields and 7 towers; 4 cities in all.

    Outside stand 6 walls, 5 towers by the water, 6 pink houses, 7 houses in the west.
    """
    city = f"3e {HEXAGON}"
    table = start_board(
        walls=" ".join(
            [
                without(ring(city), "d3-e4"),
                *map(ring, ("1j", "3j", "5j")),
                "a2-b1 a2-b3 a4-b3 a4-b5 a6-b5 c2-d1",
            ]
        ),
        towers="Wd3 We4 Wf3 Wh3 Wi4 Wh5 Wf5 Ga2 Gb1 Ga4 Ga6 Gb3 Gc4 Bj1 Bk2 Bi2",
        houses="p1b p1c p2b p2c r1d y2d p3j p5f p4j r1i",
        hands="city-7 land-water; land-walls cities; cities land-pink; land-west city-towers",
    )

    told = table.play("0:d3-e4 ~:*bb 0:b3e 0:b3d 0:city-7 0:land-water 1:land-walls 1:.")
    told_later = table.play("2:cities 2:land-pink 3:land-west 3:city-towers")

    scores = [(event.card.value, event.points) for event in told.of(Played)]
    assert scores == [("city-7", 9), ("land-water", 10), ("land-walls", 6)]
    scores = [(event.card.value, event.points) for event in told_later.of(Played)]
    assert scores == [("cities", 4), ("land-pink", 6), ("land-west", 7), ("city-towers", 7)]
    assert table.points == (19, 6, 10, 14)


@pytest.mark.rule("MB-47")
def test_yellow_and_green_are_both_last_and_both_may_swap(start_board: StartBoard) -> None:
    """Two of four share the last place."""
    table = start_board(
        walls=without(ring("3h"), "g4-h3"),
        towers="Wg4 Gh3 Bi4",
        hands="land-red; land-red; land-blue; land-blue",
        points="7 2 9 2",
    )
    table.play("0:g4-h3 ~:*yg 0:y3h 0:g3g 0:-land-red 1:-land-red 2:-land-blue 3:-land-blue")
    for _ in range(4):
        first, second = table.legal(-1).split()[:2]
        table.play(f"~:{first} ~:{second}")

    assert table.phase is Swapping
    assert table.view(None).swappers == (1, 3)
