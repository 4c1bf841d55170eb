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
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from importlib import resources
from string import ascii_lowercase as LETTERS  # noqa: N812 - the columns' names
from typing import Final, NamedTuple, NewType, TypeAlias

import msgspec

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value

# --- What can be wrong with a board (MB-6): each fault is a value, to be shown or said -------


class NotABoard(Value):
    """The word is no name of a board, and does not look like one in letters."""

    word: str
    names: tuple[str, ...]
    """The names that there are."""


class NotAFile(Value):
    """The text is not the file of a board."""

    reason: str


class TooManyRows(Value):
    """More rows than there are names for."""

    rows: int
    most: int


class TooWide(Value):
    """More triangles beside each other than there are letters for."""

    row: int
    wide: int
    most: int


class NotALetter(Value):
    """A place is neither a field of a region nor none."""

    field: str
    letter: str


class NoField(Value):
    """There is nothing to build on."""


class Apart(Value):
    """The fields are not all connected: touching in a corner is not enough."""

    pieces: tuple[tuple[str, ...], ...]
    """The fields that are, in the order of their first ones."""


class CoastNowhere(Value):
    """A coast that is no line of the board."""

    line: str


class CoastInland(Value):
    """A coast with fields on both sides."""

    line: str


class CoastTwice(Value):
    """A coast that was named before."""

    line: str


BoardFault: TypeAlias = (
    NotABoard
    | NotAFile
    | TooManyRows
    | TooWide
    | NotALetter
    | NoField
    | Apart
    | CoastNowhere
    | CoastInland
    | CoastTwice
)


class BoardError(SetupError):
    """A board that is none; `fault` says why."""

    def __init__(self, fault: BoardFault) -> None:
        super().__init__(f"option board: {described(fault)}")
        self.fault = fault

    def __reduce__(self) -> "tuple[type[BoardError], tuple[BoardFault]]":
        """From one process to another it is made of its fault again."""
        return BoardError, (self.fault,)


def described(fault: BoardFault) -> str:
    """What is wrong, and where."""
    match fault:
        case NotABoard(word=word, names=names):
            return (
                f"there is no board {word!r}, only {', '.join(names)}, or one in letters, "
                f"such as wwwme/wwmme+a2-b1"
            )
        case NotAFile(reason=reason):
            return f"not a board file: {reason}"
        case TooManyRows(rows=rows, most=most):
            return f"a board has {most} rows at most, not {rows}"
        case TooWide(row=row, wide=wide, most=most):
            return f"row {row} has {wide} fields, a board is {most} wide at most"
        case NotALetter(field=field, letter=letter):
            return (
                f"field {field} is {letter!r}: a field is w, m or e for its region, or . for none"
            )
        case NoField():
            return "a board has at least one field in at least one region"
        case Apart(pieces=((first, *_), (other, *_), *_)):
            return f"field {other} is not connected with field {first}"
        case Apart():
            return "the fields are not connected"
        case CoastNowhere(line=line):
            return f"coast {line!r} is no line of this board"
        case CoastInland(line=line):
            return f"coast {line} does not lie on the edge"
        case CoastTwice(line=line):
            return f"coast {line} is named twice"


# --- The board -------------------------------------------------------------------------------

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


class Plan(NamedTuple):
    """A board as it was given, before it is checked."""

    rows: tuple[str, ...]
    coast: tuple[Line, ...] = ()
    title: str = OWN

    @property
    def word(self) -> str:
        """What the option `board` calls it."""
        return "/".join(self.rows) + ("+" + ",".join(self.coast) if self.coast else "")


@lru_cache(maxsize=64)
def board_of(word: str) -> Board:
    """The board that the option `board` means; raises BoardError where it means none."""
    return _checked(word, plan_of(word))


def word_of(text: str) -> str:
    """The word for the board in a file with this text; raises BoardError that names the fault."""
    plan = plan_in(text)
    return _checked(plan.word, plan).word


def plan_of(word: str) -> Plan:
    """What a word says of a board; raises BoardError where it is neither a name nor in letters."""
    if word in BOARDS:
        file = resources.files("mauerwerk.games.mauerbauer").joinpath("boards", f"{word}.toml")
        return plan_in(file.read_text(encoding="utf-8"))
    rows, plus, coast = word.partition("+")
    if not plus and "/" not in rows and re.fullmatch(r"[wme.]+", rows) is None:
        raise BoardError(NotABoard(word, BOARDS))
    lines = tuple(Line(line) for line in coast.split(",")) if plus else ()
    return Plan(tuple(rows.split("/")), lines)


def plan_in(text: str) -> Plan:
    """What a file says of a board; raises BoardError where it is no such file."""
    try:
        file = msgspec.toml.decode(text, type=BoardFile)
    except (msgspec.DecodeError, ValueError, RecursionError) as fault:
        raise BoardError(NotAFile(str(fault))) from fault
    # A gap in a row is no letter, and so a fault.
    rows = tuple(row.strip() for row in file.fields.strip().split("\n"))
    return Plan(rows, file.coast, file.title)


def _checked(word: str, plan: Plan) -> Board:
    board = sketch(plan, word)
    for fault in faults_of(board, plan.coast):
        raise BoardError(fault)
    return board


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


def sketch(plan: Plan, word: str = "") -> Board:
    """Derive every neighbour, of what may be no board yet: `faults_of` says so (MB-6).

    Raises BoardError where it does not fit the lattice.
    """
    fields: dict[Field, Region] = {}
    triangles: dict[Field, tuple[tuple[int, int], ...]] = {}
    for row, column, letter in _letters(plan.rows):
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
    lines = tuple(sorted(ends, key=lambda line: _reading_order(ends[line])))
    spots = {
        point_at(x, y): (x, y)
        for x, y in sorted(
            {spot for pair in ends.values() for spot in pair}, key=lambda spot: spot[::-1]
        )
    }
    ends_by_name = {line: (point_at(*ends[line][0]), point_at(*ends[line][1])) for line in lines}
    lines_at: dict[Point, tuple[Line, ...]] = dict.fromkeys(spots, ())
    for line in lines:
        for point in ends_by_name[line]:
            lines_at[point] = (*lines_at[point], line)
    names = (tuple(fields), lines, tuple(spots))
    coast = tuple(line for line in plan.coast if line in ends)
    return Board(
        word=word,
        title=plan.title,
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
        lines_at=lines_at,
        coast=frozenset(coast),
        shore=frozenset(point for line in coast for point in ends_by_name[line]),
    )


def _reading_order(ends: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    (x, y), (_, other_y) = ends
    return y + other_y, x, y


def _letters(rows: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Every place of the lattice that the board speaks of; each must be a field or none."""
    if len(rows) > MOST_ROWS:
        raise BoardError(TooManyRows(len(rows), MOST_ROWS))
    for row, letters in enumerate(rows):
        if len(letters) > MOST_COLUMNS:
            raise BoardError(TooWide(row + 1, len(letters), MOST_COLUMNS))
        for column, letter in enumerate(letters):
            if letter not in "wme.":
                raise BoardError(NotALetter(field_at(row, column), letter))
            yield row, column, letter


# --- Checking --------------------------------------------------------------------------------


def faults_of(board: Board, coast: Sequence[Line]) -> tuple[BoardFault, ...]:
    """All that keeps a sketch with this coast from being a board (MB-6)."""
    pieces = _pieces(board)
    torn: list[BoardFault] = [Apart(pieces)] if pieces[1:] else []
    return (*([] if pieces else [NoField()]), *torn, *_coast_faults(board, coast))


def _pieces(board: Board) -> tuple[tuple[Field, ...], ...]:
    """The fields that hang together by their lines, piece by piece."""
    pieces: list[tuple[Field, ...]] = []
    found: set[Field] = set()
    for first in board.fields:
        if first in found:
            continue
        reached = {first}
        for field in (walk := [first]):  # grows while it is walked
            beyond = {each for line in board.around[field] for each in board.sides[line]}
            walk += beyond - reached
            reached |= beyond
        found |= reached
        pieces.append(tuple(sorted(reached, key=board.place.__getitem__)))
    return tuple(pieces)


def _coast_faults(board: Board, coast: Sequence[Line]) -> Iterator[BoardFault]:
    known: set[Line] = set()
    for line in coast:
        if line not in board.sides:
            yield CoastNowhere(line)
        elif len(board.sides[line]) > 1:
            yield CoastInland(line)
        elif line in known:
            yield CoastTwice(line)
        known.add(line)
