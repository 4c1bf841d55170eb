"""The score sheet for Die Mauer: what everybody holds when a round ends, round by round.

All of it is in the address of the page. A cell is the words of the pieces that were left, `T62`, or
points that were written as a number, `=23`, or empty. A round is played once something is written
in it: a player with an empty cell then had nothing left.
"""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from msgspec.structs import replace

from mauerwerk.core.game import Value, ranked
from mauerwerk.core.language import capital
from mauerwerk.games.mauer.notation import piece_name
from mauerwerk.games.mauer.rules import SEATS, totals
from mauerwerk.games.mauer.values import PENALTY, Piece
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui.page import PageRequest

BETWEEN: Final = "~"
USUAL_ROUNDS: Final = 4
MOST_ROUNDS: Final = 10
LONGEST_NAME: Final = 20
MOST_PIECES: Final = 2 * len(Piece)
"""Gifts can leave a player with more than one of a kind, but never with this many."""
MOST_POINTS: Final = 999
_WORDS: Final = {piece.value: piece for piece in Piece}


class SheetError(ValueError):
    """What cannot stand on a score sheet."""


class Sheet(Value):
    """The players, and what is written."""

    names: tuple[str, ...] = ("",) * 4
    """One name per player; empty where none is written."""
    rounds: tuple[tuple[str, ...], ...] = ()
    """The cells, player by player, of every round."""
    at: int = 0
    """The round that is being written."""

    @property
    def points(self) -> tuple[tuple[int, ...] | None, ...]:
        """The points of every round; None where it is not played yet."""
        return tuple(tuple(map(points_of, cells)) if any(cells) else None for cells in self.rounds)

    @property
    def totals(self) -> tuple[int, ...]:
        """The penalty points of every player so far (DM-28)."""
        played = [points for points in self.points if points is not None]
        return totals(tuple(played), len(self.names))

    @property
    def ranks(self) -> tuple[int, ...]:
        """The places: the fewest points are first, who is equal shares a place (DM-28)."""
        return ranked(self.totals)

    @property
    def is_complete(self) -> bool:
        """Whether all rounds are played."""
        return all(points is not None for points in self.points)

    @property
    def fields(self) -> dict[str, str]:
        """The same in words, by the names of the address's fields."""
        cells = ".".join("_".join(cells) for cells in self.rounds)
        said = {
            "who": BETWEEN.join(self.names) if self.names != Sheet().names else "",
            "left": cells if any(map(any, self.rounds)) else "",
            "rounds": str(len(self.rounds)) if len(self.rounds) != USUAL_ROUNDS else "",
            "at": str(self.at + 1) if self.at else "",
        }
        return {name: word for name, word in said.items() if word}

    @property
    def query(self) -> str:
        """The same for an address."""
        return urlencode(self.fields, safe="~=")


def points_of(cell: str) -> int:
    """What a cell costs (DM-24).

    >>> points_of("T62"), points_of("=23"), points_of("")
    (23, 23, 0)
    """
    if cell.startswith("="):
        return int(cell[1:])
    return sum(PENALTY[_WORDS[word]] for word in cell)


def sheet_in(query: Mapping[str, str]) -> Sheet:
    """What an address says. Raises SheetError."""
    count = _number(query.get("rounds") or str(USUAL_ROUNDS), 1, MOST_ROUNDS)
    said = [cells.split("_") for cells in query.get("left", "").split(".")][:count]
    seats = [seat for cells in said for seat, cell in enumerate(cells, 1) if cell]
    who = query.get("who")
    names = _names(who.split(BETWEEN) if who else Sheet().names, max(seats, default=0))
    rounds = tuple(
        tuple(
            _cell(said[place][seat]) if place < len(said) and seat < len(said[place]) else ""
            for seat in range(len(names))
        )
        for place in range(count)
    )
    return Sheet(names, rounds, _number(query.get("at") or "1", 1, count) - 1)


def _names(said: Sequence[str], written: int) -> tuple[str, ...]:
    """As many as there can be players, with empty ones up to as many as there must be (DM-1).

    A player with something written stays, with a name or without.
    """
    names = [" ".join(name.split())[:LONGEST_NAME] for name in said][: SEATS[-1]]
    least = max(SEATS[0], min(written, SEATS[-1]))
    return (*names, *[""] * (least - len(names)))


def _number(word: str, least: int, most: int) -> int:
    if not (word.isascii() and word.isdigit()) or not least <= int(word[:4]) <= most:
        raise SheetError(f"there are {least} to {most}, not {word[:10]!r}")
    return int(word[:4])


def _cell(word: str) -> str:
    if word.startswith("="):
        return f"={_number(word[1:], 0, MOST_POINTS)}"
    if len(word) > MOST_PIECES or not set(word) <= set(_WORDS):
        raise SheetError(f"{word[:20]!r} are no pieces like T62, nor points like =23")
    return "".join(sorted(word, key=list(_WORDS).index))


def after(sheet: Sheet, word: str) -> Sheet:
    """What a tap changes. Raises SheetError.

    `2:T` leaves player 2, counted from 0, with another tower; `2:` wipes the cell out. `at:3` turns
    to a round, `more` and `less` add one and take an empty one away.
    """
    what, colon, which = word.partition(":")
    if what == "at":
        return replace(sheet, at=_number(which, 1, len(sheet.rounds)) - 1)
    if what == "more" and len(sheet.rounds) < MOST_ROUNDS:
        return replace(sheet, rounds=(*sheet.rounds, ("",) * len(sheet.names)))
    if what == "less" and len(sheet.rounds) > 1 and not any(sheet.rounds[-1]):
        at = min(sheet.at, len(sheet.rounds) - 2)
        return replace(sheet, rounds=sheet.rounds[:-1], at=at)
    if colon and what in map(str, range(len(sheet.names))):
        before = sheet.rounds[sheet.at][int(what)]
        pieces = "" if before.startswith("=") else before
        return _with_cell(sheet, sheet.at, int(what), _cell(pieces + which) if which else "")
    raise SheetError(f"{word[:20]!r} means nothing here")


def filled_in(sheet: Sheet, form: Mapping[str, str]) -> Sheet:
    """The sheet with the points that were written: `points-1-0` is round 1, the first player.

    Where the number is that of the pieces, the pieces stay. In a form with `all` in it a number
    that is missing was wiped out: an address does not carry what is empty. Raises SheetError.
    """
    missing = "" if "all" in form else None
    for place, points in enumerate(sheet.points):
        for seat in range(len(sheet.names)):
            wrote = form.get(f"points-{place + 1}-{seat}", missing)
            before = None if points is None else points[seat]
            if wrote is None:
                continue
            if not wrote.strip():
                sheet = _with_cell(sheet, place, seat, "")
            elif _number(wrote.strip(), 0, MOST_POINTS) != before:
                sheet = _with_cell(sheet, place, seat, _cell(f"={wrote.strip()}"))
    return sheet


def _with_cell(sheet: Sheet, place: int, seat: int, cell: str) -> Sheet:
    cells = sheet.rounds[place]
    changed = (*cells[:seat], cell, *cells[seat + 1 :])
    return replace(sheet, rounds=(*sheet.rounds[:place], changed, *sheet.rounds[place + 1 :]))


# --- The page --------------------------------------------------------------------------------


PATH: Final = "/real/mauer"
SYMBOLS: Final = tuple(f"piece-{piece.value}" for piece in Piece)
_NAMES: Final = tuple(f"name-{seat}" for seat in range(SEATS[-1]))


async def show(request: PageRequest) -> Response:
    """The sheet as the address has it; with a word or a form, as it is after that."""
    query = dict(request.query)
    if query.keys() & {*_NAMES, "named"}:
        names = [query.get(name, "").replace(BETWEEN, " ") for name in _NAMES]
        # The form has a line for each possible player; lines left empty at the end are no players.
        query["who"] = BETWEEN.join(names).rstrip(f" {BETWEEN}")
    try:
        sheet = filled_in(sheet_in(query), query)
        if word := query.get("word"):
            sheet = after(sheet, word)
    except SheetError as error:
        raise HttpError(422, str(error)) from None
    request.path = path_of_page(sheet)
    asked = any(name in {"word", "named", "all"} or name.startswith("points-") for name in query)
    if asked and not request.morphs:
        return redirect(request.path)
    template, language = "live" if request.morphs else "page", request.language
    return request.render(
        f"mauer/real_table/{template}.html",
        sheet=sheet,
        names=[
            name or language("Player {number}", number=seat)
            for seat, name in enumerate(sheet.names, 1)
        ],
        pieces=[
            (piece, f"{capital(piece_name(piece, language))}, {PENALTY[piece]}", PENALTY[piece])
            for piece in sorted(Piece, key=PENALTY.__getitem__, reverse=True)
        ],
        points_of=points_of,
        seats=SEATS,
        most_rounds=MOST_ROUNDS,
        symbols=SYMBOLS,
    )


def path_of_page(sheet: Sheet) -> str:
    """Where this sheet is."""
    return f"{PATH}?{sheet.query}" if sheet.query else PATH
