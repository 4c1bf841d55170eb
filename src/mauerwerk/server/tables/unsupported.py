"""A table whose rules this program does not have: what can be said of it without them.

It cannot be played on, and it is never read by other rules. While it goes on, nothing of its log is
told, since only the rules know what each seat may see. Once it is over, its moves can be read as
they are stored.
"""

from collections.abc import Sequence

from mauerwerk.core.game import Value
from mauerwerk.core.record import Move
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import Entry, Kind
from mauerwerk.server.tables.table import Card, Status


class UnsupportedTable(Value):
    """What is known of a table whose rules are missing."""

    charter: Charter
    card: Card
    moves: int
    """How many moves its log has, those that were taken back included."""

    here: int | None
    """The revision of the rules that this program has; None where it does not have the game."""

    ended: str
    """Why it was ended without a winner (`Ending`); empty if it was not."""

    text: str
    """The moves as they are stored, once it is over."""


def unsupported_table(
    charter: Charter, card: Card, log: Sequence[Entry], record: str | None, here: int | None
) -> UnsupportedTable:
    """What is known of a table, from what is stored."""
    over = card.status is Status.OVER
    return UnsupportedTable(
        charter=charter,
        card=card,
        moves=sum(entry.kind is Kind.MOVE for entry in log),
        here=here,
        ended=next((entry.word for entry in log if entry.kind is Kind.END), ""),
        text=(record or log_text(charter, log)) if over else "",
    )


def log_text(charter: Charter, log: Sequence[Entry]) -> str:
    """The moves of a log, one a line with its number, and which of them were taken back.

    It is no record: what else goes with a move that is taken back, only the rules know.
    """
    words = {"seats": str(len(charter.chairs)), **charter.options}
    head = [f"{charter.game}/{charter.rules}", *(f"{name}={word}" for name, word in words.items())]
    lines = [" ".join(head)]
    for entry in log:
        match entry.kind:
            case Kind.MOVE if entry.seat is not None:
                instead = "" if entry.number is None else f", instead of {entry.number}"
                lines.append(f"{Move(entry.seat, entry.word)}  # {entry.seq}{instead}")
            case Kind.UNDO:
                lines.append(f"# {entry.seq}: {entry.number} was taken back, and what followed")
            case _:
                pass
    return "".join(f"{line}\n" for line in lines)
