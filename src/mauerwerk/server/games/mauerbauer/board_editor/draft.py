"""A board on the drawing table: what painting, pencilling, resizing and moving make of it.

A draft is a grid of letters and a coast. Its word is the notation of boards, with dots up to the
edges of the grid, so that an address holds all of it. What may not be played yet may be drawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, Literal

from mauerwerk.core.game import Value
from mauerwerk.core.language import message
from mauerwerk.games.mauerbauer import board as boards
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Plan, Region

NONE: Final = "."
"""No field."""
Mirror = Literal["", "across", "down"]
"""Whether what is drawn is drawn on the other side too: right for left, or below for above."""

WAYS: Final[Mapping[str, tuple[int, int]]] = {
    "left": (0, -2),
    "right": (0, 2),
    "up-left": (-1, -1),
    "up-right": (-1, 1),
    "down-left": (1, -1),
    "down-right": (1, 1),
}
"""The ways in which a board can be moved so that each triangle still points where it did: rows
and columns."""

_FACING: Final = {Region.WEST.value: Region.EAST.value, Region.EAST.value: Region.WEST.value}


class Draft(Value):
    """A grid of letters, all rows equally long, and the lines that are coast."""

    rows: tuple[str, ...]
    coast: tuple[Line, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.rows[0])

    @property
    def word(self) -> str:
        """The whole grid in the notation of boards."""
        return Plan(self.rows, self.coast).word

    @property
    def name(self) -> str:
        """What the option `board` calls it: a board of the game by its name, else in letters."""
        rows = [row.rstrip(NONE) or NONE for row in self.rows]
        while rows[1:] and rows[-1] == NONE:
            rows.pop()
        word = Plan(tuple(rows), self.coast).word
        return _names().get(word, word)

    @property
    def board(self) -> Board:
        """The board as it stands, be it one or not."""
        return _sketched(self)


def read(word: str) -> Draft:
    """The draft that a word means, a board's name or its letters. Raises BoardError."""
    return _draft_of(boards.plan_of(word))


def read_text(text: str) -> Draft:
    """The draft in a pasted text: a word, or the text of a file. Raises BoardError."""
    text = text.strip()
    return _draft_of(boards.plan_in(text)) if "=" in text else read(text)


def blank(rows: int, columns: int) -> Draft:
    """A grid without a field."""
    return Draft((NONE * columns,) * rows)


def file_of(draft: Draft) -> str:
    """The text of a file for commands."""
    plan = boards.plan_of(draft.name)
    coast = "".join(f'    "{line}",\n' for line in plan.coast)
    rows = "\n".join(plan.rows)
    return f'title = "{plan.title}"\nfields = """\n{rows}\n"""\ncoast = [\n{coast}]\n'


@cache
def _names() -> Mapping[str, str]:
    drafts = {name: _draft_of(boards.plan_of(name)) for name in boards.BOARDS}
    return {
        Plan(tuple(row.rstrip(NONE) for row in draft.rows), draft.coast).word: name
        for name, draft in drafts.items()
    }


def _draft_of(plan: Plan) -> Draft:
    """The plan as a grid; its coast in the order of lines, with what is none at the end."""
    board = boards.sketch(plan)
    wide = max(1, *map(len, plan.rows))
    return Draft(tuple(row.ljust(wide, NONE) for row in plan.rows), _ordered(board, plan.coast))


def _ordered(board: Board, coast: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(sorted(coast, key=lambda line: (board.place.get(line, len(board.lines)), line)))


@lru_cache(maxsize=64)
def _sketched(draft: Draft) -> Board:
    return boards.sketch(Plan(draft.rows, draft.coast))


@lru_cache(maxsize=64)
def lattice(rows: int, columns: int) -> Board:
    """All triangles of a grid of this size, be they fields or not."""
    return boards.sketch(Plan((Region.MIDDLE.value * columns,) * rows))


# --- Drawing ---------------------------------------------------------------------------------


def painted(draft: Draft, fields: Iterable[Field], letter: str, mirror: Mirror = "") -> Draft:
    """The draft with these fields in a region, or taken away. What is no field is left out.

    The sea is where no field is: what is taken away leaves a coast. What is added has a coast where
    it meets nothing, unless it goes on from an edge that is plain.
    """
    grid = lattice(*draft.size)
    coast = edges(draft) & set(draft.coast)
    letters = dict(zip(grid.fields, "".join(draft.rows), strict=True))
    for field in fields:
        if field in letters:
            _paint(grid, letters, coast, field, letter)
            if twin := _facing_field(draft.size, field, mirror):
                facing = _FACING.get(letter, letter) if mirror == "across" else letter
                _paint(grid, letters, coast, twin, facing)
    return _with_letters(draft.size, letters, coast)


def _paint(
    grid: Board, letters: dict[Field, str], coast: set[Line], field: Field, letter: str
) -> None:
    was, letters[field] = letters[field], letter
    if (was == NONE) == (letter == NONE):
        return
    beyond = {
        line: next((each for each in grid.sides[line] if each != field), None)
        for line in grid.around[field]
    }
    inner = {line for line, other in beyond.items() if other and letters[other] != NONE}
    if letter == NONE:
        coast |= inner
        coast -= set(beyond) - inner
    else:
        goes_on_plain = not inner <= coast
        coast -= inner
        coast |= set() if goes_on_plain else set(beyond) - inner


def pencilled(draft: Draft, lines: Iterable[Line], mirror: Mirror = "") -> Draft:
    """The draft with coast where these lines of the edge had none, and none where they had."""
    edge = edges(draft)
    coast = edge & set(draft.coast)
    for line in dict.fromkeys(lines):
        twin = _facing_line(draft.size, line, mirror) if line in edge else None
        coast ^= {line, twin or line} & edge
    return with_coast(draft, coast)


def pencilled_around(draft: Draft, fields: Iterable[Field], mirror: Mirror = "") -> Draft:
    """The draft with all edges of these fields coast, or with none where all were."""
    board, edge, wet = draft.board, edges(draft), set(draft.coast)
    changed: list[Line] = []
    # A line of the edge belongs to one field, so that no field changes what another one finds.
    for field in dict.fromkeys(fields):
        lines = [line for line in board.around.get(field, ()) if line in edge]
        changed += [line for line in lines if line not in wet] or lines
    return pencilled(draft, changed, mirror)


def with_coast(draft: Draft, coast: Iterable[Line]) -> Draft:
    """The draft with this coast."""
    return Draft(draft.rows, _ordered(draft.board, coast))


def edges(draft: Draft) -> set[Line]:
    """The lines on the edge of the land."""
    return {line for line, sides in draft.board.sides.items() if len(sides) == 1}


# --- Size and place --------------------------------------------------------------------------


def resized(draft: Draft, rows: int, columns: int) -> Draft:
    """The draft on a grid of this size; it grows and shrinks at the right and below."""
    rows, columns = (
        max(1, min(wanted, most))
        for wanted, most in ((rows, boards.MOST_ROWS), (columns, boards.MOST_COLUMNS))
    )
    places = {field: _place_of(draft.size, field) for field in draft.board.fields}
    lost = [field for field, (row, column) in places.items() if row >= rows or column >= columns]
    left = painted(draft, lost, NONE) if lost else draft
    cut = tuple(row[:columns].ljust(columns, NONE) for row in left.rows[:rows])
    return Draft((*cut, *(NONE * columns,) * (rows - len(cut))), left.coast)


def moved(draft: Draft, way: str) -> Draft:
    """The draft moved on its grid; as it is, where it would leave it or the way is none."""
    down, right = WAYS.get(way, (0, 0))
    letters = dict.fromkeys(lattice(*draft.size).fields, NONE)
    for field in draft.board.fields:
        row, column = _place_of(draft.size, field)
        place = _field_in(draft.size, row + down, column + right)
        if place is None:
            return draft
        letters[place] = draft.board.regions[field].value
    board = draft.board
    coast = {
        boards.line_between(*((x + right, y + down) for x, y in map(board.spots.__getitem__, ends)))
        for ends in (board.ends[line] for line in edges(draft) & set(draft.coast))
    }
    return _with_letters(draft.size, letters, coast)


# --- The grid --------------------------------------------------------------------------------


def _with_letters(
    size: tuple[int, int], letters: Mapping[Field, str], coast: Iterable[Line]
) -> Draft:
    rows, columns = size
    drawn = "".join(letters.values())
    grid = tuple(drawn[row * columns : (row + 1) * columns] for row in range(rows))
    return with_coast(Draft(grid), coast)


def _place_of(size: tuple[int, int], field: Field) -> tuple[int, int]:
    return divmod(lattice(*size).place[field], size[1])


def _field_in(size: tuple[int, int], row: int, column: int) -> Field | None:
    rows, columns = size
    inside = 0 <= row < rows and 0 <= column < columns
    return lattice(*size).fields[row * columns + column] if inside else None


def _facing_field(size: tuple[int, int], field: Field, mirror: Mirror) -> Field | None:
    row, column = _place_of(size, field)
    last_row, last_column = _last(size)
    match mirror:
        case "across":
            return _field_in(size, row, last_column - column)
        case "down":
            return _field_in(size, last_row - row, column)
        case "":
            return None


def _facing_line(size: tuple[int, int], line: Line, mirror: Mirror) -> Line | None:
    grid = lattice(*size)
    last_row, last_column = _last(size)
    spots: Sequence[tuple[int, int]] = [grid.spots[point] for point in grid.ends[line]]
    match mirror:
        case "across":
            facing = [(last_column + 2 - x, y) for x, y in spots]
        case "down":
            facing = [(x, last_row + 1 - y) for x, y in spots]
        case "":
            return None
    known = all(x >= 0 and y >= 0 and boards.point_at(x, y) in grid.spots for x, y in facing)
    return boards.line_between(facing[0], facing[1]) if known else None


def _last(size: tuple[int, int]) -> tuple[int, int]:
    """The row and column that face the first: of rows the last odd, of columns the last even one.

    Only so does a triangle face one that is its picture.
    """
    rows, columns = size
    return rows - 1 - rows % 2, columns - 1 - (columns - 1) % 2


# --- Boards to begin with: those of the game, and a few that were drawn in the workshop ------


class Sample(Value):
    """A board to begin with."""

    word: str
    title: str


def _island(*rows: str) -> str:
    draft = read("/".join(rows))
    return with_coast(draft, edges(draft)).word


SAMPLES: Final = (
    Sample("default", message("Three lands")),
    Sample("small", message("The island")),
    Sample("large", message("The lake")),
    Sample(
        _island(
            "..www...eee..",
            ".wwwwwmeeeee.",
            ".wwwwmmmeeee.",
            "..wwwmmmeee..",
            "...wwmmmee...",
            "....wmmme....",
            ".....mmm.....",
            "......m......",
        ),
        message("The heart"),
    ),
    Sample(
        _island(
            "......m......",
            ".....mmm.....",
            ".wwwwmmmeeee.",
            "..wwwmmmeee..",
            "..wwwmmmeee..",
            ".wwwwmmmeeee.",
            ".....mmm.....",
            "......m......",
        ),
        message("The star"),
    ),
    Sample(
        _island(
            "..wwww...eeee..",
            ".wwwwmmmmmeeee.",
            ".wwwwmmmmmeeee.",
            "..wwww...eeee..",
        ),
        message("The bridge"),
    ),
    Sample(blank(6, 11).word, message("Nothing but sea")),
)
"""In this order on the page."""
