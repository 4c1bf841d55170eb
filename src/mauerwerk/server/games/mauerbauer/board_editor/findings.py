"""What is wrong on a draft by the rules' own checks, what is odd, and its figures, in words."""

from collections import Counter
from importlib import import_module
from typing import Any, Final

from mauerwerk.bots import can_search
from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, message
from mauerwerk.core.svg.fitting import cut
from mauerwerk.games.mauerbauer import board as boards
from mauerwerk.games.mauerbauer import board_remarks, naming
from mauerwerk.games.mauerbauer.board import Board, BoardFault, Field, Line, Region
from mauerwerk.server.games.mauerbauer.board_editor.draft import Draft

REGIONS: Final = {
    Region.WEST: message("West"),
    Region.MIDDLE: message("Middle"),
    Region.EAST: message("East"),
}


LONGEST: Final = 60
"""The number of letters of an unreadable text that a message repeats."""


class Finding(Value):
    """Something that was found, and where."""

    words: str
    fault: bool
    """Whether the board cannot be played because of it."""
    fields: tuple[Field, ...] = ()
    lines: tuple[Line, ...] = ()
    mend: bool = False
    """Whether taking away false coast mends it."""


def findings(draft: Draft, language: Language) -> tuple[Finding, ...]:
    """All there is to say; faults first."""
    board = draft.board
    faults = [_fault(fault, board, language) for fault in boards.faults_of(board, draft.coast)]
    if faults:
        return tuple(faults)
    remarks = [
        Finding(_remark(each, language), fault=False) for each in board_remarks.remarks_on(board)
    ]
    return (*remarks, *_for_kernels(board, language))


def _fault(fault: BoardFault, board: Board, language: Language) -> Finding:
    words = said(fault, language)
    match fault:
        case boards.Apart(pieces=pieces):
            largest = max(pieces, key=len)
            apart = tuple(
                Field(field) for piece in pieces if piece is not largest for field in piece
            )
            return Finding(words, fault=True, fields=apart)
        case (
            boards.CoastInland(line=line)
            | boards.CoastTwice(line=line)
            | boards.CoastNowhere(line=line)
        ):
            known = (Line(line),) if line in board.sides else ()
            return Finding(words, fault=True, lines=known, mend=True)
        case _:
            return Finding(words, fault=True)


def said(fault: BoardFault, language: Language) -> str:
    """A fault as a sentence."""
    match fault:
        case boards.NotABoard(word=word):
            return language(
                "“{word}” is no board. A board is written like this: wwwme/wwmme+a2-b1.",
                word=cut(word, LONGEST),
            )
        case boards.NotAFile(reason=reason):
            return language(
                "This is not the file of a board ({reason}).", reason=cut(reason, LONGEST)
            )
        case boards.TooManyRows(rows=rows, most=most):
            return language("A board has {most} rows at most, not {rows}.", most=most, rows=rows)
        case boards.TooWide(row=row, wide=wide, most=most):
            return language(
                "Row {row} has {wide} fields. A board is {most} wide at most.",
                row=row,
                wide=wide,
                most=most,
            )
        case boards.NotALetter(field=field, letter=letter):
            return language(
                "Field {field} is “{letter}”. It can be w, m or e for its region, or a dot for "
                "none.",
                field=field,
                letter=letter,
            )
        case boards.NoField():
            return language("There is no land yet. Choose a region and draw.")
        case boards.Apart(pieces=pieces):
            return language(
                "The land lies in {pieces} pieces. All fields must be connected by their sides; a "
                "corner is not enough.",
                pieces=len(pieces),
            )
        case boards.CoastNowhere(line=line):
            return language("The coast “{line}” is no line of this board.", line=cut(line, LONGEST))
        case boards.CoastInland(line=line):
            return language("The coast {line} does not lie on the edge of the land.", line=line)
        case boards.CoastTwice(line=line):
            return language("The coast {line} is named twice.", line=line)


def _remark(remark: board_remarks.Remark, language: Language) -> str:
    match remark:
        case board_remarks.RegionMissing(region=region, card=card):
            return language(
                "No field lies in the region {region}: the guild card {card} always scores 0.",
                region=language(REGIONS[region]),
                card=naming.card_name(card, language),
            )
        case board_remarks.Uneven(small=small, large=large):
            return language(
                "The regions are uneven: {large} is at least twice as large as {small}, and so is "
                "what its guild card can score.",
                large=language(REGIONS[large]),
                small=language(REGIONS[small]),
            )
        case board_remarks.NoCoast(card=card):
            return language(
                "There is no coast: the guild card {card} always scores 0.",
                card=naming.card_name(card, language),
            )
        case board_remarks.NoRoom(fields=fields, card=card):
            return language(
                "No city can have {fields} fields: the guild card {card} always scores 0.",
                fields=fields,
                card=naming.card_name(card, language),
            )
        case board_remarks.FewLines(lines=lines, walls=walls):
            return language(
                "There are {lines} lines and {walls} walls: the walls cannot run out, and a game "
                "ends at the latest when no line is free.",
                lines=lines,
                walls=walls,
            )


def _for_kernels(board: Board, language: Language) -> list[Finding]:
    """Whether the board is too large for those who look ahead."""
    if fits_kernels(board):
        return []
    fields, lines, points = _room()
    words = language(
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
    records: Any = import_module("mauerwerk.kernels.mauerbauer.records")
    return records.MOST_FIELDS, records.MOST_LINES, records.MOST_POINTS


# --- Figures ---------------------------------------------------------------------------------


def figures(draft: Draft, language: Language) -> dict[str, tuple[int, int]]:
    """The draft in figures, each beside that of the usual board."""
    usual = _counts(boards.board_of("default"), language)
    return {name: (number, usual[name]) for name, number in _counts(draft.board, language).items()}


def _counts(board: Board, language: Language) -> dict[str, int]:
    counts = Counter(board.regions.values())
    return {
        language("Fields"): len(board.fields),
        **{language(name): counts[region] for region, name in REGIONS.items()},
        language("Lines"): len(board.lines),
        language("Lines on the edge"): sum(len(each) == 1 for each in board.sides.values()),
        language("Lines on the coast"): len(board.coast & set(board.sides)),
        language("Tower spaces"): len(board.points),
        language("Tower spaces by the water"): len(board.shore),
    }
