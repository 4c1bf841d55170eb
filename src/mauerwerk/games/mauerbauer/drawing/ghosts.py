"""Mauerbauer, what is not there yet: a wall, a piece or a city, drawn over the board.

All of it lies above the pieces, so what belongs on top of it is drawn again.
"""

from collections.abc import Sequence
from math import hypot
from typing import Final

from mauerwerk.core.svg import Node, group, node, use
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point
from mauerwerk.games.mauerbauer.cities import ring, ring_points
from mauerwerk.games.mauerbauer.drawing.board import (
    bricks,
    by_field,
    houses_on,
    pieces_of,
    shine,
    standing_tower,
)
from mauerwerk.games.mauerbauer.drawing.geometry import middle_of, path_of, points_up, spot_of
from mauerwerk.games.mauerbauer.drawing.ground import paved
from mauerwerk.games.mauerbauer.values import City, Colour, PlaceHouse, PlaceTower, Table

LABEL: Final = "preview-label"
"""The id of the element at which a page says what is shown."""


def ghost_wall(board: Board, table: Table, line: Line) -> list[Node]:
    """A wall that might be built, with a rim of chalk; the towers at its ends stay on top."""
    (ax, ay), (bx, by) = (spot_of(board, point) for point in board.ends[line])
    far = 11 / hypot(bx - ax, by - ay)
    u, v = (bx - ax) * far, (by - ay) * far
    rims = "".join(
        f"M{path_of([(ax + u + x, ay + v + y), (bx - u + x, by - v + y)])}"
        for x, y in ((v, -u), (-v, u))
    )
    return [
        group(*bricks(board, line), opacity=".72"),
        node("path", d=rims, class_="rim"),
        *_towers(board, table, board.ends[line]),
    ]


def ghost_closing(board: Board, table: Table, line: Line, city: City) -> list[Node]:
    """The city that a wall would close, before the dice: its houses are still where they stand."""
    standing = by_field(table.houses)
    houses = [
        each for field in city.fields for each in houses_on(board, field, standing.get(field, ()))
    ]
    return [*_ghost_city(board, table, city, houses, line), *ghost_wall(board, table, line)]


def ghost_joined(board: Board, table: Table, city: City) -> list[Node]:
    """Two cities as one: the walls between them are gone."""
    return _ghost_city(board, table, city, pieces_of(board, city))


def _ghost_city(
    board: Board, table: Table, city: City, pieces: Sequence[Node], ghost: Line | None = None
) -> list[Node]:
    lines = ring(board, city)
    return [
        shine(board, lines),
        group(_nameless(paved(board, city)), opacity=".86"),
        *(group(*bricks(board, line)) for line in lines if line != ghost),
        *_towers(board, table, sorted(ring_points(board, (city,)), key=board.place.__getitem__)),
        *(_nameless(piece) for piece in pieces),
        _top_of(board, city.fields),
    ]


def _top_of(board: Board, fields: Sequence[Field]) -> Node:
    """The upper edge of these fields, where there is something to say of them."""
    spots = [spot_of(board, point) for field in fields for point in board.corners[field]]
    y = min(y for _, y in spots)
    across = [x for x, level in spots if level == y]
    left, right = min(across), max(across)
    wide = max(right - left, 1)
    return node("rect", x=left, y=y - 12, width=wide, height=1, fill="none", id=LABEL)


def _towers(board: Board, table: Table, points: Sequence[Point]) -> list[Node]:
    towers = dict(table.towers)
    return [
        group(*standing_tower(board, point, towers[point])) for point in points if point in towers
    ]


def _nameless(drawn: Node) -> Node:
    """The same piece a second time: it has no name, and does not drop."""
    drawn.attrib.pop("id", None)
    drawn.attrib.pop("class", None)
    return drawn


def ghost_piece(board: Board, table: Table, action: PlaceTower | PlaceHouse, *, sure: bool) -> Node:
    """A tower or house that might be placed; one that only follows from another is paler."""
    opacity = ".9" if sure else ".6"
    if isinstance(action, PlaceTower):
        drawn = standing_tower(board, action.point, action.tower)
        return group(*drawn, opacity=opacity, class_="ghost")
    (x, y), wide = _room_on(board, table, action.field)
    high = wide * 36 / 34
    drawn_house = use(_symbol(action.colour), x - wide / 2, y - high / 2, wide, high)
    return group(drawn_house, opacity=opacity, class_="ghost")


def _symbol(colour: Colour) -> str:
    return f"house-{colour.name.lower()}"


def _room_on(board: Board, table: Table, field: Field) -> tuple[tuple[float, float], float]:
    """Where one house more finds room on a field, and how wide it is there."""
    x, y = middle_of(board, field)
    if not any(each == field for each, _ in table.houses):
        return (x, y), 34
    return (x, y + (-33 if points_up(board, field) else 33)), 28
