"""Mauerbauer, the ground as a picture: shore, regions, paved cities, arms, lines and points."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from mauerwerk.core.svg import TEXT, Node, group, label, node, shared, use
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, Region
from mauerwerk.games.mauerbauer.drawing.geometry import (
    LAND,
    SIDE,
    Spot,
    line_of,
    middle_of,
    outline_of,
    path_of,
    points_up,
    spot_of,
)
from mauerwerk.games.mauerbauer.values import City

_REGIONS: Final = {region: f"var(--reg{place})" for place, region in enumerate(Region)}
_ARMS: Final = {region: f"arms-{region.name.lower()}" for region in Region}


@lru_cache(maxsize=32)
def ground(board: Board, cities: tuple[City, ...] = (), far: float = LAND) -> tuple[Node, ...]:
    """What lies under all pieces: shore, regions, the paving of cities, arms, lines and points.

    It changes only when a city is closed, and takes long to draw.
    """
    closed = {field for city in cities for field in city.fields}
    drawn = [
        *_shore(board, far),
        *_regions(board, closed),
        *(paved(board, city) for city in cities),
        *_arms(board),
        _grooves(board, closed),
        *(
            node("circle", cx=x, cy=y, r=5, fill="var(--groove)", fill_opacity=".55")
            for x, y in (spot_of(board, point) for point in board.points)
        ),
    ]
    return tuple(map(shared, drawn))


def paving() -> Node:
    """The pattern of the paving in cities."""
    stones = node(
        "path", d="M0 .5H30M0 10.5H30M7.5 0V10M22.5 10V20", stroke="var(--city-line)", fill="none"
    )
    return node("pattern", stones, id="mb-pave", width=30, height=20, patternUnits="userSpaceOnUse")


def _shore(board: Board, far: float) -> list[Node]:
    edges = [line for line, sides in board.sides.items() if len(sides) == 1]
    coast = [line_of(board, line) for line in edges if line in board.coast]
    land = "".join(_strip(board, line, far) for line in edges if line not in board.coast)
    return [
        *(
            node(
                "path",
                d=land + "".join(coast),
                fill="none",
                stroke="var(--foam)",
                stroke_width=width,
                stroke_opacity=opacity,
                stroke_linejoin="round",
                stroke_linecap="round",
            )
            for width, opacity in ((36, ".16"), (16, ".5"))
        ),
        node("path", d=land, fill="var(--hinter)"),
    ]


def _strip(board: Board, line: Line, far: float) -> str:
    one, other = board.ends[line]
    corners = [spot_of(board, one), spot_of(board, other)]
    for point in (other, one):
        x, y = spot_of(board, point)
        dx, dy = _way_beyond(board, line, point)
        corners.append((x + dx * far, y + dy * far))
    # All strips go around the same way: where two of them meet in a bay, both are land.
    (ax, ay), (bx, by), (cx, cy), _ = corners
    turned = (bx - ax) * (cy - by) < (by - ay) * (cx - bx)
    return f"M{path_of(corners[::-1] if turned else corners)}Z"


def _outward(board: Board, line: Line) -> Spot:
    (ax, ay), (bx, by) = (spot_of(board, point) for point in board.ends[line])
    x, y = middle_of(board, board.sides[line][0])
    nx, ny = (ay - by) / SIDE, (bx - ax) / SIDE
    return (-nx, -ny) if nx * (x - ax) + ny * (y - ay) > 0 else (nx, ny)


def _way_beyond(board: Board, line: Line, point: Point) -> Spot:
    """How plain land goes on beyond an end of its line.

    Where it meets the coast, the coast goes on as it came; around a cape, two edges meet halfway.
    """
    nx, ny = _outward(board, line)
    if ways := _ways_on(board, point):
        return next((way for way in reversed(ways) if way[0] * nx + way[1] * ny > 0), (nx, ny))
    edges = [each for each in board.lines_at[point] if len(board.sides[each]) == 1]
    match [each for each in edges if each != line]:
        case [next_one]:
            x, y = spot_of(board, point)
            inside = middle_of(board, board.sides[next_one][0])
            mx, my = _outward(board, next_one)
            if (inside[0] - x) * nx + (inside[1] - y) * ny < 0:
                return (nx + mx) / (1 + nx * mx + ny * my), (ny + my) / (1 + nx * mx + ny * my)
        case _:
            pass
    return nx, ny


def _ways_on(board: Board, point: Point) -> list[Spot]:
    x, y = spot_of(board, point)
    ways: list[Spot] = []
    for line in board.lines_at[point]:
        if line in board.coast:
            ends = [spot_of(board, each) for each in board.ends[line] if each != point]
            ways += [((x - end[0]) / SIDE, (y - end[1]) / SIDE) for end in ends]
    return ways


def _regions(board: Board, cities: Collection[Field]) -> list[Node]:
    """The fields outside all cities, region by region; those that point down lie in shade."""
    open_fields = [field for field in board.fields if field not in cities]
    grounds = [
        node(
            "path",
            d=outline_of(board, [each for each in open_fields if board.regions[each] is region]),
            fill=fill,
        )
        for region, fill in _REGIONS.items()
    ]
    down = [field for field in open_fields if not points_up(board, field)]
    return [*grounds, node("path", d=outline_of(board, down), fill="#000", fill_opacity=".045")]


def paved(board: Board, city: City) -> Node:
    """The paving of a city."""
    drawn = outline_of(board, city.fields)
    return group(
        node("path", d=drawn, fill="var(--city)"),
        node("path", d=drawn, fill="url(#mb-pave)"),
        id=f"paved-{city.name}",
    )


@lru_cache(maxsize=32)
def coordinates(board: Board) -> Node:
    """The names of points: letters below the board, the numbers of rows at its left."""
    spots = {point: spot_of(board, point) for point in board.points}
    foot = max((y for _, y in spots.values()), default=0)
    letters = {point[0]: x for point, (x, _) in spots.items()}
    rows: dict[str, Spot] = {}
    for point, (x, y) in spots.items():
        rows[point[1:]] = min(rows.get(point[1:], (x, y)), (x, y))
    drawn = group(
        *(
            label(x, foot + 30, name, size=TEXT, fill="chalk", anchor="middle")
            for name, x in letters.items()
        ),
        *(
            label(x - 22, y + 5, name, size=TEXT, fill="chalk", anchor="middle")
            for name, (x, y) in rows.items()
        ),
        class_="coords",
        aria_hidden="true",
    )
    return shared(drawn)


def _arms(board: Board) -> list[Node]:
    """Each region's coat of arms above its uppermost fields (MB-5)."""
    arms: list[Node] = []
    for region in Region:
        corners = [
            spot_of(board, point)
            for field in board.fields
            if board.regions[field] is region
            for point in board.corners[field]
        ]
        if corners:
            top = min(y for _, y in corners)
            across = [x for x, y in corners if y == top]
            x = (min(across) + max(across)) / 2
            arms.append(use(_ARMS[region], x - 18, top - 50, 36, 43))
    return arms


def _grooves(board: Board, inside: Collection[Field]) -> Node:
    """Lines that are not inside a city; those between regions are stronger."""
    thin, strong = "", ""
    for line in board.lines:
        sides = board.sides[line]
        if all(field in inside for field in sides):
            continue
        drawn = line_of(board, line)
        if len({board.regions[field] for field in sides}) > 1:
            strong += drawn
        else:
            thin += drawn
    return group(
        node("path", d=thin, stroke="var(--groove)", stroke_opacity=".28", stroke_width=2),
        node("path", d=strong, stroke="var(--groove)", stroke_opacity=".6", stroke_width=3),
    )
