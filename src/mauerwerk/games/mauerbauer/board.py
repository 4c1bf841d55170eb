"""Mauerbauer, the board: fields, lines and points, read from a file or a word (MB-4 to MB-6).

A board is data. A file in `boards`, or one of a user's own, says which triangles of the lattice are
fields, in which region each lies, and which lines are coast:

    title = "Three lands"
    fields = '''
    wwwmmmeee
    wwwmmmeee
    '''
    coast = ["a2-b1", "j1-k2"]

A letter is a field of the west, the middle or the east, a dot is none. The same as one word, for
the option `board` and so for every record: `wwwmmmeee/wwwmmmeee+a2-b1,j1-k2`.

Names: a point is its column's letter and its row, `h3`; a line is its two ends, `h3-j3`; a field is
its row and the letter of the column in its middle, `3h`.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from importlib import resources
from string import ascii_lowercase as LETTERS  # noqa: N812 - the columns' names
from typing import Final, NewType

import msgspec

from mauerwerk.core.game import SetupError, Value

Point = NewType("Point", str)
"""A tower space, such as `h3`."""
Line = NewType("Line", str)
"""A wall line, such as `h3-j3`; the end further to the left comes first."""
Field = NewType("Field", str)
"""A triangle, such as `3h`."""

BOARDS: Final = ("default", "small", "large")
"""The boards that come with the game."""

OWN: Final = "A board of your own"
"""What a board is called that does not come with the game."""

MOST_ROWS: Final = 24
MOST_COLUMNS: Final = len(LETTERS) - 2
"""As many triangles as fit beside each other before the points run out of letters."""


class Region(Enum):
    """A region, by its letter on a board; each has its coat of arms (MB-5)."""

    WEST = "w"
    MIDDLE = "m"
    EAST = "e"


class BoardFile(Value):
    """A board as it stands in a file."""

    fields: str
    """A text row for each row of triangles."""
    coast: tuple[Line, ...] = ()
    title: str = OWN
    """Remains in the file: a board's word, and so a record, holds what is played on."""


class Board(msgspec.Struct, frozen=True, eq=False):
    """A board with all its neighbours, made once; all in canonical order, row by row."""

    word: str
    """What the option `board` calls it."""
    title: str
    fields: tuple[Field, ...]
    lines: tuple[Line, ...]
    points: tuple[Point, ...]
    place: Mapping[str, int]
    """Where a field, line or point comes among its like."""
    regions: Mapping[Field, Region]
    spots: Mapping[Point, tuple[int, int]]
    """Where a point lies, in half-units to the right and whole ones down (MB-6)."""
    corners: Mapping[Field, tuple[Point, Point, Point]]
    ends: Mapping[Line, tuple[Point, Point]]
    sides: Mapping[Line, tuple[Field, ...]]
    """The fields beside a line: two, or one on the board's edge."""
    around: Mapping[Field, tuple[Line, ...]]
    """The three lines of a field."""
    lines_at: Mapping[Point, tuple[Line, ...]]
    coast: frozenset[Line]
    shore: frozenset[Point]
    """The coastal tower spaces; where coast meets plain edge is one of them (MB-61)."""


# --- Boards by name, word and file -----------------------------------------------------------


@lru_cache(maxsize=64)
def board_of(word: str) -> Board:
    """The board that the option `board` means; raises SetupError where it means none."""
    if word in BOARDS:
        file = resources.files("mauerwerk.games.mauerbauer").joinpath("boards", f"{word}.toml")
        plan = _read(file.read_text(encoding="utf-8"))
        return _laid_out(word, plan.title, _rows(plan), plan.coast)
    rows, plus, coast = word.partition("+")
    if not plus and "/" not in rows and re.fullmatch(r"[wme.]+", rows) is None:
        raise _refusal(
            f"there is no board {word!r}, only {', '.join(BOARDS)}, or one in letters, "
            f"such as wwwme/wwmme+a2-b1"
        )
    lines = tuple(Line(line) for line in coast.split(",")) if plus else ()
    return _laid_out(word, OWN, rows.split("/"), lines)


def word_of(text: str) -> str:
    """The word for the board in a file with this text; raises SetupError that names the fault."""
    plan = _read(text)
    rows = _rows(plan)
    word = "/".join(rows) + ("+" + ",".join(plan.coast) if plan.coast else "")
    _laid_out(word, plan.title, rows, plan.coast)
    return word


def _rows(plan: BoardFile) -> list[str]:
    """The rows of a file, as they stand there: a gap in one is no letter, and so a fault."""
    return [row.strip() for row in plan.fields.strip().split("\n")]


def _refusal(fault: str) -> SetupError:
    return SetupError(f"option board: {fault}")


def _read(text: str) -> BoardFile:
    try:
        return msgspec.toml.decode(text, type=BoardFile)
    except msgspec.DecodeError as fault:
        raise _refusal(f"not a board file: {fault}") from fault


# --- The lattice -----------------------------------------------------------------------------


def point_at(x: int, y: int) -> Point:
    """The point x half-units to the right and y rows down."""
    return Point(f"{LETTERS[x]}{y + 1}")


def line_between(one: tuple[int, int], other: tuple[int, int]) -> Line:
    """The line between two points; no two ends share a column, so that the left one is first."""
    left, right = sorted((one, other))
    return Line(f"{point_at(*left)}-{point_at(*right)}")


def field_at(row: int, column: int) -> Field:
    """The triangle in this row and column."""
    return Field(f"{row + 1}{LETTERS[column + 1]}")


def _triangle(row: int, column: int) -> tuple[tuple[int, int], ...]:
    """The corners of a field, from left to right (MB-6)."""
    top, base = (row, row + 1) if (row + column) % 2 == 0 else (row + 1, row)
    return (column, base), (column + 1, top), (column + 2, base)


# --- Laying out ------------------------------------------------------------------------------


def _laid_out(word: str, title: str, rows: list[str], coast: tuple[Line, ...]) -> Board:
    """Derive every neighbour, and refuse what is no board (MB-6)."""
    fields: dict[Field, Region] = {}
    triangles: dict[Field, tuple[tuple[int, int], ...]] = {}
    for row, column, letter in _letters(rows):
        if letter != ".":
            field = field_at(row, column)
            fields[field] = Region(letter)
            triangles[field] = _triangle(row, column)
    ends: dict[Line, tuple[tuple[int, int], ...]] = {}
    sides: dict[Line, tuple[Field, ...]] = {}
    around: dict[Field, tuple[Line, ...]] = {}
    for field, (left, middle, right) in triangles.items():
        pairs = ((left, middle), (left, right), (middle, right))
        around[field] = tuple(line_between(*pair) for pair in pairs)
        for line, pair in zip(around[field], pairs, strict=True):
            ends[line] = tuple(sorted(pair))
            sides[line] = (*sides.get(line, ()), field)
    _check_connected(tuple(fields), sides, around)
    _check_coast(coast, sides)
    lines = tuple(sorted(ends, key=lambda line: _reading_order(ends[line])))
    spots = {
        point_at(x, y): (x, y)
        for x, y in sorted(
            {spot for pair in ends.values() for spot in pair}, key=lambda spot: spot[::-1]
        )
    }
    ends_by_name = {line: (point_at(*ends[line][0]), point_at(*ends[line][1])) for line in lines}
    names = (tuple(fields), lines, tuple(spots))
    return Board(
        word=word,
        title=title,
        fields=tuple(fields),
        lines=lines,
        points=tuple(spots),
        place={name: place for kind in names for place, name in enumerate(kind)},
        regions=fields,
        spots=spots,
        corners={
            field: (point_at(*left), point_at(*middle), point_at(*right))
            for field, (left, middle, right) in triangles.items()
        },
        ends=ends_by_name,
        sides=sides,
        around=around,
        lines_at={
            point: tuple(line for line in lines if point in ends_by_name[line]) for point in spots
        },
        coast=frozenset(coast),
        shore=frozenset(point for line in coast for point in ends_by_name[line]),
    )


def _reading_order(ends: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """Lines from top to bottom, then from left to right."""
    (x, y), (_, other_y) = ends
    return y + other_y, x, y


def _letters(rows: list[str]) -> Iterator[tuple[int, int, str]]:
    """Every place of the lattice that the board speaks of; each must be a field or none."""
    if len(rows) > MOST_ROWS:
        raise _refusal(f"a board has {MOST_ROWS} rows at most, not {len(rows)}")
    for row, letters in enumerate(rows):
        if len(letters) > MOST_COLUMNS:
            raise _refusal(
                f"row {row + 1} has {len(letters)} fields, a board is {MOST_COLUMNS} wide at most"
            )
        for column, letter in enumerate(letters):
            if letter not in "wme.":
                raise _refusal(
                    f"field {field_at(row, column)} is {letter!r}: a field is w, m or e for its "
                    f"region, or . for none"
                )
            yield row, column, letter


def _check_connected(
    fields: tuple[Field, ...],
    sides: Mapping[Line, tuple[Field, ...]],
    around: Mapping[Field, tuple[Line, ...]],
) -> None:
    if not fields:
        raise _refusal("a board has at least one field in at least one region")
    reached = [fields[0]]
    for field in reached:  # grows while it is walked
        neighbours = (each for line in around[field] for each in sides[line])
        reached.extend(dict.fromkeys(each for each in neighbours if each not in reached))
    if apart := [field for field in fields if field not in reached]:
        raise _refusal(f"field {apart[0]} is not connected with field {fields[0]}")


def _check_coast(coast: tuple[Line, ...], sides: Mapping[Line, tuple[Field, ...]]) -> None:
    for place, line in enumerate(coast):
        if line not in sides:
            raise _refusal(f"coast {line!r} is no line of this board")
        if len(sides[line]) > 1:
            raise _refusal(f"coast {line} does not lie on the edge")
        if line in coast[:place]:
            raise _refusal(f"coast {line} is named twice")
