"""Mauerbauer, the board as a picture: land, walls, towers, houses and cities.

All is drawn in the board's own units, a line 120 long, and scaled as a whole.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from math import atan2, degrees, sqrt
from typing import Final, TypeAlias

from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg.drawing import TEXT, Node, group, label, node, use
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, Region, board_of
from mauerwerk.games.mauerbauer.cities import ring
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.naming import fields, houses, palaces, tower_on
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    City,
    Colour,
)

SIDE: Final = 120
HIGH: Final = SIDE * sqrt(3) / 2
LAND: Final = 26
"""How far plain land goes on beyond the board."""

Spot: TypeAlias = tuple[float, float]
Piece: TypeAlias = tuple[str, Colour, int]
"""`house` or `palace`, its colour, and how many of them."""

_REGIONS: Final = {region: f"var(--reg{place})" for place, region in enumerate(Region)}
_ARMS: Final = {region: f"arms-{region.name.lower()}" for region in Region}


def size(board: Board) -> tuple[float, float, float, float]:
    """Left, top, width and height of the board, with the land around it and its arms."""
    spots = [spot_of(board, point) for point in board.points]
    left, right = min(x for x, _ in spots) - LAND, max(x for x, _ in spots) + LAND
    top, foot = min(y for _, y in spots) - 62, max(y for _, y in spots) + LAND
    return left, top, right - left, foot - top


def land(view: View, targets: Sequence[Node], language: Language, far: float = LAND) -> Node:
    """The whole board, from the ground up; on top of it where one may act.

    Where the board does not end in water, plain land goes on so far.
    """
    board = board_of(view.board)
    return group(
        node("defs", _paving()),
        *ground(board, view.cities, far),
        *_in_question(board, view),
        *(_wall(board, line, language) for line in view.walls),
        *(
            _tower(board, point, f"tower-{tower.name.lower()}", tower_on(tower, point, language))
            for point, tower in view.towers
        ),
        *_houses(board, view, language),
        *(_city(board, city, language) for city in view.cities),
        *_signature(board, view),
        *targets,
        id="board",
        role="group",
        aria_label=f"{language(board.title)}: {fields(len(board.fields), language)}, "
        f"{language.many(len(view.cities), '{number} closed city', '{number} closed cities')}",
    )


# --- Ground ----------------------------------------------------------------------------------


def ground(board: Board, cities: Sequence[City] = (), far: float = LAND) -> list[Node]:
    """What lies under all pieces: shore, regions, the paving of cities, arms, lines and points."""
    paved = {field for city in cities for field in city.fields}
    return [
        *_shore(board, far),
        *_regions(board, paved),
        *(_paved(board, city.fields) for city in cities),
        *_arms(board),
        _grooves(board, paved),
        *(_dot(board, point) for point in board.points),
    ]


def spot_of(board: Board, point: Point) -> Spot:
    """Where a point lies."""
    x, y = board.spots[point]
    return x * SIDE / 2, y * HIGH


def middle_of(board: Board, field: Field) -> Spot:
    """The middle of a field."""
    corners = [spot_of(board, point) for point in board.corners[field]]
    return sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3


def _points_up(board: Board, field: Field) -> bool:
    left, middle, _ = (spot_of(board, point) for point in board.corners[field])
    return middle[1] < left[1]


def outline_of(board: Board, fields: Sequence[Field]) -> str:
    """The triangles of these fields, as a path."""
    return "".join(
        f"M{path_of([spot_of(board, point) for point in board.corners[field]])}Z"
        for field in fields
    )


def path_of(spots: Sequence[Spot]) -> str:
    """From spot to spot."""
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)


def _paving() -> Node:
    stones = node(
        "path", d="M0 .5H30M0 10.5H30M7.5 0V10M22.5 10V20", stroke="var(--city-line)", fill="none"
    )
    return node("pattern", stones, id="mb-pave", width=30, height=20, patternUnits="userSpaceOnUse")


def _shore(board: Board, far: float) -> list[Node]:
    """Foam where land meets water; beyond the board plain land, where it does not."""
    edges = [line for line, sides in board.sides.items() if len(sides) == 1]
    coast = [
        f"M{path_of([spot_of(board, point) for point in board.ends[line]])}"
        for line in edges
        if line in board.coast
    ]
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
    """Plain land along an edge line."""
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
    """The direction that leads away from the land at an edge line."""
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
    """The directions in which the coast would go on at this point."""
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
    down = [field for field in open_fields if not _points_up(board, field)]
    return [*grounds, node("path", d=outline_of(board, down), fill="#000", fill_opacity=".045")]


def _paved(board: Board, fields: Sequence[Field]) -> Node:
    drawn = outline_of(board, fields)
    return group(
        node("path", d=drawn, fill="var(--city)"), node("path", d=drawn, fill="url(#mb-pave)")
    )


def _in_question(board: Board, view: View) -> list[Node]:
    """The city that is being joined or scored shines."""
    rings = [ring(board, city) for city in view.cities if city.name == view.city]
    return [
        node(
            "path",
            d="".join(
                f"M{path_of([spot_of(board, point) for point in board.ends[line]])}"
                for line in lines
            ),
            fill="none",
            stroke="var(--glow)",
            stroke_width=26,
            stroke_opacity=".75",
            stroke_linecap="round",
        )
        for lines in rings
    ]


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
        drawn = f"M{path_of([spot_of(board, point) for point in board.ends[line]])}"
        if len({board.regions[field] for field in sides}) > 1:
            strong += drawn
        else:
            thin += drawn
    return group(
        node("path", d=thin, stroke="var(--groove)", stroke_opacity=".28", stroke_width=2),
        node("path", d=strong, stroke="var(--groove)", stroke_opacity=".6", stroke_width=3),
    )


def _dot(board: Board, point: Point) -> Node:
    x, y = spot_of(board, point)
    return node("circle", cx=x, cy=y, r=5, fill="var(--groove)", fill_opacity=".55")


# --- Pieces ----------------------------------------------------------------------------------


def _wall(board: Board, line: Line, language: Language) -> Node:
    one, other = board.ends[line]
    words = language("wall from {start} to {end}", start=one, end=other)
    return node(
        "g", *bricks(board, line), id=f"wall-{line}", class_="piece", role="img", aria_label=words
    )


def bricks(board: Board, line: Line) -> list[Node]:
    """A wall: its shadow, its side, and two courses of brick on top."""
    (ax, ay), (bx, by) = (spot_of(board, point) for point in board.ends[line])
    part = 0.067
    dx, dy = (bx - ax) * part, (by - ay) * part
    turned = f"translate({ax:.1f} {ay:.1f}) rotate({degrees(atan2(by - ay, bx - ax)):.0f})"
    below = [
        node(
            "path",
            d=f"M{path_of([(ax + dx, ay + dy + drop), (bx - dx, by - dy + drop)])}",
            fill="none",
            stroke=stroke,
            stroke_width=18,
            stroke_opacity=opacity,
        )
        for drop, stroke, opacity in (
            (9, "rgb(var(--shadow))", "var(--cast)"),
            (5, "var(--brick-piece-deep)", None),
        )
    ]
    return [*below, node("g", use("wall-line", 0, -10, SIDE, 20), transform=turned)]


def _cast(x: float, y: float, rx: float, ry: float) -> Node:
    """The shadow of a piece that stands here."""
    shadow = "rgb(var(--shadow))"
    return node("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=shadow, fill_opacity="var(--cast)")


def _tower(board: Board, point: Point, symbol: str, words: str) -> Node:
    x, y = spot_of(board, point)
    piece = use(symbol, x - 17, y - 18.5, 34, 39)
    parts = (_cast(x + 2, y + 9, 18, 15), piece)
    return node("g", *parts, id=f"tower-{point}", class_="piece", role="img", aria_label=words)


def _houses(board: Board, view: View, language: Language) -> list[Node]:
    """The houses outside all cities, field by field."""
    on_field: dict[Field, list[Colour]] = {}
    for field, colour in view.houses:
        on_field.setdefault(field, []).append(colour)
    drawn: list[Node] = []
    for field, colours in on_field.items():
        pieces = _by_colour("house", colours)
        if len(colours) <= 3:  # noqa: PLR2004 - so many find room side by side
            pieces = [("house", colour, 1) for colour in colours]
        words = language("field {field}: {pieces}", field=field, pieces=houses(colours, language))
        drawn.append(
            node(
                "g", *_placed(board, field, pieces), id=f"on-{field}", role="img", aria_label=words
            )
        )
    return drawn


def _city(board: Board, city: City, language: Language) -> Node:
    """The pieces of a city, spread over its fields."""
    pieces = [*_by_colour("palace", city.palaces), *_by_colour("house", city.houses)]
    shares: list[list[Piece]] = [[] for _ in city.fields]
    for place, piece in enumerate(pieces):
        shares[place % len(shares)].append(piece)
    listing = [palaces(city.palaces, language), houses(city.houses, language)]
    words = language(
        "city of field {field}, {size}: {pieces}",
        field=city.name,
        size=fields(len(city.fields), language),
        pieces=", ".join(filter(None, listing)) or language.about("city", "empty"),
    )
    return node(
        "g",
        *(
            part
            for field, share in zip(city.fields, shares, strict=True)
            for part in _placed(board, field, share)
        ),
        id=f"city-{city.name}",
        role="img",
        aria_label=words,
    )


def _by_colour(kind: str, colours: Sequence[Colour]) -> list[Piece]:
    counts = Counter(colours)
    return [(kind, colour, counts[colour]) for colour in COLOURS if counts[colour]]


def _placed(board: Board, field: Field, pieces: Sequence[Piece]) -> list[Node]:
    """Pieces in a triangle: two rows, the longer one where it is wide."""
    x, y = middle_of(board, field)
    up = _points_up(board, field)
    wide = len(pieces) if len(pieces) <= 2 else (len(pieces) + 1) // 2  # noqa: PLR2004
    rows = [pieces[:wide], pieces[wide:]]
    house, palace = _SIZES[max(1, min(len(pieces), 3)), wide > 2]  # noqa: PLR2004
    drawn: list[Node] = []
    for level, row in enumerate(rows):
        shift = 0 if not rows[1] else (12 if up else -12) if level == 0 else (-20 if up else 20)
        for place, (kind, colour, count) in enumerate(row):
            middle = x + (place - (len(row) - 1) / 2) * (max(house, palace * 0.8) + 1)
            size = palace if kind == "palace" else house
            high = size * (52 / 56 if kind == "palace" else 36 / 34)
            symbol = f"{kind}-{colour.name.lower()}"
            parts = [
                _cast(middle, y + shift + high / 2 - 1, size / 2, 5),
                use(symbol, middle - size / 2, y + shift - high / 2, size, high),
            ]
            if count > 1:
                parts += _badge(middle + size / 2 - 2, y + shift - high / 2 + 4, count)
            name = f"{symbol}-{field}-{level}{place}"
            drawn.append(node("g", *parts, id=name, class_="piece"))
    return drawn


_SIZES: Final = {
    (1, False): (34.0, 46.0),
    (2, False): (30.0, 38.0),
    (3, False): (26.0, 32.0),
    (3, True): (21.0, 26.0),
}
"""How wide a house and a palace are: by how many pieces there are, and whether a row has many."""


def _badge(x: float, y: float, count: int) -> list[Node]:
    disc = node("circle", cx=x, cy=y, r=10, fill="var(--ink)")
    return [disc, label(x, y + 5, str(count), size=TEXT, fill="paper", anchor="middle", bold=True)]


def _signature(board: Board, view: View) -> list[Node]:
    """The last wall bears its builder's mark."""
    if view.last is None or view.last[1] not in view.walls:
        return []
    seat, line = view.last
    ends = [spot_of(board, point) for point in board.ends[line]]
    x, y = sum(x for x, _ in ends) / 2, sum(y for _, y in ends) / 2
    disc = {"fill": "var(--chalk)", "stroke": "var(--piece-line)", "stroke_width": "2"}
    return [
        node("circle", cx=x, cy=y, r=14, **disc),
        use(f"mark-{seat + 1}", x - 9, y - 9, 18, 18, color="#2A211A"),
    ]
