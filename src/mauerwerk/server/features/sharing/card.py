"""The picture that a link shows before it is opened: the game, who plays, and the table."""

from typing import Final
from xml.etree import ElementTree as ET

from mauerwerk.core.game import AnyGame, Seat, Value
from mauerwerk.core.svg import Drawing, Node, animation, label, names_used, node, use
from mauerwerk.core.svg.fitting import cut, ems, wrap

WIDE: Final = 1200
HIGH: Final = 630
"""The size that Open Graph asks for, in pixels."""

_COURSE: Final = ("brick", "brick-lit", "brick", "brick-deep", "brick-lit")
_LEFT, _COLUMN = 52, 356
"""Where the words begin, and the room that they have."""

_PANEL: Final = (440, 56, 716, 530)
_ROW: Final = 50
_LOWEST: Final = 596
_TITLES: Final = ((50, 2), (42, 2), (36, 3))
"""Sizes of the title, the largest first, and the lines that each may take."""


class Row(Value):
    """A player on the card; the place and the points of one who has them."""

    seat: Seat
    name: str
    place: str = ""
    points: str = ""


class Shown(Value):
    """What a card shows."""

    title: str
    told: str
    rows: tuple[Row, ...]
    drawing: str
    """The table; empty before the game begins."""

    thumb: str
    """The symbol that stands for the game, where there is no drawing."""


def card(game: AnyGame, shown: Shown) -> Drawing:
    """The card of a game."""
    rows, drawing, thumb = shown.rows, shown.drawing, shown.thumb
    size, lines = _title(shown.title)
    down = 176.0
    words: list[Node] = [
        use("logo", _LEFT, 56, 52, 52),
        label(_LEFT + 66, 94, "Mauerwerk", size=30, bold=True, serif=True),
    ]
    for line in lines:
        words.append(label(_LEFT, down, line, size=size, bold=True, serif=True))
        down += size * 1.12
    down += 2
    for line in wrap(shown.told, _COLUMN / 23, ems)[:3]:
        words.append(label(_LEFT, down, line, size=23, fill="ink-2"))
        down += 31
    first = max(down, _LOWEST - _ROW * len(rows))
    players = [_row(each, first + _ROW * number) for number, each in enumerate(rows)]
    body = node("g", _ground(), *words, *players, _panel(drawing, thumb))
    own = [each for each in names_used(body) if each == thumb or each.startswith(("mark-", "logo"))]
    root = node(
        "svg",
        node("defs", *game.PIECES.named(own)),
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDE} {HIGH}",
        width=WIDE,
        height=HIGH,
    )
    return Drawing(ET.tostring(root, encoding="unicode"))


def _title(title: str) -> tuple[int, tuple[str, ...]]:
    """The largest size at which the title has room, and its lines."""
    for size, most in _TITLES:
        lines = wrap(title, _COLUMN / size, ems)
        if len(lines) <= most and not any(line.endswith("…") for line in lines):
            return size, lines
    size, most = _TITLES[-1]
    return size, wrap(title, _COLUMN / size, ems)[:most]


def _ground() -> Node:
    """The table, and a course of bricks along its edge."""
    bricks = [
        node("rect", x=48 * at, width=46, height=14, fill=f"var(--{_COURSE[at % len(_COURSE)]})")
        for at in range(WIDE // 48)
    ]
    return node("g", node("rect", width=WIDE, height=HIGH, fill="var(--table)"), *bricks)


def _row(row: Row, y: float) -> Node:
    room = _COLUMN - 58 - (64 if row.points else 0)
    tile = node("rect", x=_LEFT, y=y - 27, width=38, height=38, rx=4, fill="var(--paper)")
    if row.place == "1":
        tile.set("fill", "var(--brick)")
    parts = [
        tile,
        use(
            f"mark-{row.seat + 1}",
            _LEFT + 6,
            y - 21,
            26,
            26,
            color="var(--on-brick)" if row.place == "1" else "var(--ink)",
        ),
        label(_LEFT + 52, y, cut(row.name, room / 25, ems), size=25, bold=True),
    ]
    if row.points:
        right = _LEFT + _COLUMN
        parts.append(label(right, y, row.points, size=28, anchor="end", bold=True, serif=True))
    return node("g", *parts)


def _panel(drawing: str, thumb: str) -> Node:
    """The table on a sheet of paper, as large as it fits."""
    left, top, wide, high = _PANEL
    paper = node(
        "rect",
        x=left,
        y=top,
        width=wide,
        height=high,
        rx=14,
        fill="var(--paper)",
        stroke="var(--mortar)",
        stroke_width=2,
    )
    if not drawing:
        side = 300
        at = (left + (wide - side) / 2, top + (high - side) / 2)
        return node("g", paper, use(thumb, *at, side, side))
    root = animation.tree_of(drawing)
    across, down = animation.size_of(root)
    scale = min((wide - 20) / across, (high - 20) / down)
    content = [each for each in root if each.tag != "style"]
    shown = node(
        "svg",
        *content,
        x=left + (wide - across * scale) / 2,
        y=top + (high - down * scale) / 2,
        width=across * scale,
        height=down * scale,
        viewBox=root.attrib["viewBox"],
    )
    return node("g", paper, shown)
