"""The score sheet for Die Mauer as a page: pieces to tap, points to write, sums and places."""

from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.games.mauer.notation import piece_name
from mauerwerk.games.mauer.rules import SEATS
from mauerwerk.games.mauer.values import PENALTY, Piece
from mauerwerk.server.games.mauer.real_table import sheet as sheets
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui.page import PageRequest

PATH: Final = "/real/mauer"
SYMBOLS: Final = tuple(f"piece-{piece.value}" for piece in Piece)
_NAMES: Final = tuple(f"name-{seat}" for seat in range(SEATS[-1]))


class Left(Value):
    """A kind of piece that a player may have left."""

    word: str
    text: str
    sign: str
    cost: int
    count: int


class PlayerRow(Value):
    """A player's line on the sheet."""

    seat: int
    name: str
    cells: tuple[str, ...]
    """The points of every round; empty where it is not played."""
    pieces: tuple[Left, ...]
    now: str
    """The points of the round that is being written."""
    total: int
    rank: int
    wins: bool


class SheetPage(Value):
    """The sheet, ready for the template."""

    path: str
    state: dict[str, str]
    lines: tuple[PlayerRow, ...]
    names: tuple[str, ...]
    rounds: int
    at: int
    more: bool
    less: bool
    over: bool
    fewest: int
    """The fewest players (DM-1)."""
    most: int
    """The most rounds."""


async def show(request: PageRequest) -> Response:
    """The sheet as the address has it; with a word or a form, as it is after that."""
    query = dict(request.query)
    if query.keys() & {*_NAMES, "named"}:
        names = [query.get(name, "").replace(sheets.BETWEEN, " ") for name in _NAMES]
        # The form has a line for each possible player; lines left empty at the end are no players.
        query["who"] = sheets.BETWEEN.join(names).rstrip(f" {sheets.BETWEEN}")
    try:
        sheet = sheets.filled_in(sheets.written(query), query)
        if word := query.get("word"):
            sheet = sheets.after(sheet, word)
    except sheets.SheetError as error:
        raise HttpError(422, str(error)) from None
    request.path = path_of_page(sheet)
    asked = any(name in {"word", "named", "all"} or name.startswith("points-") for name in query)
    if asked and not request.morphs:
        return redirect(request.path)
    template = "live" if request.morphs else "page"
    return request.render(
        f"mauer/real_table/{template}.html",
        shown=sheet_page(sheet, request.language),
        symbols=SYMBOLS,
    )


def path_of_page(sheet: sheets.Sheet) -> str:
    """Where this sheet is."""
    return f"{PATH}?{sheet.query}" if sheet.query else PATH


def sheet_page(sheet: sheets.Sheet, language: Language) -> SheetPage:
    """All of it, in words."""
    path = path_of_page(sheet)
    over = sheet.is_complete
    return SheetPage(
        path=path + ("&" if "?" in path else "?"),
        state=sheet.fields,
        lines=tuple(_line(sheet, seat, over, language) for seat in range(len(sheet.names))),
        names=(*sheet.names, *[""] * (SEATS[-1] - len(sheet.names))),
        rounds=len(sheet.rounds),
        at=sheet.at,
        more=len(sheet.rounds) < sheets.MOST_ROUNDS,
        less=len(sheet.rounds) > 1 and not any(sheet.rounds[-1]),
        over=over,
        fewest=SEATS[0],
        most=sheets.MOST_ROUNDS,
    )


def _line(sheet: sheets.Sheet, seat: int, over: bool, language: Language) -> PlayerRow:  # noqa: FBT001 - a fact
    cells = tuple("" if points is None else str(points[seat]) for points in sheet.points)
    written_now = sheet.rounds[sheet.at][seat]
    rank = sheet.ranks[seat]
    return PlayerRow(
        seat=seat,
        name=sheet.names[seat] or language("Player {number}", number=seat + 1),
        cells=cells,
        pieces=tuple(
            Left(
                word=f"{seat}:{piece.value}",
                text=f"{capital(piece_name(piece, language))}, {PENALTY[piece]}",
                sign=f"piece-{piece.value}",
                cost=PENALTY[piece],
                count=0 if written_now.startswith("=") else written_now.count(piece.value),
            )
            for piece in sorted(Piece, key=PENALTY.__getitem__, reverse=True)
        ),
        now=str(sheets.points_of(written_now)),
        total=sheet.totals[seat],
        rank=rank,
        wins=over and rank == 1,
    )
