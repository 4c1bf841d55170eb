"""The study room of a game that has none: nothing is counted or shown but what all games have."""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Outcome, Seat, Setup, Step
from mauerwerk.core.language.translation import Language
from mauerwerk.lab.study import figures, tally

CLAUSES: Final[tuple[str, ...]] = ()
MEANINGS: Final[Mapping[str, str]] = {}
ENDINGS: Final[Mapping[str, str]] = {}
ENDINGS_NOTE: Final = ""


class Count:
    """Counts nothing of its own."""

    def __init__(self, _setup: Setup[Any], /) -> None:
        """There is nothing to prepare."""

    def see(self, _before: object, _step: Step[Any, Any], /) -> None:
        """Moves are counted for all games alike."""

    def row(self, _over: object, _outcome: Outcome, /) -> tally.Row:
        """No columns."""
        return {}


def began(_state: object, seat: Seat, /) -> Seat:
    """The first to decide."""
    return seat


def columns(_setup: Setup[Any], /) -> tuple[str, ...]:
    """No columns."""
    return ()


def pairs(_setup: Setup[Any], /) -> tuple[tally.Pair, ...]:
    """No pairs."""
    return ()


def sections(_setup: Setup[Any], _language: Language, /) -> tuple[figures.Chapter, ...]:
    """No sections."""
    return ()
