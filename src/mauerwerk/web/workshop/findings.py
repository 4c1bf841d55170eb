"""What is found on a draft: faults, which keep it from being played, and remarks; and its figures.

What is wrong is decided by the rules' own checks; here it is said, in the language of the reader.
"""

from collections import Counter
from importlib import import_module
from typing import Any, Final, assert_never

from mauerwerk.bots import can_search
from mauerwerk.core.drawing import cut
from mauerwerk.core.game import Value
from mauerwerk.core.tongue import Tongue, message
from mauerwerk.games.mauerbauer.board import Board, Field, Line, Region, board_of, faults_of
from mauerwerk.games.mauerbauer.board_faults import (
    Apart,
    BoardFault,
    CoastInland,
    CoastNowhere,
    CoastTwice,
    NoField,
    NotABoard,
    NotAFile,
    NotALetter,
    TooManyRows,
    TooWide,
)
from mauerwerk.games.mauerbauer.board_remarks import (
    FewLines,
    NoCoast,
    NoRoom,
    RegionMissing,
    Remark,
    Uneven,
    remarks_on,
)
from mauerwerk.games.mauerbauer.naming import card_name
from mauerwerk.web.workshop.draft import Draft, edges

REGIONS: Final = {
    Region.WEST: message("West"),
    Region.MIDDLE: message("Middle"),
    Region.EAST: message("East"),
}


LONGEST: Final = 60
"""So much of what somebody wrote is said again."""


class Finding(Value):
    """Something that was found, and where."""

    words: str
    fault: bool
    """Whether the board cannot be played because of it."""
    fields: tuple[Field, ...] = ()
    lines: tuple[Line, ...] = ()
    mend: bool = False
    """Whether taking away false coast mends it."""


class Figure(Value):
    """A figure of a board, beside that of the usual one."""

    name: str
    number: int
    usual: int


def findings(draft: Draft, tongue: Tongue) -> tuple[Finding, ...]:
    """All there is to say; faults first."""
    board = draft.board
    faults = [_fault(fault, board, tongue) for fault in faults_of(board, draft.coast)]
    if faults:
        return tuple(faults)
    remarks = [Finding(_remark(each, tongue), fault=False) for each in remarks_on(board)]
    return (*remarks, *_for_kernels(board, tongue))


def _fault(fault: BoardFault, board: Board, tongue: Tongue) -> Finding:
    words = said(fault, tongue)
    match fault:
        case Apart(pieces=pieces):
            largest = max(pieces, key=len)
            apart = tuple(
                Field(field) for piece in pieces if piece is not largest for field in piece
            )
            return Finding(words, fault=True, fields=apart)
        case CoastInland(line=line) | CoastTwice(line=line) | CoastNowhere(line=line):
            known = (Line(line),) if line in board.sides else ()
            return Finding(words, fault=True, lines=known, mend=True)
        case _:
            return Finding(words, fault=True)


def said(fault: BoardFault, tongue: Tongue) -> str:
    """A fault as a sentence."""
    match fault:
        case NotABoard(word=word):
            return tongue(
                "“{word}” is no board. A board is written like this: wwwme/wwmme+a2-b1.",
                word=cut(word, LONGEST),
            )
        case NotAFile(reason=reason):
            return tongue(
                "This is not the file of a board ({reason}).", reason=cut(reason, LONGEST)
            )
        case TooManyRows(rows=rows, most=most):
            return tongue("A board has {most} rows at most, not {rows}.", most=most, rows=rows)
        case TooWide(row=row, wide=wide, most=most):
            return tongue(
                "Row {row} has {wide} fields. A board is {most} wide at most.",
                row=row,
                wide=wide,
                most=most,
            )
        case NotALetter(field=field, letter=letter):
            return tongue(
                "Field {field} is “{letter}”. It can be w, m or e for its region, or a dot for "
                "none.",
                field=field,
                letter=letter,
            )
        case NoField():
            return tongue("There is no land yet. Choose a region and draw.")
        case Apart(pieces=pieces):
            return tongue(
                "The land lies in {pieces} pieces. All fields must be connected by their sides; a "
                "corner is not enough.",
                pieces=len(pieces),
            )
        case CoastNowhere(line=line):
            return tongue("The coast “{line}” is no line of this board.", line=cut(line, LONGEST))
        case CoastInland(line=line):
            return tongue("The coast {line} does not lie on the edge of the land.", line=line)
        case CoastTwice(line=line):
            return tongue("The coast {line} is named twice.", line=line)
        case _:
            assert_never(fault)


def _remark(remark: Remark, tongue: Tongue) -> str:
    match remark:
        case RegionMissing(region=region, card=card):
            return tongue(
                "No field lies in the region {region}: the guild card {card} always scores 0.",
                region=tongue(REGIONS[region]),
                card=card_name(card, tongue),
            )
        case Uneven(small=small, large=large):
            return tongue(
                "The regions are uneven: {large} is at least twice as large as {small}, and so is "
                "what its guild card can score.",
                large=tongue(REGIONS[large]),
                small=tongue(REGIONS[small]),
            )
        case NoCoast(card=card):
            return tongue(
                "There is no coast: the guild card {card} always scores 0.",
                card=card_name(card, tongue),
            )
        case NoRoom(fields=fields, card=card):
            return tongue(
                "No city can have {fields} fields: the guild card {card} always scores 0.",
                fields=fields,
                card=card_name(card, tongue),
            )
        case FewLines(lines=lines, walls=walls):
            return tongue(
                "There are {lines} lines and {walls} walls: the walls cannot run out, and a game "
                "ends at the latest when no line is free.",
                lines=lines,
                walls=walls,
            )
        case _:
            assert_never(remark)


def _for_kernels(board: Board, tongue: Tongue) -> list[Finding]:
    """Whether the board is too large for those who look ahead."""
    if fits_kernels(board):
        return []
    fields, lines, points = _room()
    words = tongue(
        "The board is too large for bots that look ahead and for the study: they have room for "
        "{fields} fields, {lines} lines and {points} tower spaces. Foremen and masters go by rules "
        "of thumb here.",
        fields=fields,
        lines=lines,
        points=points,
    )
    return [Finding(words, fault=False)]


def fits_kernels(board: Board) -> bool:
    """Whether kernels, where there are any, have room for such a board."""
    if not can_search():
        return True
    sizes = (len(board.fields), len(board.lines), len(board.points))
    return all(size <= most for size, most in zip(sizes, _room(), strict=True))


def _room() -> tuple[int, int, int]:
    """The most fields, lines and points of a board for kernels, which are an extra."""
    records: Any = import_module("mauerwerk.kernels.mauerbauer_records")
    return records.MOST_FIELDS, records.MOST_LINES, records.MOST_POINTS


# --- Figures ---------------------------------------------------------------------------------


def figures(draft: Draft, tongue: Tongue) -> tuple[Figure, ...]:
    """The draft in figures, beside the usual board."""
    own, usual = draft.board, board_of("default")
    return tuple(
        Figure(name, one, other)
        for (name, one), (_, other) in zip(
            _counted(own, len(edges(draft)), tongue),
            _counted(usual, sum(len(each) == 1 for each in usual.sides.values()), tongue),
            strict=True,
        )
    )


def _counted(board: Board, edge: int, tongue: Tongue) -> tuple[tuple[str, int], ...]:
    counts = Counter(board.regions.values())
    return (
        (tongue("Fields"), len(board.fields)),
        *((tongue(name), counts[region]) for region, name in REGIONS.items()),
        (tongue("Lines"), len(board.lines)),
        (tongue("Lines on the edge"), edge),
        (tongue("Lines on the coast"), len(board.coast & set(board.sides))),
        (tongue("Tower spaces"), len(board.points)),
        (tongue("Tower spaces by the water"), len(board.shore)),
    )
