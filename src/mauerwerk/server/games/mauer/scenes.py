"""The scenes of Die Mauer's rulebook."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.svg import Node, fitting, node
from mauerwerk.games.mauer.drawing import PIECES, hands, picture, stage
from mauerwerk.server.games.room import (
    BAND,
    NAMES,
    POSTER,
    Canvas,
    Painter,
    SceneView,
    country,
    ground,
)

_STAGE: Final = 560
_COURSE: Final = 530
"""How much of a wall stands in one course."""
_GAP: Final = 10


def _set(position: SceneView) -> Canvas:
    del position
    x = 18.0
    parts: list[Node] = []
    for piece in filter(None, picture.IN_TRAY):
        wide = PIECES.size_of(f"piece-{piece.value}")[0]
        foot = hands.Foot(x + wide / 2, hands.FOOT + 16, 1)
        parts.append(node("g", hands.standing(piece, foot), class_="lift"))
        x += wide + _GAP
    wide, high = x + 18 - _GAP, hands.FOOT + 34
    shelf = node("rect", x=10, y=high - 18, width=wide - 20, height=4, fill="var(--tray-deep)")
    return Canvas((0, 0, wide, high), [ground("tray", wide, high), shelf, *parts])


def _stage(position: SceneView) -> Canvas:
    view, offers, _, language = position
    block = stage.stage(view, offers, NAMES, _STAGE, language)
    return Canvas((0, 0, _STAGE, block.height), [block.body])


def _line(position: SceneView) -> Canvas:
    view, offers, _, _ = position
    x = 24.0
    high = hands.FOOT + 20
    parts: list[Node] = []
    for _, piece, offer in stage.wall_line(view, offers):
        wide = PIECES.size_of(f"piece-{piece.value}")[0]
        foot = hands.Foot(x + wide / 2, high, 1)
        chalk = {"class_": "chalk", "fill": "var(--glow)", "fill_opacity": ".4"}
        drawn = hands.ghost(piece, foot, **chalk) if offer else hands.standing(piece, foot)
        parts.append(node("g", drawn, class_=None if offer else "lift"))
        x += wide + (6 if offer else 1)
    wide = x + 24
    grass = node("rect", y=high, width=wide, height=22, fill="var(--ground)")
    return Canvas((0, 0, wide, high + 22), [ground("hill-2", wide, high), *parts, grass])


def standing_wall(position: SceneView) -> Canvas:
    """The wall as it stands, in as many courses as it needs to be seen well."""
    wall = position.view.wall
    widths = [PIECES.size_of(f"piece-{piece.value}")[0] for piece in wall]
    course = hands.FOOT + 34
    parts: list[Node] = []
    courses = fitting.rows(widths, _COURSE)
    for down, row in enumerate(courses):
        foot = course * (down + 1) - 18
        parts.append(node("rect", y=foot, width=_STAGE, height=18, fill="var(--ground)"))
        x = (_STAGE - sum(widths[place] for place in row)) / 2
        for place in row:
            spot = hands.Foot(x + widths[place] / 2, foot, 1)
            parts.append(node("g", hands.standing(wall[place], spot), class_="lift"))
            x += widths[place]
    high = course * max(len(courses), 1)
    return Canvas((0, 0, _STAGE, high), [ground("hill-2", _STAGE, high), *parts])


def poster(position: SceneView) -> Canvas:
    """The wall in the country, from edge to edge: its newest end, where it is too long for that."""
    wide, high = POSTER
    foot = high - BAND
    wall = position.view.wall
    sizes = [PIECES.size_of(f"piece-{piece.value}")[0] for piece in wall]
    scale = min(max(wide / sum(sizes, 1), 0.86), 1.4)
    widths = [scale * size for size in sizes]
    x = (wide - sum(widths)) / 2 if sum(widths) < wide else wide - sum(widths)
    parts: list[Node] = []
    for piece, across in zip(wall, widths, strict=True):
        parts.append(node("g", hands.standing(piece, hands.Foot(x + across / 2, foot, scale))))
        x += across
    return Canvas((0, 0, wide, high), [*country(foot), *parts])


PAINTERS: Final[Mapping[str, Painter]] = {"set": _set, "stage": _stage, "line": _line}
