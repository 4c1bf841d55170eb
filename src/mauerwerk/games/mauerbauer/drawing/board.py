"""Mauerbauer, the board as a picture, in units of its own, which is scaled as a whole."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import atan2, degrees, hypot
from typing import Final, TypeAlias

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language
from mauerwerk.core.svg import TEXT, Node, fitting, group, label, node, use
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.cities import ring, ring_points
from mauerwerk.games.mauerbauer.drawing import geometry
from mauerwerk.games.mauerbauer.drawing.ground import ground, paved, paving
from mauerwerk.games.mauerbauer.events import View
from mauerwerk.games.mauerbauer.naming import TOWER_ON, fields, houses, palaces
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    City,
    Colour,
    Placement,
    PlaceTower,
    Table,
    Tower,
)

Piece: TypeAlias = tuple[str, Colour, int]
"""`house` or `palace`, its colour, and the number of them."""


def land(
    view: View, targets: Sequence[Node], language: Language, far: float = geometry.LAND
) -> Node:
    """The whole board, from the ground up, with the targets on top.

    Fields that wait for a house lie under the pieces, so that these stay in sight. Where the board
    does not end in water, plain land goes on for the distance `far`.
    """
    board = board_of(view.board)
    fields_to_fill = [each for each in targets if each.get("id", "").startswith("field-")]
    return group(
        node("defs", paving()),
        *ground(board, view.cities, far),
        *fields_to_fill,
        *(shine(board, ring(board, city)) for city in view.cities if city.name == view.city),
        *(_wall(board, line, language) for line in view.walls),
        *(_tower(board, point, tower, language) for point, tower in view.towers),
        *_houses(board, view, language),
        *(_city(board, city, language) for city in view.cities),
        *_signature(board, view),
        *(each for each in targets if each not in fields_to_fill),
        node("g", id="preview"),
        id="board",
        role="group",
        aria_label=f"{language(board.title)}: {fields(len(board.fields), language)}, "
        f"{language.many(len(view.cities), '{number} closed city', '{number} closed cities')}",
    )


def shine(board: Board, lines: Iterable[Line]) -> Node:
    """A glow around the walls on these lines; it lies under them."""
    return node(
        "path",
        d="".join(geometry.line_of(board, line) for line in lines),
        fill="none",
        stroke="var(--glow)",
        stroke_width=26,
        stroke_opacity=".75",
        stroke_linecap="round",
        class_="shine",
    )


# --- Pieces ----------------------------------------------------------------------------------


def _wall(board: Board, line: Line, language: Language) -> Node:
    one, other = board.ends[line]
    words = language("wall from {start} to {end}", start=one, end=other)
    return node(
        "g", *bricks(board, line), id=f"wall-{line}", class_="piece", role="img", aria_label=words
    )


def bricks(board: Board, line: Line) -> list[Node]:
    """A wall: its shadow, its side, and two courses of brick on top."""
    (ax, ay), (bx, by) = (geometry.spot_of(board, point) for point in board.ends[line])
    part = 0.067
    dx, dy = (bx - ax) * part, (by - ay) * part
    turned = f"translate({ax:.1f} {ay:.1f}) rotate({degrees(atan2(by - ay, bx - ax)):.0f})"
    below = [
        node(
            "path",
            d=f"M{geometry.path_of([(ax + dx, ay + dy + drop), (bx - dx, by - dy + drop)])}",
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
    return [*below, node("g", use("wall-line", 0, -10, geometry.SIDE, 20), transform=turned)]


def _cast(x: float, y: float, rx: float, ry: float) -> Node:
    shadow = "rgb(var(--shadow))"
    return node("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=shadow, fill_opacity="var(--cast)")


def _tower(board: Board, point: Point, tower: Tower, language: Language) -> Node:
    words = language(TOWER_ON[tower], point=point)
    parts = standing_tower(board, point, tower)
    return node("g", *parts, id=f"tower-{point}", class_="piece", role="img", aria_label=words)


def standing_tower(board: Board, point: Point, tower: Tower) -> list[Node]:
    """A tower from above, and its shadow."""
    x, y = geometry.spot_of(board, point)
    symbol = f"tower-{tower.name.lower()}"
    return [_cast(x + 2, y + 9, 18, 15), use(symbol, x - 17, y - 18.5, 34, 39)]


def _houses(board: Board, view: View, language: Language) -> list[Node]:
    drawn: list[Node] = []
    for field, colours in by_field(view.houses).items():
        words = language("field {field}: {pieces}", field=field, pieces=houses(colours, language))
        drawn.append(
            node(
                "g",
                *houses_on(board, field, colours),
                id=f"on-{field}",
                role="img",
                aria_label=words,
            )
        )
    return drawn


def by_field(houses: Iterable[tuple[Field, Colour]]) -> dict[Field, list[Colour]]:
    """The colours of the houses on each field."""
    on_field: dict[Field, list[Colour]] = {}
    for field, colour in houses:
        on_field.setdefault(field, []).append(colour)
    return on_field


def houses_on(board: Board, field: Field, colours: Sequence[Colour]) -> list[Node]:
    """The houses on a field; three fit side by side, of more there is one for each colour."""
    pieces = _by_colour("house", colours)
    if len(colours) <= 3:  # noqa: PLR2004 - see above
        pieces = [("house", colour, 1) for colour in colours]
    return _placed(board, field, pieces)


def _city(board: Board, city: City, language: Language) -> Node:
    listing = [palaces(city.palaces, language), houses(city.houses, language)]
    words = language(
        "city of field {field}, {size}: {pieces}",
        field=city.name,
        size=fields(len(city.fields), language),
        pieces=", ".join(filter(None, listing)) or language.about("city", "empty"),
    )
    return node("g", *pieces_of(board, city), id=f"city-{city.name}", role="img", aria_label=words)


def pieces_of(board: Board, city: City) -> list[Node]:
    """The palaces and houses of a city, spread over its fields."""
    pieces = [*_by_colour("palace", city.palaces), *_by_colour("house", city.houses)]
    shares: list[list[Piece]] = [[] for _ in city.fields]
    for place, piece in enumerate(pieces):
        shares[place % len(shares)].append(piece)
    return [
        part
        for field, share in zip(city.fields, shares, strict=True)
        for part in _placed(board, field, share)
    ]


def _by_colour(kind: str, colours: Sequence[Colour]) -> list[Piece]:
    counts = Counter(colours)
    return [(kind, colour, counts[colour]) for colour in COLOURS if counts[colour]]


def _placed(board: Board, field: Field, pieces: Sequence[Piece]) -> list[Node]:
    """Pieces in a triangle: two rows, the longer one where it is wide."""
    x, y = geometry.middle_of(board, field)
    up = geometry.points_up(board, field)
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
    if view.last is None or view.last[1] not in view.walls:
        return []
    seat, line = view.last
    ends = [geometry.spot_of(board, point) for point in board.ends[line]]
    x, y = sum(x for x, _ in ends) / 2, sum(y for _, y in ends) / 2
    disc = {"fill": "var(--chalk)", "stroke": "var(--piece-line)", "stroke_width": "2"}
    mark = use(f"mark-{seat + 1}", x - 9, y - 9, 18, 18, color="#2A211A")
    return [node("g", node("circle", cx=x, cy=y, r=14, **disc), mark, class_="signature")]


# --- The flag of the player who closed the city that is being scored -------------------------


_TEXT: Final = {"wide": 18.0, "narrow": 23.0}
"""How large the words are, by how much room the page has; the board is smaller on a phone."""


def flag(board: Board, city: City, seat: Seat) -> Node:
    """A flag with the player's mark, on the uppermost tower space of the city."""
    x, y = _pole(board, city)
    line = {"stroke": "var(--piece-line)", "stroke_linejoin": "round"}
    # What moves is inside what is placed: a style that moves an element overrules where it is.
    drawn = group(
        node("path", d="M0 0V-62", stroke_width=4, stroke_linecap="round", **line),
        node("path", d="M2 -61H46L36 -46L46 -31H2Z", fill="var(--brick)", stroke_width=2, **line),
        use(f"mark-{seat + 1}", 10, -57, 22, 22, color="var(--on-brick)"),
        class_="flag",
        aria_hidden="true",
    )
    return group(drawn, x=x, y=y - 8)


def flag_words(board: Board, city: City, words: str) -> list[Node]:
    """What the flag stands for, beside it: once for wide pages, once for narrow ones."""
    x, y = _pole(board, city)
    left, _, wide, _ = geometry.size(board)
    drawn: list[Node] = []
    for room, text in _TEXT.items():
        width = text * (fitting.ems(words) + 1.4)
        high = y - 54
        start = x - 10 - width
        if start < left and x + 56 + width < left + wide:
            start = x + 56
        elif start < left:  # no room on either side
            start, high = max(left, x - width / 2), y - 84 - text
        plate = node(
            "rect",
            x=start,
            y=high - text,
            width=width,
            height=2 * text,
            rx=3,
            fill="var(--chalk)",
        )
        said = label(
            start + width / 2, high + text / 3, words, size=text, fill="groove", anchor="middle"
        )
        drawn.append(group(plate, said, class_=f"flag-words {room}", aria_hidden="true"))
    return drawn


def _pole(board: Board, city: City) -> geometry.Spot:
    spots = [geometry.spot_of(board, point) for point in ring_points(board, (city,))]
    return min(spots, key=lambda spot: (spot[1], spot[0]))


# --- What is not there yet: a wall, a piece or a city, above the pieces ----------------------


LABEL: Final = "preview-label"
"""The id of the element at which a page says what is shown."""


def ghost_wall(board: Board, table: Table, line: Line) -> list[Node]:
    """A wall that might be built, with a rim of chalk; the towers at its ends stay on top."""
    (ax, ay), (bx, by) = (geometry.spot_of(board, point) for point in board.ends[line])
    far = 11 / hypot(bx - ax, by - ay)
    u, v = (bx - ax) * far, (by - ay) * far
    rims = "".join(
        f"M{geometry.path_of([(ax + u + x, ay + v + y), (bx - u + x, by - v + y)])}"
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
    spots = [geometry.spot_of(board, point) for field in fields for point in board.corners[field]]
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


def ghost_piece(board: Board, table: Table, action: Placement, *, sure: bool) -> Node:
    """A tower or house that might be placed; one that only follows from another is paler."""
    opacity = ".9" if sure else ".6"
    if isinstance(action, PlaceTower):
        drawn = standing_tower(board, action.point, action.tower)
        return group(*drawn, opacity=opacity, class_="ghost")
    (x, y), wide = _room_on(board, table, action.field)
    high = wide * 36 / 34
    drawn_house = use(f"house-{action.colour.name.lower()}", x - wide / 2, y - high / 2, wide, high)
    return group(drawn_house, opacity=opacity, class_="ghost")


def _room_on(board: Board, table: Table, field: Field) -> tuple[tuple[float, float], float]:
    x, y = geometry.middle_of(board, field)
    if not any(each == field for each, _ in table.houses):
        return (x, y), 34
    return (x, y + (-33 if geometry.points_up(board, field) else 33)), 28
