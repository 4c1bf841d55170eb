"""Burgbaumeister, the clause that explains each event."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.games.burgbaumeister.events import Ended, Fired, FireHeld, Inserted
from mauerwerk.games.burgbaumeister.values import Ending

_GAME_ENDS: Final[Mapping[Ending, str]] = {
    Ending.NINE: "BB-10",
    Ending.EMPTY: "BB-13",
    Ending.BLOCKED: "BB-11",
    Ending.STALL: "BB-12",
}


def clause(event: Value, /) -> str:
    """The clause that explains an event; empty where none is needed.

    >>> clause(Ended(Ending.NINE))
    'BB-10'
    """
    match event:
        case Inserted():
            return "BB-26"
        case Fired() | FireHeld():
            return "BB-24"
        case Ended(ending=ending):
            return _GAME_ENDS[ending]
        case _:
            return ""
