"""The errors that rules raise, and how they are explained to people."""

from collections.abc import Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final, Never

from mauerwerk.core.game import AnyGame, Seat, name_of, shown
from mauerwerk.core.language import ENGLISH, YOU, Language, message

CORE: Final = Path(__file__).parent
PACKAGE: Final = CORE.parent
"""The folder of this program."""
TURN: Final = "turn"
OVER: Final = "over"
GENERAL_CLAUSES: Final[Mapping[str, str]] = {
    TURN: message("it is not this player's turn"),
    OVER: message("the game is over"),
}
"""What no game allows, by words that stand in place of the number of a clause."""


class SetupError(ValueError):
    """A game cannot start like this: the message names the option and what is allowed."""

    def __init__(self, template: str, **values: str | int) -> None:
        """With values, the message is a template to translate; without, it stands as it is."""
        super().__init__(template.format_map(values) if values else template)
        self.template = template
        self.values = values

    def told(self, language: Language) -> str:
        """The message in a language, as far as it has words for it."""
        return language(self.template, **self.values)


class MoveError(ValueError):
    """A move that was not made. Nothing has changed."""


class NotAWordError(MoveError):
    """Not a word of this game's notation, so no move at all."""

    def __init__(self, word: str, expected: str) -> None:
        super().__init__(f"{shown(word)} is not a move: {expected}")
        self.word = word
        self.expected = expected

    def __reduce__(self) -> tuple[Any, ...]:
        """Make it possible to raise this in another process."""
        return type(self), (self.word, self.expected)


class IllegalMoveError(MoveError):
    """A move of this game that the rules forbid here; `clause` is the one that does."""

    def __init__(self, who: Seat, word: str, clause: str, because: str) -> None:
        super().__init__(
            f"{name_of(who)} may not play {shown(word)} here: {because}{cited(clause)}"
        )
        self.seat = who
        self.word = word
        self.clause = clause
        self.because = because

    def __reduce__(self) -> tuple[Any, ...]:
        """Make it possible to raise this in another process."""
        return type(self), (self.seat, self.word, self.clause, self.because)


class StaleMoveError(MoveError):
    """A move that came too late: the game is over, or has moved on since."""


def refusal(who: Seat, word: str, clause: str, because: str, *, over: bool) -> MoveError:
    """The error for a move that a clause forbids; once the game is over, any move is too late."""
    if over:
        return StaleMoveError(f"the game is over: {shown(word)} came too late")
    return IllegalMoveError(who, word, clause, because)


def not_an_action(given: Never) -> TypeError:
    """The error for what only code without types passes for an action, such as a word."""
    return TypeError(f"{given!r} is not an action; the game's `parse` reads words")


def cited(clause: str) -> str:
    """The number of a clause after its gist, ` (DM-9)`; empty for what no game allows."""
    return "" if clause in GENERAL_CLAUSES else f" ({clause})"


def clause(game: AnyGame, number: str, language: Language = ENGLISH) -> str:
    """The gist of a clause, such as `DM-9`."""
    return language(game.CLAUSES[number])


def explained(fault: MoveError, language: Language = ENGLISH, name: str = YOU) -> str:
    """What was wrong with a move; `name` is the player who wanted to make it.

    >>> fault = IllegalMoveError(Seat(0), "T", "DM-9", "tower and gate never stand side by side")
    >>> explained(fault)
    "you may not play 'T' here: tower and gate never stand side by side (DM-9)"
    """
    match fault:
        case IllegalMoveError():
            if fault.clause in GENERAL_CLAUSES:
                return language(
                    "{name} may not play {word} here: {why}",
                    name=name,
                    word=shown(fault.word),
                    why=language(fault.because),
                )
            return language(
                "{name} may not play {word} here: {why} ({clause})",
                name=name,
                word=shown(fault.word),
                why=language(fault.because),
                clause=fault.clause,
            )
        case NotAWordError():
            return language(
                "{word} is not a move: {expected}",
                word=shown(fault.word),
                expected=language(fault.expected),
            )
        case StaleMoveError():
            return language("that came too late: the game has moved on")
        case _:
            return str(fault)


def where(error: BaseException, beyond: Path) -> str:
    """The last line that led to an error beyond this folder, as ` (game.py, line 7, in move)`.

    It is for people who wrote that line; empty if there is none.
    """
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen ")
        and not Path(frame.filename).is_relative_to(beyond)
        and "importlib" not in Path(frame.filename).parts
    ]
    if not frames:
        return ""
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno}, in {frames[-1].name})"
