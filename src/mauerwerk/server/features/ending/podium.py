"""The places of a finished game as towers in a wall: the better the place, the higher the tower."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.svg import SIGNS, Drawing, Node, fitting, group, label, node, picture, use
from mauerwerk.server.ui.markup import Paint, rect
from mauerwerk.server.ui.names import Place

WIDE: Final = 840
_TOP: Final = -62
_LOW: Final = 330
_FOOT: Final = 340
_WALL: Final = 270
"""Where the wall between the towers begins."""
_TOPS: Final = (104, 150, 180, 194, 206, 216)
"""Where the tower of each place begins; equal places are equally high."""
_ROOM: Final = 580
"""The width that the towers share."""
_NARROW: Final = 648
"""What a page shows at least; a wide one shows more of land and wall on both sides."""
_CROWD: Final = 5
"""As many towers need all the room that there is."""
_SMALLEST: Final = 19
"""The smallest letters: on a phone a picture is two thirds as large."""
_LETTER: Final = 0.66
"""How wide a letter is at most on average, for its size."""
_BRICKS: Final = "url(#podium-bricks)"
_LINE: Final = "var(--piece-line)"


def podium(places: Sequence[Place], words: str) -> Node:
    """The picture, for a page."""
    return node(
        "svg",
        *_drawn(places),
        viewBox=f"{(WIDE - _NARROW) / 2:g} {_TOP} {_NARROW} {_LOW - _TOP}",
        preserveAspectRatio="xMidYMax meet",
        class_="mauerwerk podium",
        role="img",
        aria_label=words,
    )


def podium_file(places: Sequence[Place], title: str, words: str) -> Drawing:
    """The picture by itself, with the name of the game, to be sent to others."""
    high = _LOW - _TOP
    sky = node("rect", width=WIDE, height=high, fill="var(--sky)")
    drawn = group(*_drawn(places), y=-_TOP)
    name = label(28, 52, title, size=34, bold=True, serif=True)
    home = label(28, 80, "Mauerwerk", size=17, fill="ink-2")
    return picture(SIGNS, WIDE, high, words, sky, drawn, name, home)


def _drawn(places: Sequence[Place]) -> list[Node]:
    winner = min(places, key=lambda place: place.rank)
    spots = _spots(places)
    towers = [
        _tower(place, middle, wide, step)
        for place, middle, wide, step in sorted(spots, key=lambda spot: -spot[0].rank)
    ]
    edge = (WIDE - _ROOM) / 2
    small = [_flag(winner.seat, x, _WALL - 18, 0.6, won=True) for x in (edge - 29, WIDE - edge + 7)]
    return [
        _bricks(),
        node("circle", cx=694, cy=8, r=32, fill="var(--sun)"),
        *_land(),
        *_wall(),
        *towers,
        node("g", *small, class_="flags"),
    ]


def _spots(places: Sequence[Place]) -> list[tuple[Place, float, float, float]]:
    """Each place with the middle, the width and the room of its tower: the first in the middle."""
    number = len(places)
    step = min(200, (_ROOM if number < _CROWD else _NARROW) / number)
    order: list[Place] = []
    for turn, place in enumerate(sorted(places, key=lambda place: place.rank)):
        if turn % 2:
            order.insert(0, place)
        else:
            order.append(place)
    first = WIDE / 2 - step * order.index(min(places, key=lambda place: place.rank))
    # With an even number of towers the middle lies between two of them.
    first += step / 2 * (1 - number % 2)
    return [
        (place, first + step * index, step * (0.8 if place.rank == 1 else 0.7), step)
        for index, place in enumerate(order)
    ]


def _bricks() -> Node:
    pattern = node(
        "pattern",
        node("rect", width=36, height=24, fill="var(--brick-piece)"),
        node(
            "path",
            d="M0 .7H36M0 12.7H36M9 0V12M27 12V24",
            stroke="var(--brick-joint)",
            stroke_width=1.5,
            opacity=0.75,
        ),
        id="podium-bricks",
        width=36,
        height=24,
        patternUnits="userSpaceOnUse",
    )
    return node("defs", pattern)


def _land() -> list[Node]:
    near = (
        "M-400 240C-200 200 -40 196 130 224S460 250 630 214 880 200 1040 236 1300 220 1400 240V340"
        "H-400Z"
    )
    far = (
        "M-400 210C-260 150 -60 130 80 180S340 220 500 170 820 150 1000 200 1300 180 1400 210V340"
        "H-400Z"
    )
    return [node("path", d=far, fill="var(--hill-1)"), node("path", d=near, fill="var(--hill-2)")]


def _wall() -> list[Node]:
    """It goes on beyond the picture, for wide pages."""
    merlons = [_block(x, _WALL - 20, 26, 22, 2) for x in range(-396, 1240, 44)]
    return [_block(-400, _WALL, 1640, _FOOT - _WALL, 2.4), *merlons]


def _block(x: float, y: float, wide: float, high: float, line: float) -> Node:
    return rect(x, y, wide, high, fill=_BRICKS, stroke=_LINE, stroke_width=line)


def _tower(place: Place, middle: float, wide: float, step: float) -> Node:
    top, left, won = _TOPS[place.rank - 1], middle - wide / 2, place.rank == 1
    gap = (wide + 18 - 22) / 4
    merlons = [_block(left - 9 + gap * each, top - 24, 22, 24, 2) for each in range(5)]
    if gap < 26:  # noqa: PLR2004 - a narrow tower has room for three
        merlons = [_block(left - 9 + 2 * gap * each, top - 24, 22, 24, 2) for each in range(3)]
    paint: Paint = {"fill": "var(--brick-piece)", "stroke": _LINE, "stroke_width": 2.2}
    rim = rect(left - 9, top - 4, wide + 18, 13, **paint)
    shade = node("rect", x=left, y=top, width=16, height=_FOOT - top, fill_opacity=0.12)
    number = label(
        middle,
        top + 126 if won else top + 112,
        f"{place.rank}",
        size=44 if won else 32,
        fill="brick-joint",
        anchor="middle",
        bold=True,
        serif=True,
    )
    body = [_block(left, top, wide, _FOOT - top + 20, 2.4), shade, *merlons, rim]
    flag = _flag(place.seat, middle, top - 22, 1.15 if won else 0.95, won=won)
    return node(
        "g",
        node("g", flag, class_="flag"),
        *body,
        *_plate(place, middle, wide, step, top + 20),
        number,
        class_=f"tower rank-{min(place.rank, 4)}",
    )


def _plate(place: Place, middle: float, wide: float, step: float, top: float) -> list[Node]:
    """Name and points, as large as the plate allows; that of a narrow tower is wider than it."""
    across = wide - 24 if wide > 100 else step - 6  # noqa: PLR2004 - narrow
    fits = int((across - 4) / max(fitting.columns(place.name), 1) / _LETTER)
    size = max(_SMALLEST, min(23 if place.rank == 1 else 21, fits))
    name = fitting.cut(place.name, int((across - 4) / size / _LETTER))
    plate: Paint = {"rx": 3, "fill": "var(--chalk)", "stroke": _LINE, "stroke_width": 2}
    large: Paint = {"font_size": 30, "font_weight": 700, "font_family": "var(--serif)"}
    dark: Paint = {"text_anchor": "middle", "fill": "#2A211A"}
    return [
        rect(middle - across / 2, top, across, 62, **plate),
        node("text", name, x=middle, y=top + 24, font_size=size, font_weight=600, **dark),
        node("text", f"{place.points}", x=middle, y=top + 53, **large, **dark),
    ]


def _flag(seat: Seat, x: float, y: float, scale: float, *, won: bool) -> Node:
    """A flag with the mason's mark of a seat; the winner's is of brick."""
    fill, ink = ("var(--brick)", "var(--on-brick)") if won else ("var(--stone)", "var(--ink)")
    gold = "var(--gold,#E2AC35)"
    cloth = "M2 -72C16 -78 30 -64 50 -70L42 -53L50 -36C30 -30 16 -44 2 -38Z"
    return node(
        "g",
        node("path", d="M0 0V-74", stroke=_LINE, stroke_width=4, stroke_linecap="round"),
        node("circle", cx=0, cy=-76, r=4, fill=gold, stroke=_LINE, stroke_width=1.5),
        node("path", d=cloth, fill=fill, stroke=_LINE, stroke_width=2, stroke_linejoin="round"),
        use(f"mark-{seat + 1}", 11, -67, 25, 25, color=ink),
        transform=f"translate({x:.1f} {y:.1f}) scale({scale:g})",
        class_="lift",
    )
