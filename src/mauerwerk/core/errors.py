"""Why a move was not made, as a sentence for the player."""

from mauerwerk.core.game import AnyGame, IllegalMoveError, MoveError, NotAWordError, StaleMoveError
from mauerwerk.core.game import shown as quoted
from mauerwerk.core.language.translation import ENGLISH, YOU, Language


def clause(game: AnyGame, number: str, language: Language = ENGLISH) -> str:
    """The gist of a clause, such as `DM-9`."""
    return language(game.CLAUSES[number])


def explained(fault: MoveError, language: Language = ENGLISH, name: str = YOU) -> str:
    """What was wrong with a move; `name` is the player who wanted to make it.

    >>> from mauerwerk.core.game import Seat
    >>> fault = IllegalMoveError(Seat(0), "T", "DM-9", "tower and gate never stand side by side")
    >>> explained(fault)
    "you may not play 'T' here: tower and gate never stand side by side (DM-9)"
    """
    match fault:
        case IllegalMoveError():
            return language(
                "{name} may not play {word} here: {why} ({clause})",
                name=name,
                word=quoted(fault.word),
                why=language(fault.because),
                clause=fault.clause,
            )
        case NotAWordError():
            return language(
                "{word} is not a move: {expected}",
                word=quoted(fault.word),
                expected=language(fault.expected),
            )
        case StaleMoveError():
            return language("that came too late: the game has moved on")
        case _:
            return str(fault)
