"""The drawing table: the board as it is played on, in the sea, on a lattice one can paint on."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg import Node, group, label, node
from mauerwerk.games.mauerbauer.board import Board, Field, Line, field_at
from mauerwerk.games.mauerbauer.drawing import geometry
from mauerwerk.games.mauerbauer.drawing.ground import ground
from mauerwerk.server.games.mauerbauer.board_editor.draft import Draft, edges, lattice, read
from mauerwerk.server.games.mauerbauer.board_editor.findings import REGIONS, Finding
from mauerwerk.server.ui.markup import html

SYMBOLS: Final = ("arms-west", "arms-middle", "arms-east", "boat")

LEFT, TOP, RIGHT, FOOT = 70.0, 66.0, 70.0, 82.0
"""Room around the lattice, for names, arms and the land that goes on."""

FINGER: Final = 53
"""The least length of a line in pixels, so that a triangle is as high as a finger is wide."""

NAMES: Final = 30
"""The size of the names of rows and columns, to be read on a small picture too."""


def surface(draft: Draft, found: Iterable[Finding], language: Language) -> str:
    """The picture: the sea, the lattice, the land, what is wrong, and what can be drawn on."""
    rows, columns = draft.size
    board, grid, edge = draft.board, lattice(rows, columns), edges(draft)
    wide = LEFT + (columns + 1) * geometry.SIDE / 2 + RIGHT
    high = TOP + rows * geometry.HIGH + FOOT
    picture = node(
        "svg",
        _lattice(grid),
        *_names(rows, columns),
        group(*ground(board), class_="land"),
        *_marks(board, found),
        group(*(_cell(draft, grid, field, language) for field in grid.fields), class_="cells"),
        group(
            *(_edge(draft, board, line, language) for line in board.lines if line in edge),
            class_="shores",
        ),
        id="sheet",
        class_="canvas mauerwerk",
        viewBox=f"{-LEFT:g} {-TOP:g} {wide:g} {high:.1f}",
        role="group",
        aria_label=language("The board, to draw on"),
    )
    # Nothing to see: it keeps room for a picture on which a finger can draw.
    room = (f"{length * FINGER / geometry.SIDE:.0f}" for length in (wide, high))
    least = node("svg", class_="least", width=next(room), height=next(room), aria_hidden="true")
    return html(least, picture)


def _lattice(grid: Board) -> Node:
    """All triangles of the grid, faintly."""
    return node(
        "path", d="".join(geometry.line_of(grid, line) for line in grid.lines), class_="lattice"
    )


def _names(rows: int, columns: int) -> list[Node]:
    """The numbers of rows and the letters of columns, by which fields are called."""
    numbers = [
        label(
            -LEFT + 22,
            (row + 0.5) * geometry.HIGH + 10,
            str(row + 1),
            size=NAMES,
            fill="chalk",
            anchor="middle",
        )
        for row in range(rows)
    ]
    letters = [
        label(
            (column + 1) * geometry.SIDE / 2,
            rows * geometry.HIGH + FOOT - 14,
            field_at(0, column)[1:],
            size=NAMES,
            fill="chalk",
            anchor="middle",
        )
        for column in range(columns)
    ]
    return [node("g", *numbers, *letters, class_="names", aria_hidden="true")]


def _marks(board: Board, found: Iterable[Finding]) -> list[Node]:
    """Where something is wrong: hatched fields with a sign, and lines in brick."""
    fields = [field for each in found for field in each.fields]
    lines = [line for each in found for line in each.lines]
    drawn: list[Node] = []
    if fields:
        drawn.append(node("path", d=geometry.outline_of(board, fields), class_="wrong"))
    for field in fields:
        x, y = geometry.middle_of(board, field)
        drawn += [
            node("circle", cx=x, cy=y, r=19, class_="sign"),
            label(x, y + 9, "!", size=27, fill="on-brick", anchor="middle", bold=True),
        ]
    drawn += [node("path", d=geometry.line_of(board, line), class_="wrong line") for line in lines]
    return drawn


# --- What can be drawn on --------------------------------------------------------------------


def _cell(draft: Draft, grid: Board, field: Field, language: Language) -> Node:
    """A triangle of the grid."""
    return node(
        "g",
        node("path", d=geometry.outline_of(grid, [field]), class_="hit"),
        id=f"field-{field}",
        class_="target cell",
        role="button",
        tabindex=0 if field == grid.fields[0] else -1,
        aria_label=cell_words(draft, field, language),
        data_field=field,
    )


def cell_words(draft: Draft, field: Field, language: Language) -> str:
    """What a triangle is: `3h: West`."""
    region = draft.board.regions.get(field)
    what = language("water") if region is None else language(REGIONS[region])
    return language("{field}: {what}", field=field, what=what)


def _edge(draft: Draft, board: Board, line: Line, language: Language) -> Node:
    """A line on the edge answers in the rhombus around it."""
    return node(
        "g",
        node("path", d=geometry.line_of(board, line), class_="stroke"),
        node("path", d=geometry.rhombus_of(board, line), class_="hit"),
        id=f"line-{line}",
        class_="target shore",
        role="button",
        tabindex=-1,
        aria_label=edge_words(draft, line, language),
        aria_pressed="true" if line in draft.coast else "false",
        data_line=line,
    )


def edge_words(draft: Draft, line: Line, language: Language) -> str:
    """What an edge is: `a2-b1: coast`."""
    what = language("coast") if line in draft.coast else language("plain edge")
    return language("{field}: {what}", field=line, what=what)


# --- Small pictures --------------------------------------------------------------------------


@lru_cache(maxsize=32)
def thumbnail(word: str) -> str:
    """A board as a small picture that only adorns."""
    draft = read(word)
    board, grid = draft.board, lattice(*draft.size)
    left, top, wide, high = geometry.size(board if board.fields else grid)
    return html(
        node(
            "svg",
            *(ground(board) if board.fields else [_lattice(grid)]),
            class_="thumb-board",
            viewBox=f"{left - 14:g} {top:g} {wide + 28:g} {high + 14:.1f}",
            aria_hidden="true",
        )
    )


def swatch(letter: str) -> str:
    """Two triangles in the colour of a brush; for the coast, a line in the water."""
    shapes: Sequence[Node] = [
        node("path", d="M2 30 19 2 36 30Z", class_=f"ink-{letter}"),
        node("path", d="M19 2H53L36 30Z", class_=f"ink-{letter} down"),
    ]
    if letter == "coast":
        shapes = [
            node("path", d="M2 30 19 2 36 30Z", class_="ink-m"),
            node("path", d="M19 2 36 30", class_="foam wide"),
            node("path", d="M19 2 36 30", class_="foam"),
        ]
    return html(node("svg", *shapes, class_="swatch", viewBox="0 0 55 32", aria_hidden="true"))
