"""Mauerbauer, closing and joining cities: MB-31 to MB-42."""

from random import Random

import networkx as nx
import pytest
from tests.games.mauerbauer.conftest import MauerbauerTable, StartBoard, ring, without
from tests.support.amounts import amount
from tests.support.setups.mauerbauer import random_board

from mauerwerk.core.game import Setup
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import BOARDS, Board, Field, Line, board_of
from mauerwerk.games.mauerbauer.cities import enclosed, free_lines, ring_points, towers_of
from mauerwerk.games.mauerbauer.events import Cleared, Closed, Joined, PalacesBuilt
from mauerwerk.games.mauerbauer.values import (
    Building,
    Joining,
    Options,
    Over,
    Scoring,
    Supply,
    Tower,
)

OUTSIDE = "outside"

HEXAGON = "3f 3g 3h 4f 4g 4h"
"""The fields around the point g4."""
AROUND = "2g 2h 2i 3f 3g 3i 3j 4f 4g 4h 4i 4j"
"""The fields around the field 3h."""


def corners(fields: str) -> str:
    """White towers on every corner of these fields, so that no tower die is rolled."""
    points = {
        point for field in fields.split() for point in board_of("default").corners[Field(field)]
    }
    return " ".join(f"W{point}" for point in sorted(points))


# --- What is closed --------------------------------------------------------------------------


@pytest.mark.rule("MB-31")
def test_a_city_is_closed_when_walls_surround_it(start_board: StartBoard) -> None:
    """The last wall of the ring closes it, no earlier one does (MB-31)."""
    table = start_board(
        walls=without(ring("3h 3i"), "h3-j3", "i4-j3"), towers=corners("3h 3i 3j 2i")
    )

    first = table.play("0:h3-j3 ~:*rr 0:r3i 0:r2i")
    assert first.of(Closed) == ()
    told = table.play("1:i4-j3 ~:*gg 1:g3i 1:g3j")
    assert told.only(Closed).fields == ("3h", "3i")
    assert table.phase is Scoring


@pytest.mark.rule("MB-31")
@pytest.mark.parametrize("gap", ["a4-b3", "a4-b5"])
def test_coast_must_be_walled_like_any_other_line(start_board: StartBoard, gap: str) -> None:
    """Two fields at the left coast are open until both coast lines are walled (MB-31)."""
    table = start_board(walls=without(ring("3b 4b"), gap, "b3-c4"), towers=corners("3b 3c 4b"))

    assert table.play("0:b3-c4 ~:*rr 0:r3b 0:r3c").of(Closed) == ()
    assert table.cities == ""
    field = "3b" if gap == "a4-b3" else "4b"
    assert table.play(f"1:{gap} ~:*rr 1:r{field}").only(Closed).fields == ("3b", "4b")


@pytest.mark.rule("MB-31")
def test_a_plain_edge_must_be_walled_too(start_board: StartBoard) -> None:
    """The upper edge is not a wall (MB-31)."""
    table = start_board(walls=without(ring("1c"), "b1-d1"), towers=corners("1c"))

    assert table.cities == ""
    assert table.play("0:b1-d1 ~:*rr 0:r1c").only(Closed).fields == ("1c",)


@pytest.mark.rule("MB-33", "MB-34")
def test_houses_of_this_turn_are_placed_first(start_board: StartBoard) -> None:
    """The house of the closing turn counts for the palace (MB-33, MB-34)."""
    table = start_board(walls=without(ring("3h"), "g4-h3"), towers=corners("3h"), houses="r3h")

    told = table.play("0:g4-h3 ~:*r? 0:r3h 0:y3g")

    assert told.only(PalacesBuilt).colours
    assert table.cities == "3h=+r"


@pytest.mark.rule("MB-34", "MB-36")
def test_four_houses_make_two_palaces_wherever_they_stand(start_board: StartBoard) -> None:
    """The pieces of a city count for the whole city; houses return to the supply (MB-34, MB-36)."""
    table = start_board(
        walls=without(ring("3h 3i"), "g4-h3"),
        towers=corners("3h 3i 3g"),
        houses="r3h r3i r3i y3i r3g",
    )

    table.play("0:g4-h3 ~:*r? 0:r3h 0:r3g")

    assert table.cities == "3h,3i=y+rr"
    assert table.houses == "r3g r3g"
    assert (table.supply.houses[4], table.supply.palaces[4]) == (10, 1)


@pytest.mark.rule("MB-34")
def test_without_a_palace_of_the_colour_the_houses_stay(start_board: StartBoard) -> None:
    """One red palace left for four red houses: one is built, two houses stay (MB-34)."""
    table = start_board(
        walls=without(ring("3h"), "g4-h3"),
        towers=corners("3h"),
        houses="r3h r3h r3h",
        supply=Supply(20, (9, 9, 9), (9,) * 5, (3, 3, 3, 3, 1)),
    )

    table.play("0:g4-h3 ~:*rr 0:r3h 0:r3g")

    assert table.cities == "3h=rr+r"
    assert table.supply.palaces == (3, 3, 3, 3, 0)


@pytest.mark.rule("MB-35")
def test_what_stands_free_in_the_city_returns_to_supply(start_board: StartBoard) -> None:
    """A wall with the city on both sides goes, and a tower that then touches none (MB-35)."""
    table = start_board(
        walls=f"{without(ring(HEXAGON), 'f3-h3')} g4-i4",
        towers="We4 Wf3 Bg4 Wh3 Gi4 Wf5 Wh5",
    )

    told = table.play("0:f3-h3 ~:*rg 0:r3g 0:g2g")

    cleared = told.only(Cleared)
    assert cleared.walls == ("g4-i4",)
    assert cleared.towers == (("g4", Tower.BLACK),)
    assert "Gi4" in table.towers
    assert table.supply.walls == 33 - 6


@pytest.mark.rule("MB-37", "MB-12")
def test_a_closed_city_is_never_split(start_board: StartBoard) -> None:
    """None of its inner lines is ever free (MB-37, MB-12)."""
    table = start_board(walls=ring(HEXAGON))

    inner = {"f3-g4", "g4-h3", "g4-i4", "g4-h5", "f5-g4", "e4-g4"}
    assert len(table.legal(0).split()) == 77 - 6 - 6
    assert inner.isdisjoint(table.legal(0).split())


@pytest.mark.rule("MB-38")
def test_a_city_may_lie_around_another(start_board: StartBoard) -> None:
    """The inner city's fields, walls and towers remain its own (MB-38)."""
    hole = start_board(walls=f"{ring(AROUND)}", towers="Bg4 Wf1")

    assert hole.cities.split()[1] == "3h=+"
    outer, inner = hole.on_table.cities
    assert "3h" not in outer.fields
    assert len(outer.fields) == 12
    shared = ring_points(board_of("default"), (inner,))
    assert shared <= ring_points(board_of("default"), (outer,))
    assert towers_of(hole.on_table, outer) == towers_of(hole.on_table, inner) == (Tower.BLACK,)


# --- Joining ---------------------------------------------------------------------------------


def three_cities(start_board: StartBoard) -> MauerbauerTable:
    """A wall away from a city of 3h and 3i between a city in the west and one of 3j in the east.

    The first shares two walls with it, the second one.
    """
    walls = f"{ring('3f 3g 4f 4g 4h')} {ring('3j')} {ring('3h 3i')}"
    return start_board(
        walls=without(" ".join(dict.fromkeys(walls.split())), "h3-j3"),
        towers=corners("3f 3g 3h 3i 3j 4f 4g 4h"),
        houses="r3g r3i b3j",
        hands="cities city-7; cities",
    )


@pytest.mark.rule("MB-40")
def test_the_closer_may_join_one_neighbour_or_none(start_board: StartBoard) -> None:
    """Each city that shares a wall with the new one is offered, and none (MB-40)."""
    table = three_cities(start_board)
    table.play("0:h3-j3 ~:*yg 0:y3i 0:g2i")

    assert table.phase is Joining
    assert table.legal(0) == "&3f &3j &-"
    assert [table.why_not(word) for word in ("1:&-", "0:&3h", "0:&1b", "0:cities")] == ["MB-40"] * 4


@pytest.mark.rule("MB-40")
def test_without_a_neighbour_nothing_is_asked(start_board: StartBoard) -> None:
    """A city that touches another in a point only shares no wall with it (MB-40)."""
    table = start_board(
        walls=f"{without(ring('3h'), 'g4-h3')} {ring('2g')}", towers=corners("3h 2g")
    )

    table.play("0:g4-h3 ~:*yg 0:y3h 0:g3g")

    assert table.phase is Scoring


@pytest.mark.rule("MB-40")
def test_not_to_join_leaves_every_wall(start_board: StartBoard) -> None:
    """The new city stays alone (MB-40)."""
    table = three_cities(start_board)
    table.play("0:h3-j3 ~:*yg 0:y3i 0:g2i")
    walls = table.walls

    told = table.play("0:&-")

    assert told.only(Joined).other is None
    assert table.walls == walls
    assert len(table.on_table.cities) == 3


@pytest.mark.rule("MB-41", "MB-42")
def test_joining_removes_the_walls_between_and_makes_one_city(start_board: StartBoard) -> None:
    """Their houses meet and become a palace; the joined city is the one that is scored."""
    table = three_cities(start_board)
    table.play("0:h3-j3 ~:*yg 0:y3i 0:g2i")
    told = table.play("0:&3f")

    cleared = told.only(Cleared)
    assert cleared.walls == ("g4-h3", "g4-i4")
    assert cleared.towers == (("g4", Tower.WHITE),)
    assert told.only(PalacesBuilt).city == "3f"
    assert table.cities == "3f,3g,3h,3i,4f,4g,4h=y+r 3j=b+"
    assert table.view(0).city == "3f"


@pytest.mark.rule("MB-40", "MB-42")
def test_never_more_than_two_cities_in_one_turn(start_board: StartBoard) -> None:
    """After one join the scoring follows, whatever else is beside the joined city (MB-40)."""
    table = three_cities(start_board)
    table.play("0:h3-j3 ~:*yg 0:y3i 0:g2i 0:&3j")

    assert table.phase is Scoring
    assert table.cities == "3f,3g,4f,4g,4h=r+ 3h,3i,3j=ybr+"


@pytest.mark.rule("MB-41")
def test_a_tower_that_still_touches_a_wall_stays_when_cities_join(start_board: StartBoard) -> None:
    """Both ends of the wall between touch the ring (MB-41)."""
    table = three_cities(start_board)
    before = table.towers

    told = table.play("0:h3-j3 ~:*yg 0:y3i 0:g2i 0:&3j")

    assert told.only(Cleared).walls == ("i4-j3",)
    assert table.towers == before


@pytest.mark.rule("MB-38", "MB-40")
def test_a_city_may_be_joined_with_the_one_inside_it(start_board: StartBoard) -> None:
    """They share all of the inner one's walls (MB-38, MB-40)."""
    table = start_board(walls=without(ring(AROUND), "g2-i2"), towers=corners(f"{AROUND} 1h"))

    table.play("0:g2-i2 ~:*yg 0:y2h 0:g1h")
    assert table.legal(0) == "&3h &-"
    table.play("0:&3h")
    assert len(table.on_table.cities[0].fields) == 13
    assert "g4-h3" not in table.walls


# --- At most one city a wall -----------------------------------------------------------------


def closed_cities(board: Board, walls: frozenset[Line]) -> set[frozenset[Field]]:
    """The closed cities by another method: components of a graph that do not hold the outside."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_node(OUTSIDE)
    graph.add_nodes_from(board.fields)
    for line in board.lines:
        if line not in walls:
            one, other = (*board.sides[line], OUTSIDE)[:2]
            graph.add_edge(one, other)
    return {
        frozenset(map(Field, component))
        for component in nx.connected_components(graph)
        if OUTSIDE not in component
    }


@pytest.mark.rule("MB-6", "MB-31", "MB-32")
def test_one_wall_closes_at_most_one_city_on_any_board() -> None:
    """Many walls on random boards, against connected components (MB-31, MB-32)."""
    random = Random(32)
    walls_built = cities_closed = 0
    boards = amount(40, 100, 3000)
    for _ in range(boards):
        board = board_of(random_board(random))
        walls: frozenset[Line] = frozenset()
        cities: set[frozenset[Field]] = set()
        for line in random.sample(board.lines, len(board.lines)):
            if any(city.issuperset(board.sides[line]) for city in cities):
                continue
            walls |= {line}
            found = closed_cities(board, walls)
            new = found - cities
            assert len(new) <= 1
            assert cities <= found
            assert _closed_by(board, walls, line) == new
            cities = found
            walls_built += 1
            cities_closed += len(new)
    assert walls_built > 15 * boards
    assert cities_closed > 1.5 * boards


def _closed_by(board: Board, walls: frozenset[Line], line: Line) -> set[frozenset[Field]]:
    """What the rules find closed beside this line."""
    found = (enclosed(board, walls, field) for field in board.sides[line])
    return {frozenset(city) for city in found if city}


@pytest.mark.rule("MB-12", "MB-31", "MB-32", "MB-37", "MB-38")
@pytest.mark.parametrize("board", BOARDS)
def test_the_cities_of_every_position_are_the_components_without_the_outside(board: str) -> None:
    """All through random games, with joined cities and returned walls (MB-31 to MB-38)."""
    random = Random(board)
    for seats in (2, 3, 4):
        state = mauerbauer.start(Setup(seats, Options(board=board)))
        while not isinstance(state, Over):
            if isinstance(state, Building):
                table, laid_out = state.table, board_of(board)
                found = closed_cities(laid_out, frozenset(table.walls))
                assert {frozenset(city.fields) for city in table.cities} == found
                inside = {
                    line
                    for line in laid_out.lines
                    for city in found
                    if len(laid_out.sides[line]) == 2 and city.issuperset(laid_out.sides[line])
                }
                assert inside.isdisjoint(table.walls)
                assert set(free_lines(table)) == {*laid_out.lines} - {*table.walls} - inside
            (seat,) = mauerbauer.to_act(state)
            state = mauerbauer.apply(
                state, seat, random.choice(mauerbauer.legal(state, seat))
            ).state
