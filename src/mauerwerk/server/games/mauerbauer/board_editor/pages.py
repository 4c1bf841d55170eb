"""The workshop's pages: a draft in its address, what can be done to it, and how it is drawn."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final
from urllib.parse import urlencode

from mauerwerk.core.language import Language, message
from mauerwerk.core.svg import Node, node
from mauerwerk.games.mauerbauer.board import (
    MOST_COLUMNS,
    MOST_ROWS,
    Board,
    BoardError,
    Field,
    Line,
    Region,
    field_at,
)
from mauerwerk.games.mauerbauer.drawing import geometry
from mauerwerk.games.mauerbauer.drawing.ground import ground
from mauerwerk.server.games.mauerbauer.board_editor import draft as boards
from mauerwerk.server.games.mauerbauer.board_editor import findings, study
from mauerwerk.server.games.mauerbauer.box import BOX
from mauerwerk.server.games.room import MIDDLE
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui.markup import html
from mauerwerk.server.ui.page import Form, PageRequest
from mauerwerk.server.ui.render import text_of

COAST: Final = "coast"

BRUSHES: Final[Mapping[str, str]] = {
    **{region.value: name for region, name in findings.REGIONS.items()},
    boards.NONE: message("Water"),
    COAST: message("Coast"),
}
"""What one can draw with, and what it is called."""

MIRRORS: Final[Mapping[boards.Mirror, str]] = {
    "": message("one side"),
    "across": message("left and right"),
    "down": message("above and below"),
}

ARROWS: Final[Mapping[str, tuple[str, str]]] = {
    "up-left": ("↖", message("Move it up and to the left")),
    "up-right": ("↗", message("Move it up and to the right")),
    "left": ("←", message("Move it to the left")),
    "right": ("→", message("Move it to the right")),
    "down-left": ("↙", message("Move it down and to the left")),
    "down-right": ("↘", message("Move it down and to the right")),
}


async def show(request: PageRequest) -> Response:
    """The workshop with the board of the address, after whatever the address asks for."""
    query = request.query
    brush = query.get("brush", "")
    brush = brush if brush in BRUSHES else Region.WEST.value
    drawn_twice: list[boards.Mirror] = [each for each in MIRRORS if each == query.get("mirror")]
    mirror = drawn_twice[0] if drawn_twice else ""
    refusal = ""
    try:
        draft = boards.read(_word(query))
    except BoardError as error:
        draft, refusal = boards.read("default"), findings.said(error.fault, request.language)
    # A large board takes a while to be changed and drawn, and other requests must not wait for it.
    try:
        done = await request.in_thread(_done, draft, brush, mirror, query)
    except BoardError as error:
        done, refusal = draft, findings.said(error.fault, request.language)
    fields = max(rows * columns for rows, columns in (draft.size, done.size))
    request.app.limiter.drawing(request.client, fields)
    address = address_of(done, brush, mirror)
    acts = set(query) - {"board", "brush", "mirror"}
    if acts and not refusal and not request.morphs:
        return redirect(address)
    request.path = address  # where the menu's forms lead back to
    content = await request.in_thread(_content, done, brush, mirror, refusal, request)
    status = 422 if refusal else 200
    if request.morphs:
        return request.render("mauerbauer/board_editor/table.html", status, **content)
    return request.render(
        "mauerbauer/board_editor/page.html",
        status,
        **content,
        symbols=SYMBOLS,
        samples=[
            (
                f"/workshop?{urlencode({'board': each.word})}",
                thumbnail(each.word),
                each.title,
            )
            for each in boards.SAMPLES
        ],
    )


def _word(query: Mapping[str, str]) -> str:
    """The board of the address, in which an unescaped plus reads as a space."""
    return query.get("board", "default").strip().replace(" ", "+")


def address_of(draft: boards.Draft, brush: str = "", mirror: boards.Mirror = "") -> str:
    """The address of a draft; it keeps the brush, so that drawing can go on."""
    chosen = {"board": draft.word, "brush": brush, "mirror": mirror}
    return f"/workshop?{urlencode({name: word for name, word in chosen.items() if word})}"


def _done(
    draft: boards.Draft, brush: str, mirror: boards.Mirror, query: Mapping[str, str]
) -> boards.Draft:
    """The draft after what the address asks for. Raises BoardError."""
    if text := query.get("text", "").strip():
        return boards.read_text(text)
    if "rows" in query or "columns" in query:
        rows, columns = draft.size
        wanted = [whole_number(query.get(name, "")) for name in ("rows", "columns")]
        draft = boards.resized(draft, wanted[0] or rows, wanted[1] or columns)
    if (way := query.get("move", "")) in boards.WAYS:
        draft = boards.moved(draft, way)
    match query.get("shore", ""):
        case "all":
            draft = boards.with_coast(draft, boards.edges(draft))
        case "none":
            draft = boards.with_coast(draft, ())
        case "mend":
            draft = boards.with_coast(draft, boards.edges(draft) & set(draft.coast))
        case _:
            pass
    fields = [Field(name) for name in query.get("paint", "").split(",") if name]
    lines = [Line(name) for name in query.get("lines", "").split(",") if name]
    if fields and brush == COAST:
        draft = boards.pencilled_around(draft, fields, mirror)
    elif fields:
        draft = boards.painted(draft, fields, brush, mirror)
    return boards.pencilled(draft, lines, mirror) if lines else draft


def _content(
    draft: boards.Draft, brush: str, mirror: boards.Mirror, refusal: str, request: PageRequest
) -> dict[str, Any]:
    language = request.language
    found = findings.findings(draft, language)
    playable = not any(each.fault for each in found)
    rows, columns = draft.size
    edge = boards.edges(draft)
    return {
        "draft": draft,
        "address": address_of(draft, brush, mirror),
        "link": request.address(address_of(draft)),
        "brush": brush,
        "brushes": BRUSHES,
        "mirror": mirror,
        "mirrors": MIRRORS,
        "arrows": ARROWS,
        "lattice": boards.lattice(rows, columns).fields,
        "cell_words": cell_words,
        "edges": [line for line in draft.board.lines if line in edge],
        "edge_words": edge_words,
        "sheet": surface(draft, found, language),
        "rows": rows,
        "columns": columns,
        "most": (MOST_ROWS, MOST_COLUMNS),
        "findings": found,
        "playable": playable,
        "mends": any(each.mend for each in found),
        "figures": findings.figures(draft, language),
        "studied": playable and study.is_possible(request) and findings.fits_kernels(draft.board),
        "invite": f"/new/mauerbauer?{urlencode({'option-board': draft.name})}",
        "download": f"/workshop/board.toml?{urlencode({'board': draft.word})}",
        "refusal": refusal,
    }


# --- What can be done with it ----------------------------------------------------------------


async def play(request: PageRequest, form: Form) -> Response:
    """Create a table with bots on this board, seat the visitor and show it."""
    draft = boards.read(form.get("board", ""))
    order = BOX.against_bots(MIDDLE, {"board": draft.name})
    return await request.start_table(order, address_of(draft))


async def download(request: PageRequest) -> Response:
    """The board as a file for commands. Raises BoardError."""
    text = boards.file_of(boards.read(_word(request.query)))
    headers = [(b"content-disposition", b'attachment; filename="board.toml"')]
    return Response(text.encode(), b"text/plain; charset=utf-8", headers=headers)


# --- The drawing table: the board in the sea, on a lattice one can paint on ------------------


SYMBOLS: Final = ("arms-west", "arms-middle", "arms-east", "boat")
LEFT, TOP, RIGHT, FOOT = 70.0, 66.0, 70.0, 82.0
"""Room around the lattice, for names, arms and the land that goes on."""


def surface(draft: boards.Draft, found: Sequence[findings.Finding], language: Language) -> str:
    """The picture: the sea, the lattice, the land, what is wrong, and what can be drawn on."""
    rows, columns = draft.size
    edge = boards.edges(draft)
    return text_of(
        "mauerbauer/board_editor/surface.html",
        "surface",
        {
            "board": draft.board,
            "grid": boards.lattice(rows, columns),
            "wide": LEFT + (columns + 1) * geometry.SIDE / 2 + RIGHT,
            "high": TOP + rows * geometry.HIGH + FOOT,
            "rows": rows,
            "letters": [field_at(0, column)[1:] for column in range(columns)],
            "land": html(*ground(draft.board)),
            "wrong_fields": [field for each in found for field in each.fields],
            "wrong_lines": [line for each in found for line in each.lines],
            "edges": [line for line in draft.board.lines if line in edge],
            "coast": draft.coast,
            "cell_words": partial(cell_words, draft, language=language),
            "edge_words": partial(edge_words, draft, language=language),
            "label": language("The board, to draw on"),
        },
        geometry,
    )


# --- What can be drawn on --------------------------------------------------------------------


def cell_words(draft: boards.Draft, field: Field, language: Language) -> str:
    """What a triangle is: `3h: West`."""
    region = draft.board.regions.get(field)
    what = language("water") if region is None else language(findings.REGIONS[region])
    return language("{field}: {what}", field=field, what=what)


def edge_words(draft: boards.Draft, line: Line, language: Language) -> str:
    """What an edge is: `a2-b1: coast`."""
    what = language("coast") if line in draft.coast else language("plain edge")
    return language("{field}: {what}", field=line, what=what)


# --- Small pictures --------------------------------------------------------------------------


def _lattice(grid: Board) -> Node:
    lines = "".join(geometry.line_of(grid, line) for line in grid.lines)
    return node("path", d=lines, class_="lattice")


@lru_cache(maxsize=32)
def thumbnail(word: str) -> str:
    """A board as a small picture that only adorns."""
    draft = boards.read(word)
    board, grid = draft.board, boards.lattice(*draft.size)
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
