"""Die Mauer, the clause that explains each event."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.games.mauer.events import Chosen, Given, NobodyBuilds, RoundEnded
from mauerwerk.games.mauer.values import Ending

_ROUND_ENDS: Final[Mapping[Ending, str]] = {
    Ending.OUT: "DM-23",
    Ending.DEADLOCK: "DM-26",
    Ending.STALL: "DM-27",
}


def clause(event: Value, /) -> str:
    """The clause that explains an event; empty where none is needed.

    >>> clause(NobodyBuilds("DM-12"))
    'DM-12'
    """
    match event:
        case NobodyBuilds(clause=number):
            return number
        case Chosen():
            return "DM-18"
        case Given():
            return "DM-19"
        case RoundEnded(ending=ending):
            return _ROUND_ENDS[ending]
        case _:
            return ""
