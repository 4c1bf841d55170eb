"""Where the points came from, as bars: a part for each source, with a number and a hatching."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.svg import Node, node, use
from mauerwerk.server.games.room import Source

WIDE: Final = 390
_ROW: Final = 38
_BAR: Final = 29
_LEFT: Final = 42
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
        viewBox=f"0 0 {WIDE} {_ROW * len(order) - 4}",
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
    x = float(_LEFT)
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
    edge = node("path", d=f"M{_LEFT} {top + 2}v{_BAR}", stroke="var(--ink)", stroke_width=1.5)
    return [
        *_tile(seat, top, own=own),
        edge,
        node("g", *parts, class_="bar"),
        _number(f"{total}", WIDE - 2, top + 24, size=21, anchor="end"),
    ]


def _tile(seat: Seat, top: float, *, own: bool) -> list[Node]:
    """The mason's mark."""
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
    across = 9 * len(f"{points}") + 8
    plate = node(
        "rect",
        x=x + wide / 2 - across / 2,
        y=y + 5,
        width=across,
        height=_BAR - 10,
        rx=3,
        fill="#FFFBEF",
        fill_opacity=0.86,
    )
    number = _number(f"{points}", x + wide / 2, y + 20, size=15, anchor="middle", dark=True)
    return [*drawn, *([plate] if wide > across else []), number]


def _filled(place: int, x: float, y: float, wide: float, high: float) -> Node:
    return node(
        "rect",
        x=x,
        y=y,
        width=wide,
        height=high,
        fill=f"url(#source-{place % len(_PATTERNS)})",
        stroke="var(--piece-line)",
        stroke_width=1.5,
    )


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
    return node(
        "defs",
        *(
            node(
                "pattern",
                node("rect", width=12, height=12, fill=ground),
                *(
                    [
                        node(
                            "path",
                            d=lines,
                            stroke=colour,
                            stroke_width=2,
                            stroke_linecap="round",
                            fill="none",
                        )
                    ]
                    if lines
                    else []
                ),
                id=f"source-{place}",
                width=12,
                height=12,
                patternUnits="userSpaceOnUse",
            )
            for place, (ground, lines, colour) in enumerate(_PATTERNS)
        ),
    )
