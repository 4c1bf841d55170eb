"""Burgbaumeister, where the cards lie: BB-3."""

from hashlib import sha256
from itertools import combinations
from math import cos, hypot, radians, sin

import msgspec
import pytest

from mauerwerk.games.burgbaumeister.layouts import GAP, HEIGHT, WIDTH, Layout, Spot, spread
from mauerwerk.games.burgbaumeister.values import LAYOUTS

Point = tuple[float, float]


def corners(layout: Layout, spot: Spot) -> list[Point]:
    """The four corners of a card as it lies."""
    c, s = cos(radians(spot.angle)), sin(radians(spot.angle))
    halves = [(x * layout.width / 2, y * layout.height / 2) for x, y in _AROUND]
    return [(spot.x + x * c - y * s, spot.y + x * s + y * c) for x, y in halves]


_AROUND = [(-1, -1), (1, -1), (1, 1), (-1, 1)]


def distance(one: list[Point], other: list[Point]) -> float:
    """How far two cards are apart along the best of their edges' directions; below 0: overlap."""
    gaps: list[float] = []
    for card in (one, other):
        for (ax, ay), (bx, by) in ((card[0], card[1]), (card[1], card[2])):
            length = hypot(bx - ax, by - ay)
            x, y = (bx - ax) / length, (by - ay) / length
            ones = [px * x + py * y for px, py in one]
            others = [px * x + py * y for px, py in other]
            gaps.append(max(min(others) - max(ones), min(ones) - max(others)))
    return max(gaps)


@pytest.mark.rule("BB-3")
@pytest.mark.parametrize("number", [None, *LAYOUTS])
def test_no_two_cards_overlap(number: int | None) -> None:
    """In the rectangle and in every chaotic layout there is a gap around each card (BB-3)."""
    layout = spread(number)
    cards = [corners(layout, spot) for spot in layout.spots]

    assert len(cards) == 45
    assert min(distance(one, other) for one, other in combinations(cards, 2)) > GAP - 0.1
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for card in cards for x, y in card)


@pytest.mark.rule("BB-3")
def test_chaos_is_chaotic() -> None:
    """Cards are turned all ways, stand in no row, and no two layouts are alike (BB-3)."""
    layouts = [spread(number) for number in LAYOUTS]

    assert len(set(layouts)) == len(LAYOUTS)
    for layout in layouts:
        assert len({spot.angle // 30 for spot in layout.spots}) >= 4
        assert len({spot.y for spot in layout.spots}) > 30


@pytest.mark.rule("BB-3")
def test_a_layout_is_the_same_on_every_machine() -> None:
    """A record names a layout by its number for good (BB-3)."""
    layouts = [spread(number) for number in LAYOUTS]

    assert sha256(msgspec.json.encode(layouts)).hexdigest()[:16] == "db50ba69dcd2810a"
