"""The course of a game as lines, one for each seat, from the first turn to the last."""

from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.svg import Node, label, node, use

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
    """A flag at the best moment."""
    if course.pin is None:
        return []
    x, y = _x(course, course.pin), _y(course, course.rows[course.pin][course.hero])
    up = max(y - 30, 14)
    way = -1 if x > _RIGHT - 40 else 1
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
            node(
                "circle",
                cx=f"{x:.1f}",
                cy=f"{y:.1f}",
                r=4.5,
                fill="var(--brick)",
                stroke="var(--paper)",
                stroke_width=2,
            ),
            class_="pin",
        )
    ]


def _marks(course: Course) -> list[Node]:
    """The mason's marks where the lines end, none upon another."""
    final = course.rows[-1]
    order = sorted(range(len(final)), key=lambda seat: -final[seat])
    places = [_y(course, final[seat]) for seat in order]
    for above in range(1, len(places)):
        places[above] = max(places[above], places[above - 1] + _MARK + 2)
    lowest = float(_LOW)
    for below in reversed(range(len(places))):
        places[below] = min(places[below], lowest)
        lowest = places[below] - _MARK - 2
    return [
        use(
            f"mark-{seat + 1}",
            _RIGHT + 7,
            y - _MARK / 2,
            _MARK,
            _MARK,
            color="var(--brick)" if seat == course.hero else "var(--ink)",
        )
        for seat, y in zip(order, places, strict=True)
    ]
