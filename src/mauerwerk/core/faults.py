"""Why a move was not made, as a sentence for whoever made it."""

from mauerwerk.core.game import AnyGame, IllegalMoveError, MoveError, NotAWordError, StaleMoveError
from mauerwerk.core.game import shown as quoted
from mauerwerk.core.tongue import ENGLISH, YOU, Tongue


def clause(game: AnyGame, number: str, tongue: Tongue = ENGLISH) -> str:
    """The gist of a clause, such as `DM-9`."""
    return tongue(game.CLAUSES[number])


def explained(fault: MoveError, tongue: Tongue = ENGLISH, name: str = YOU) -> str:
    """What was wrong with a move; `name` is whoever wanted to make it.

    >>> from mauerwerk.core.game import Seat
    >>> fault = IllegalMoveError(Seat(0), "T", "DM-9", "tower and gate never stand side by side")
    >>> explained(fault)
    "you may not play 'T' here: tower and gate never stand side by side (DM-9)"
    """
    match fault:
        case IllegalMoveError():
            return tongue(
                "{name} may not play {word} here: {why} ({clause})",
                name=name,
                word=quoted(fault.word),
                why=tongue(fault.because),
                clause=fault.clause,
            )
        case NotAWordError():
            return tongue(
                "{word} is not a move: {expected}",
                word=quoted(fault.word),
                expected=tongue(fault.expected),
            )
        case StaleMoveError():
            return tongue("that came too late: the game has moved on")
        case _:
            return str(fault)
