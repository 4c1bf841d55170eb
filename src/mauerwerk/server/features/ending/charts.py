"""Charts of a finished game: its course as lines, and where the points came from as bars."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.svg import Node, label, node, use
from mauerwerk.server.games.room import Source
from mauerwerk.server.ui.markup import Paint, rect, without_overlap

WIDE: Final = 386
HIGH: Final = 150
_LEFT: Final = 34
_RIGHT: Final = 356
_TOP: Final = 12
_LOW: Final = 128
_MARK: Final = 18
_DASHES: Final = ("7 4", "2 4.5", "11 3 2 3", "4 4", "14 4")
"""How the lines of the others are broken; one's own is whole."""


class Course(Value):
    """What is drawn: a value for each position and seat."""

    rows: tuple[tuple[float, ...], ...]
    top: int
    """The highest value on the scale."""
    hero: Seat
    """The seat whose line stands out."""
    pin: int | None
    """The position of the best moment."""
    ends: tuple[str, str]
    """What stands below the first and the last position."""


def course_picture(course: Course, words: str) -> Node:
    """The picture; its words say in a sentence what it shows."""
    seats = [Seat(seat) for seat in range(len(course.rows[0]))]
    others = [seat for seat in seats if seat != course.hero]
    first, last = course.ends
    return node(
        "svg",
        *_scale(course.top),
        node(
            "g",
            *(_line(course, seat, place) for place, seat in enumerate(others)),
            _line(course, course.hero, None),
            class_="lines",
        ),
        *_pin(course),
        *_marks(course),
        _small(_LEFT, HIGH - 4, first),
        _small(_RIGHT, HIGH - 4, last, "end"),
        viewBox=f"0 0 {WIDE} {HIGH}",
        class_="mauerwerk course-of-game",
        role="img",
        aria_label=words,
    )


def _x(course: Course, place: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * place / max(len(course.rows) - 1, 1)


def _y(course: Course, value: float) -> float:
    return _LOW - (_LOW - _TOP) * value / course.top


def _small(x: float, y: float, words: str, anchor: str = "start") -> Node:
    return label(x, y, words, size=13, fill="ink-2", anchor="end" if anchor == "end" else "start")


def _scale(top: int) -> list[Node]:
    drawn: list[Node] = []
    for part, value in ((0, 0), (0.5, top / 2), (1, top)):
        y = _LOW - (_LOW - _TOP) * part
        drawn += [
            node("path", d=f"M{_LEFT} {y:g}H{_RIGHT}", stroke="var(--mortar)", stroke_width=1),
            _small(_LEFT - 5, y + 4.5, f"{value:g}", "end"),
        ]
    return drawn


def _line(course: Course, seat: Seat, other: int | None) -> Node:
    points = " ".join(
        f"{_x(course, place):.1f},{_y(course, row[seat]):.1f}"
        for place, row in enumerate(course.rows)
    )
    colour = "brick" if other is None else ("ink" if other % 2 == 0 else "mortar-2")
    return node(
        "polyline",
        points=points,
        fill="none",
        stroke=f"var(--{colour})",
        stroke_width=3.5 if other is None else 2.4,
        stroke_dasharray=None if other is None else _DASHES[other % len(_DASHES)],
        stroke_linejoin="round",
    )


def _pin(course: Course) -> list[Node]:
    if course.pin is None:
        return []
    x, y = _x(course, course.pin), _y(course, course.rows[course.pin][course.hero])
    up = max(y - 30, 14)
    way = -1 if x > _RIGHT - 40 else 1
    dot: Paint = {"fill": "var(--brick)", "stroke": "var(--paper)", "stroke_width": 2}
    return [
        node(
            "g",
            node("path", d=f"M{x:.1f} {y:.1f}V{up - 12:.1f}", stroke="var(--ink)", stroke_width=2),
            node(
                "path",
                d=f"M{x + way:.1f} {up - 12:.1f}h{18 * way}l{-5 * way} 6l{5 * way} 6h{-18 * way}Z",
                fill="var(--brick)",
                stroke="var(--ink)",
                stroke_width=1.2,
            ),
            node("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4.5, **dot),
            class_="pin",
        )
    ]


def _marks(course: Course) -> list[Node]:
    """The mason's marks where the lines end, none upon another."""
    final = course.rows[-1]
    order = sorted(range(len(final)), key=lambda seat: -final[seat])
    ends = without_overlap([_y(course, final[seat]) for seat in order], _MARK + 2, _LOW)
    colours = ["var(--brick)" if seat == course.hero else "var(--ink)" for seat in order]
    return [
        use(f"mark-{seat + 1}", _RIGHT + 7, y - _MARK / 2, _MARK, _MARK, color=colour)
        for seat, y, colour in zip(order, ends, colours, strict=True)
    ]


# --- Where the points came from: a bar for each seat, a part for each source ---------------------


_BARS_WIDE: Final = 390
_ROW: Final = 38
_BAR: Final = 29
_BARS_LEFT: Final = 42
_LONGEST: Final = 296
_LEAST: Final = 17
"""A narrower part has no room for its number."""

_PATTERNS: Final = (
    ("#EADBBD", "", ""),
    ("#C98F73", "M-2 8L8 -2M-2 14L14 -2M4 14L14 4", "#A9694C"),
    ("#D9AE5C", "M3 3h.1M9 9h.1", "#8A6526"),
    ("#AAA08F", "M0 6H12M0 12H12", "#857B6B"),
    ("#9DB07C", "M6 0V12", "#71864F"),
    ("#A9C0C6", "M0 0L12 12M12 0L0 12", "#7F9DA5"),
)
"""Ground, lines and their colour; the same by day and by night, as the numbers are dark."""


def bars(sources: Sequence[Source], order: Sequence[Seat], you: Seat | None) -> Node:
    """A row for each seat, in this order. A table says the same, so it is hidden from readers."""
    totals = {seat: sum(max(source.points[seat], 0) for source in sources) for seat in order}
    most = max(*totals.values(), 1)
    return node(
        "svg",
        _patterns(),
        *(
            row
            for place, seat in enumerate(order)
            for row in _row(sources, seat, place * _ROW, _LONGEST / most, own=seat == you)
        ),
        viewBox=f"0 0 {_BARS_WIDE} {_ROW * len(order) - 4}",
        class_="mauerwerk bars",
        aria_hidden="true",
    )


def swatch(place: int) -> Node:
    """The hatching of a source, for the legend."""
    return node(
        "svg",
        _filled(place, 0.75, 0.75, 14.5, 12.5),
        viewBox="0 0 16 14",
        class_="swatch",
        aria_hidden="true",
    )


def _row(
    sources: Sequence[Source], seat: Seat, top: float, unit: float, *, own: bool
) -> list[Node]:
    x = float(_BARS_LEFT)
    parts: list[Node] = []
    for place, source in enumerate(sources):
        points = source.points[seat]
        if points > 0:
            parts += _part(place, points, x, top + 2, points * unit)
            x += points * unit
    lost = sum(source.points[seat] for source in sources if source.points[seat] < 0)
    if lost:
        said = f"{lost}".replace("-", "\N{MINUS SIGN}")
        parts.append(_number(said, x + 8, top + 22, size=15, anchor="start"))
    total = sum(source.points[seat] for source in sources)
    edge = node("path", d=f"M{_BARS_LEFT} {top + 2}v{_BAR}", stroke="var(--ink)", stroke_width=1.5)
    return [
        *_tile(seat, top, own=own),
        edge,
        node("g", *parts, class_="bar"),
        _number(f"{total}", _BARS_WIDE - 2, top + 24, size=21, anchor="end"),
    ]


def _tile(seat: Seat, top: float, *, own: bool) -> list[Node]:
    ground, ink = ("brick", "on-brick") if own else ("stone", "ink")
    return [
        node("rect", y=top + 1, width=31, height=31, rx=3, fill=f"var(--{ground}-deep)"),
        node("rect", y=top + 1, width=31, height=29, rx=3, fill=f"var(--{ground})"),
        use(f"mark-{seat + 1}", 6, top + 6, 19, 19, color=f"var(--{ink})"),
    ]


def _part(place: int, points: int, x: float, y: float, wide: float) -> list[Node]:
    drawn = [_filled(place, x, y, wide, _BAR)]
    if wide < _LEAST:
        return drawn
    across, middle = 9 * len(f"{points}") + 8, x + wide / 2
    area = (middle - across / 2, y + 5, across, _BAR - 10)
    plate = rect(*area, rx=3, fill="#FFFBEF", fill_opacity=0.86)
    number = _number(f"{points}", middle, y + 20, size=15, anchor="middle", dark=True)
    return [*drawn, *([plate] if wide > across else []), number]


def _filled(place: int, x: float, y: float, wide: float, high: float) -> Node:
    fill = f"url(#source-{place % len(_PATTERNS)})"
    return rect(x, y, wide, high, fill=fill, stroke="var(--piece-line)", stroke_width=1.5)


def _number(  # noqa: PLR0913 - a place, and how it is set
    words: str, x: float, y: float, *, size: float, anchor: str, dark: bool = False
) -> Node:
    return node(
        "text",
        words,
        x=x,
        y=y,
        font_size=size,
        font_weight=700,
        font_family="var(--serif)",
        text_anchor=anchor,
        fill="#2A211A" if dark else "var(--ink)",
    )


def _patterns() -> Node:
    line: Paint = {"stroke_width": 2, "stroke_linecap": "round", "fill": "none"}
    size: Paint = {"width": 12, "height": 12}
    return node(
        "defs",
        *(
            node(
                "pattern",
                node("rect", **size, fill=ground),
                *([node("path", d=lines, stroke=colour, **line)] if lines else []),
                id=f"source-{place}",
                **size,
                patternUnits="userSpaceOnUse",
            )
            for place, (ground, lines, colour) in enumerate(_PATTERNS)
        ),
    )
