"""Mauerbauer, where one may act on the board: lines, points, fields and cities as targets."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from mauerwerk.core.svg import NAME, Node, label, node, opener, target, use
from mauerwerk.games.mauerbauer import values
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point, board_of
from mauerwerk.games.mauerbauer.cities import ring
from mauerwerk.games.mauerbauer.drawing import geometry
from mauerwerk.games.mauerbauer.events import View

Words: TypeAlias = tuple[str, str]
"""An action's word, and what it says."""
Offers: TypeAlias = Mapping[values.Action, Words]


def on_board(offers: Offers) -> list[values.Action]:
    """What is pressed on the board itself: the only answer of its place."""
    answers = _answers(offers).values()
    return [action for action, *others in answers if _place(action) and not others]


def several(offers: Offers) -> Mapping[str, Sequence[values.Placement]]:
    """The points and fields with several answers: which piece goes there."""
    return {
        place: [each for each in answers if isinstance(each, values.Placement)]
        for place, answers in _answers(offers).items()
        if place and len(answers) > 1
    }


def _answers(offers: Offers) -> Mapping[str, Sequence[values.Action]]:
    places: dict[str, list[values.Action]] = {}
    for action in offers:
        places.setdefault(_place(action), []).append(action)
    return places


def _place(action: values.Action) -> str:
    match action:
        case values.Build(line=line):
            return line
        case values.PlaceTower(point=point):
            return point
        case values.PlaceHouse(field=field):
            return field
        case values.Join(city=city) | values.Choose(city=city):
            return city or ""
        case _:
            return ""


def targets(view: View, offers: Offers, opens: Callable[[str], Words] | None = None) -> list[Node]:
    """All that can be pressed on the board.

    A place with several answers has its name in chalk, for then the buttons speak of it; on a page
    that can offer them beside the place, it `opens` the element with this id, and says so. Such a
    page also shows by itself which house would stand there.
    """
    board = board_of(view.board)
    pressed = on_board(offers)
    lines = [action.line for action in pressed if isinstance(action, values.Build)]
    drawn = [_chalked(board, lines)] if lines else []
    for action in pressed:
        words = offers[action]
        match action:
            case values.Build(line=line):
                drawn.append(_line_target(board, line, words))
            case values.PlaceTower(point=point, tower=tower):
                drawn.append(_tower_target(board, point, f"tower-{tower.name.lower()}", words))
            case values.PlaceHouse(field=field, colour=colour):
                x, y = geometry.middle_of(board, field)
                symbol = f"house-{colour.name.lower()}"
                ghost = [] if opens else [use(symbol, x - 16, y - 17, 32, 34, opacity=".8")]
                drawn.append(_house_target(board, field, ghost, words))
            case values.Join(city=name) | values.Choose(city=name):
                drawn += [
                    _city_target(board, city, words) for city in view.cities if city.name == name
                ]
            case _:
                pass
    if opens is None:
        return [*drawn, *(part for place in several(offers) for part in _named(board, place))]
    return [*drawn, *(_opening(board, place, *opens(place)) for place in several(offers))]


def _named(board: Board, name: str) -> list[Node]:
    on_point = name in board.spots
    x, y = (
        geometry.spot_of(board, Point(name)) if on_point else geometry.middle_of(board, Field(name))
    )
    fields = [] if on_point else [Field(name)]
    return [
        *(
            node("path", d=geometry.outline_of(board, [field]), class_="chalk glow", fill="none")
            for field in fields
        ),
        node("circle", cx=x, cy=y, r=19, fill="var(--chalk)", fill_opacity=".92"),
        node("circle", cx=x, cy=y, r=19, class_="chalk", fill="none"),
        label(x, y + 6, name, size=NAME, fill="slate", anchor="middle", bold=True),
    ]


def _opening(board: Board, name: str, opens: str, words: str) -> Node:
    if name in board.spots:
        x, y = geometry.spot_of(board, Point(name))
        shape: dict[str, str | float] = {"cx": x, "cy": y}
        rim = node("circle", r=23, class_="chalk glow", **shape, **_LIT)
        return opener(
            f"point-{name}", opens, words, rim, node("circle", r=42, class_="hit", **shape)
        )
    outline = geometry.outline_of(board, [Field(name)])
    rim = node("path", d=outline, class_="chalk glow", **_LIT)
    return opener(f"field-{name}", opens, words, rim, node("path", d=outline, class_="hit"))


_LIT: Final = {"fill": "var(--glow)", "fill_opacity": ".3"}
"""How a place shines that waits for a piece."""


def _chalked(board: Board, lines: Sequence[Line]) -> Node:
    drawn = "".join(f"M{geometry.path_of(_dashes(board, line))}" for line in lines)
    halos = [
        node("path", d=drawn, stroke="var(--glow)", stroke_width=width, stroke_opacity=opacity)
        for width, opacity in ((20, ".15"), (9, ".34"))
    ]
    return node("g", *halos, class_="halo", fill="none", stroke_linecap="round")


def _dashes(board: Board, line: Line) -> list[geometry.Spot]:
    (ax, ay), (bx, by) = (geometry.spot_of(board, point) for point in board.ends[line])
    return [(ax + (bx - ax) * part, ay + (by - ay) * part) for part in (0.21, 0.79)]


def _line_target(board: Board, line: Line, words: Words) -> Node:
    """A wall line answers in the whole rhombus between its fields."""
    return target(
        f"line-{line}",
        *words,
        node("path", d=f"M{geometry.path_of(_dashes(board, line))}", class_="chalk", fill="none"),
        node("path", d=geometry.rhombus_of(board, line), class_="hit"),
    )


def _tower_target(board: Board, point: Point, symbol: str, words: Words) -> Node:
    x, y = geometry.spot_of(board, point)
    return target(
        f"point-{point}",
        *words,
        use(symbol, x - 17, y - 17, 34, 39, opacity=".75"),
        node("circle", cx=x, cy=y, r=23, class_="chalk glow", fill="none", stroke_width=4),
        node("circle", cx=x, cy=y, r=42, class_="hit"),
    )


def _house_target(board: Board, field: Field, ghost: Sequence[Node], words: Words) -> Node:
    outline = geometry.outline_of(board, [field])
    return target(
        f"field-{field}",
        *words,
        node("path", d=outline, class_="chalk glow", **_LIT),
        *ghost,
        node("path", d=outline, class_="hit"),
    )


def _city_target(board: Board, city: values.City, words: Words) -> Node:
    walls = "".join(geometry.line_of(board, line) for line in ring(board, city))
    return target(
        f"choose-{city.name}",
        *words,
        node("path", d=walls, class_="chalk glow", fill="none", stroke_width=5),
        node("path", d=geometry.outline_of(board, city.fields), class_="hit"),
    )
