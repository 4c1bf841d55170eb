"""Mauerbauer, where everything on the board lies, in the board's own units: a line is 120 long."""

from collections.abc import Sequence
from math import sqrt
from typing import Final, TypeAlias

from mauerwerk.games.mauerbauer.board import Board, Field, Line, Point

SIDE: Final = 120
HIGH: Final = SIDE * sqrt(3) / 2
LAND: Final = 26
"""How far plain land goes on beyond the board."""
Spot: TypeAlias = tuple[float, float]


def size(board: Board) -> tuple[float, float, float, float]:
    """Left, top, width and height of the board, with the land around it and its arms."""
    spots = [spot_of(board, point) for point in board.points]
    left, right = min(x for x, _ in spots) - LAND, max(x for x, _ in spots) + LAND
    top, foot = min(y for _, y in spots) - 62, max(y for _, y in spots) + LAND
    return left, top, right - left, foot - top


def spot_of(board: Board, point: Point) -> Spot:
    """Where a point lies."""
    x, y = board.spots[point]
    return x * SIDE / 2, y * HIGH


def middle_of(board: Board, field: Field) -> Spot:
    """The middle of a field."""
    corners = [spot_of(board, point) for point in board.corners[field]]
    return sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3


def points_up(board: Board, field: Field) -> bool:
    """Whether a field stands on its base."""
    left, middle, _ = (spot_of(board, point) for point in board.corners[field])
    return middle[1] < left[1]


def outline_of(board: Board, fields: Sequence[Field]) -> str:
    """The triangles of these fields, as a path."""
    return "".join(
        f"M{path_of([spot_of(board, point) for point in board.corners[field]])}Z"
        for field in fields
    )


def path_of(spots: Sequence[Spot]) -> str:
    """From spot to spot."""
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)


def line_of(board: Board, line: Line) -> str:
    """A line from end to end, as a path."""
    return f"M{path_of([spot_of(board, point) for point in board.ends[line]])}"


def rhombus_of(board: Board, line: Line) -> str:
    """The rhombus between the fields beside a line, as a path; on the edge it goes beyond."""
    a, b = (spot_of(board, point) for point in board.ends[line])
    one, *others = (middle_of(board, field) for field in board.sides[line])
    other = others[0] if others else (a[0] + b[0] - one[0], a[1] + b[1] - one[1])
    return f"M{path_of([a, one, b, other])}Z"
