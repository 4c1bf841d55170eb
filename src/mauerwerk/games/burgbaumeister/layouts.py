"""Where the cards of the depot lie: in a rectangle, or in one of the chaotic layouts (BB-3).

A chaotic layout is a function of its number and of nothing else, so that a record needs no more
than that number. All of it is whole numbers: every machine finds the same layout.
"""

from collections.abc import Iterator
from functools import cache
from math import cos, radians, sin
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.games.burgbaumeister.values import COLUMNS, PLACES

WIDTH: Final = 940
HEIGHT: Final = 620
"""The size of the cloth the cards lie on."""
GAP: Final = 4
"""Two cards are at least so far apart."""
_ROWS: Final = len(PLACES) // COLUMNS
_SHAKES: Final = 16
"""How often every card is nudged on its way from order to chaos."""
_NUDGE: Final = 45
_TWIST: Final = 40


class Spot(Value):
    """Where a card lies: its middle, and by how many degrees it is turned clockwise."""

    x: int
    y: int
    angle: int


class Layout(Value):
    """All spots of a depot, place by place, and how large the cards are there."""

    width: int
    height: int
    spots: tuple[Spot, ...]


RECTANGLE: Final = Layout(
    81,
    108,
    tuple(
        Spot(WIDTH // 2 + (place % COLUMNS - 4) * 91, HEIGHT // 2 + (place // COLUMNS - 2) * 118, 0)
        for place in PLACES
    ),
)
"""Five rows of nine."""


@cache
def spread(layout: int | None) -> Layout:
    """The layout of this number; None is the rectangle."""
    if layout is None:
        return RECTANGLE
    chance = _chance(layout)
    spots = [
        Spot(
            WIDTH * (2 * (place % COLUMNS) + 1) // (2 * COLUMNS),
            HEIGHT * (2 * (place // COLUMNS) + 1) // (2 * _ROWS),
            next(chance) % 180 - 90,
        )
        for place in PLACES
    ]  # in cells so wide that a card has room at every angle
    for _ in range(_SHAKES):
        for place in PLACES:
            moved = _nudged(spots[place], chance)
            if _on_the_cloth(moved) and all(
                _apart(moved, other) for each, other in enumerate(spots) if each != place
            ):
                spots[place] = moved
    return Layout(2 * _HALF_WIDTH, 2 * _HALF_HEIGHT, tuple(spots))


def _chance(seed: int) -> Iterator[int]:
    """Numbers without end and without order, the same for the same seed (SplitMix64)."""
    whole = (1 << 64) - 1
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & whole
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & whole
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & whole
        yield (mixed ^ (mixed >> 31)) >> 11


def _nudged(spot: Spot, chance: Iterator[int]) -> Spot:
    x, y, angle = (next(chance) % (2 * most + 1) - most for most in (_NUDGE, _NUDGE, _TWIST))
    return Spot(spot.x + x, spot.y + y, (spot.angle + angle + 90) % 180 - 90)


_HALF_WIDTH: Final = 30
_HALF_HEIGHT: Final = 40
# Half a card with half the gap around it.
_WIDE: Final = _HALF_WIDTH + GAP // 2
_HIGH: Final = _HALF_HEIGHT + GAP // 2

# Cosine and sine in thousandths, for whole degrees.
_DIRECTIONS: Final = {
    angle: (round(1000 * cos(radians(angle))), round(1000 * sin(radians(angle))))
    for angle in range(-90, 90)
}


def _on_the_cloth(spot: Spot) -> bool:
    c, s = (abs(part) for part in _DIRECTIONS[spot.angle])
    across, down = _WIDE * c + _HIGH * s, _WIDE * s + _HIGH * c
    return (
        across <= 1000 * spot.x <= 1000 * WIDTH - across
        and down <= 1000 * spot.y <= 1000 * HEIGHT - down
    )


def _apart(one: Spot, other: Spot) -> bool:
    """Whether a straight line along an edge of one of the two cards separates them."""
    dx, dy = other.x - one.x, other.y - one.y
    if dx * dx + dy * dy >= 4 * (_WIDE * _WIDE + _HIGH * _HIGH):
        return True
    (c, s), (d, t) = _DIRECTIONS[one.angle], _DIRECTIONS[other.angle]
    along, across = abs(c * d + s * t), abs(c * t - s * d)
    reach_wide = _WIDE * 1_000_000 + _WIDE * along + _HIGH * across
    reach_high = _HIGH * 1_000_000 + _WIDE * across + _HIGH * along
    return any(
        abs(dx * c + dy * s) * 1000 >= reach_wide or abs(dy * c - dx * s) * 1000 >= reach_high
        for c, s in ((c, s), (d, t))
    )
