"""Every seat's chance to win, from the first move to the last, as a picture with links."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node, node, use
from mauerwerk.lab.analysis.values import Analysis
from mauerwerk.web.games.markup import html

WIDE: Final = 336
HIGH: Final = 128
_RIGHT: Final = 314
"""Where the lines end, and the marks of the seats begin."""
_TOP: Final = 8
_LOW: Final = 120
_MARK: Final = 15
_MOST: Final = 160
"""The most links in the picture; in a longer game each is a few moves wide."""


def curve(found: Analysis, at: int, names: Sequence[str], language: Language) -> str:
    """The picture, with the present position; each part of it leads to its own.

    The page has the same as a table, for readers who cannot use the picture.
    """
    last = len(found.positions) - 1
    seats = range(len(names))
    lines = [
        node(
            "polyline",
            points=" ".join(
                f"{_across(each.at, last):.1f},{_down(each.chances[seat]):.1f}"
                for each in found.positions
            ),
            class_=f"line s{seat}",
        )
        for seat in seats
    ]
    here = _across(at, last)
    now = found.positions[min(at, last)]
    picture = node(
        "svg",
        *(
            node("path", d=f"M0 {_down(part):g}H{_RIGHT}", class_="grid")
            for part in (0, 0.25, 0.5, 0.75, 1)
        ),
        *lines,
        *_ends(found, len(names)),
        node("path", d=f"M{here:.1f} {_TOP - 6}V{_LOW + 6}", class_="now"),
        *(
            node(
                "circle",
                cx=f"{here:.1f}",
                cy=f"{_down(now.chances[seat]):.1f}",
                r=4,
                class_=f"s{seat}",
            )
            for seat in seats
        ),
        *_places(found, names, language),
        viewBox=f"0 0 {WIDE} {HIGH}",
        class_="curve",
        aria_hidden="true",
    )
    return html(picture)


def _across(at: int, last: int) -> float:
    return 2 + (_RIGHT - 4) * at / max(last, 1)


def _down(chance: float) -> float:
    return _LOW - (_LOW - _TOP) * chance


def _ends(found: Analysis, seats: int) -> list[Node]:
    """The mason's marks where the lines end, none upon another."""
    final = found.positions[-1].chances
    order = sorted(range(seats), key=lambda seat: -final[seat])
    places = [_down(final[seat]) for seat in order]
    for above in range(1, seats):
        places[above] = max(places[above], places[above - 1] + _MARK)
    lowest = float(_LOW)
    for below in reversed(range(seats)):
        places[below] = min(places[below], lowest)
        lowest = places[below] - _MARK
    return [
        use(f"mark-{seat + 1}", _RIGHT + 5, y - _MARK / 2, _MARK, _MARK, class_=f"mark s{seat}")
        for seat, y in zip(order, places, strict=True)
    ]


def _places(found: Analysis, names: Sequence[str], language: Language) -> list[Node]:
    """What can be pressed: a strip for each position, or for a few of them."""
    last = len(found.positions) - 1
    step = -(-(last + 1) // _MOST)
    width = (_RIGHT - 4) * step / max(last, 1)
    return [
        node(
            "a",
            node("title", said(found, at, names, language)),
            node(
                "rect",
                x=f"{_across(at, last) - width / 2:.1f}",
                y=0,
                width=f"{width:.1f}",
                height=HIGH,
            ),
            href=f"?at={at}&seat=all",
            tabindex=-1,
            data_way="",
        )
        for at in range(0, last + 1, step)
    ]


def said(found: Analysis, at: int, names: Sequence[str], language: Language) -> str:
    """The chances in a position: `Move 12: Ada 54 %, Bo 46 %`."""
    chances = found.positions[at].chances
    parts = [
        f"{capital(name)} {round(100 * chance)} %"
        for name, chance in zip(names, chances, strict=True)
    ]
    return language("Move {number}: {chances}", number=at, chances=", ".join(parts))
