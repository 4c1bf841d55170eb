"""Mauerbauer, the picture of land that goes on beyond a plain edge."""

import re

import pytest

from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing.ground import ground

Strip = list[tuple[float, float]]


def strips(word: str) -> list[Strip]:
    """The pieces of land beyond the board, as they are drawn."""
    (land,) = [each for each in ground(board_of(word)) if each.get("fill") == "var(--hinter)"]
    pieces = re.findall(r"M([^Z]+)Z", land.get("d", ""))
    return [
        [(float(x), float(y)) for x, y in (spot.split() for spot in piece.split("L"))]
        for piece in pieces
    ]


def area(strip: Strip) -> float:
    """Positive if it goes around one way, negative if it goes around the other."""
    around = zip(strip, [*strip[1:], strip[0]], strict=True)
    return sum(a * d - b * c for (a, b), (c, d) in around) / 2


@pytest.mark.parametrize("word", ["default", "www", "wwwm/wwwm/wwee", "ww/ww/ww"])
def test_all_land_goes_around_the_same_way(word: str) -> None:
    """Where two pieces lie over each other in a bay, neither takes the other away."""
    assert min(area(strip) for strip in strips(word)) > 0


def test_land_goes_around_a_cape_without_a_gap() -> None:
    """A single field has three pieces of land around it, and each corner belongs to two of them."""
    corners = [corner for strip in strips("w") for corner in strip]

    assert len(strips("w")) == 3
    assert {corners.count(corner) for corner in corners} == {2}


def test_beside_the_coast_land_ends_as_the_coast_goes_on() -> None:
    """On the usual board the coast is a straight line through the corner of the board (MB-6)."""
    top = next(strip for strip in strips("default") if (60.0, 0.0) in strip)
    x, y = min(corner for corner in top if corner[1] < 0)

    assert (x - 60) / y == pytest.approx(-60 / 103.9, abs=0.01)
