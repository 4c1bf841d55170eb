"""Where on its board something happened, and how that is told again in short."""

from typing import Any, NamedTuple

from mauerwerk.core.game import Seat, Value


class Touched(NamedTuple):
    """An event, and the ids of the elements of the board that it touched."""

    event: Any
    places: tuple[str, ...]


class AuditEntry(Value):
    """What one player did, in a sentence: a wall with all that was put beside it."""

    seat: Seat | None
    """Who did it; None where it was nobody, or everybody."""

    sentence: str
    places: tuple[str, ...] = ()
    """The ids of elements of the board, the most important first."""
