"""The curve above the scrubber: everybody's chance to win on the axis of moves, with flags.

The picture is as wide as its place: across it is measured in per cent, from top to bottom in
pixels. So the scrubber below has the same axis at every width.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg import Node, node, use
from mauerwerk.lab.analysis.results import Analysis
from mauerwerk.server.ui.markup import html

TOP: Final = 26
"""Where the chance is 100 %, below the flags."""
LOW: Final = 126
"""Where the chance is 0."""
HIGH: Final = 134
_MARK: Final = 16
_MOST: Final = 160
"""The most links in the picture; in a longer game each is a few moves wide."""


class Flag(Value):
    """A turning point."""

    number: int
    at: int
    """The position in which it was decided."""

    said: str
    """The move, and what came of it."""


def drawing(
    found: Analysis, at: int, names: Sequence[str], flags: Sequence[Flag], language: Language
) -> str:
    """The picture, with the present position; each part of it leads to its own."""
    last = max(len(found.positions) - 1, 1)
    seats = range(len(names))
    now = found.positions[min(at, len(found.positions) - 1)]
    here = _across(at, last)
    lines = [
        node(
            "polyline",
            points=" ".join(
                f"{each.at},{100 - 100 * each.chances[seat]:.1f}" for each in found.positions
            ),
            class_=f"line s{seat}",
            vector_effect="non-scaling-stroke",
        )
        for seat in seats
    ]
    picture = node(
        "svg",
        *_grid(),
        node(
            "svg",
            *lines,
            y=TOP,
            width="100%",
            height=LOW - TOP,
            viewBox=f"0 0 {last} 100",
            preserveAspectRatio="none",
            overflow="visible",
        ),
        *_ends(found, len(names)),
        *_places(found, last, names, language),
        *(_flag(flag, at, last) for flag in flags),
        node("line", x1=here, x2=here, y1=TOP - 4, y2=HIGH, class_="now"),
        *(
            node("circle", cx=here, cy=f"{_down(now.chances[seat]):.1f}", r=4, class_=f"s{seat}")
            for seat in seats
        ),
        class_="curve wide",
        width="100%",
        height=HIGH,
        role="group",
        aria_label=language("Chances to win"),
    )
    return html(picture)


def _across(at: int, last: int) -> str:
    return f"{100 * at / last:.2f}%"


def _down(chance: float) -> float:
    return LOW - (LOW - TOP) * chance


def _grid() -> list[Node]:
    """Lines at 0, 50 and 100 %, with their numbers to the left."""
    nodes: list[Node] = []
    for part, words in ((1.0, "100 %"), (0.5, "50"), (0.0, "0")):
        y = _down(part)
        nodes += [
            node("line", x1=0, x2="100%", y1=y, y2=y, class_="grid"),
            node("text", words, x=-8, y=y + 4, class_="ax"),
        ]
    return nodes


def _ends(found: Analysis, seats: int) -> list[Node]:
    """The mason's marks where the lines end, none upon another."""
    final = found.positions[-1].chances
    order = sorted(range(seats), key=lambda seat: -final[seat])
    heights = [_down(final[seat]) for seat in order]
    for above in range(1, seats):
        heights[above] = max(heights[above], heights[above - 1] + _MARK)
    lowest = float(LOW)
    for below in reversed(range(seats)):
        heights[below] = min(heights[below], lowest)
        lowest = heights[below] - _MARK
    marks = [
        use(f"mark-{seat + 1}", 6, y - _MARK / 2, _MARK, _MARK, class_=f"mark s{seat}")
        for seat, y in zip(order, heights, strict=True)
    ]
    return [node("svg", *marks, x="100%", overflow="visible", width=1, height=1)]


def _places(found: Analysis, last: int, names: Sequence[str], language: Language) -> list[Node]:
    """What can be pressed: a strip for each position, or for a few of them."""
    step = -(-(last + 1) // _MOST)
    return [
        node(
            "a",
            node("title", said(found, at, names, language)),
            node(
                "rect",
                x=f"{100 * (at - step / 2) / last:.2f}%",
                y=TOP,
                width=f"{100 * step / last:.2f}%",
                height=LOW - TOP,
            ),
            href=f"?at={at}&seat=all",
            tabindex=-1,
            data_way="",
        )
        for at in range(0, last + 1, step)
    ]


def _flag(flag: Flag, at: int, last: int) -> Node:
    """A flag on its pole; the red one is where one is."""
    cloth = node(
        "svg",
        node("rect", x=-10, y=0, width=44, height=24, class_="hit"),
        node("path", d=f"M0 1V{LOW}", class_="pole"),
        node("path", d="M0 1H24L19 9.5L24 18H0Z", class_="cloth"),
        node("text", str(flag.number), x=10, y=14, class_="number"),
        x=_across(flag.at, last),
        overflow="visible",
        width=1,
        height=1,
    )
    return node(
        "a",
        node("title", flag.said),
        cloth,
        class_="flag on" if flag.at == at else "flag",
        href=f"?at={flag.at}&seat=all",
        id=f"flag-{flag.number}",
        aria_label=flag.said,
        data_way="",
    )


def said(found: Analysis, at: int, names: Sequence[str], language: Language) -> str:
    """The chances in a position: `Move 12: Ada 54 %, Bo 46 %`."""
    chances = found.positions[at].chances
    parts = [
        f"{capital(name)} {round(100 * chance)} %"
        for name, chance in zip(names, chances, strict=True)
    ]
    return language("Move {number}: {chances}", number=at, chances=", ".join(parts))
