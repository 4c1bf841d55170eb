"""Mauerbauer, what can be wrong with a board: each fault a value, to be shown or said (MB-6)."""

from typing import TypeAlias, assert_never

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value


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
        """Refuse the option."""
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
        case _:
            assert_never(fault)
