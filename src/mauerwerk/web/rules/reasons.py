"""Which clause to look up for something that happened, so that a story can lead into the rules."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.games.burgbaumeister import values as burgbaumeister
from mauerwerk.games.mauer import values as mauer
from mauerwerk.games.mauerbauer import events as mauerbauer
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.values import Ending


def clause_behind(event: Value) -> str:
    """The clause that says why; empty where nobody would ask.

    >>> clause_behind(mauer.NobodyBuilds("DM-12")), clause_behind(mauer.StonePassed(0))
    ('DM-12', '')
    """
    return _in_mauer(event) or _in_mauerbauer(event) or _in_burgbaumeister(event)


# --- Die Mauer -------------------------------------------------------------------------------

_ROUND_ENDS: Final[Mapping[mauer.Ending, str]] = {
    mauer.Ending.OUT: "DM-23",
    mauer.Ending.DEADLOCK: "DM-26",
    mauer.Ending.STALL: "DM-27",
}


def _in_mauer(event: Value) -> str:
    match event:
        case mauer.NobodyBuilds(clause=clause):
            return clause
        case mauer.Chosen():
            return "DM-18"
        case mauer.Given():
            return "DM-19"
        case mauer.RoundEnded(ending=ending):
            return _ROUND_ENDS[ending]
        case _:
            return ""


# --- Mauerbauer ------------------------------------------------------------------------------

_HAPPENED: Final[Mapping[type[Value], str]] = {
    mauerbauer.Reshuffled: "MB-46",
    mauerbauer.RolledEarly: "MB-14",
    mauerbauer.Closed: "MB-31",
    mauerbauer.PalacesBuilt: "MB-34",
    mauerbauer.Cleared: "MB-35",
    mauerbauer.Joined: "MB-40",
    mauerbauer.Discarded: "MB-43",
    mauerbauer.Swapped: "MB-47",
    mauerbauer.Chosen: "MB-72",
    mauerbauer.GameEnded: "MB-73",
}

_CARDS: Final[Mapping[str, str]] = {
    "MB-50": "city-1 city-2 city-3 city-7",
    "MB-51": "city-colours",
    "MB-52": "city-white city-grey city-black",
    "MB-53": "city-palaces",
    "MB-54": "city-yellow city-green city-blue city-pink city-red",
    "MB-55": "city-towers",
    "MB-57": "land-yellow land-green land-blue land-pink land-red",
    "MB-58": "land-west land-middle land-east",
    "MB-59": "land-towers",
    "MB-60": "land-white land-grey land-black",
    "MB-61": "land-water",
    "MB-62": "land-walls",
    "MB-64": "cities",
}
"""The guild cards that a clause speaks of."""

CLAUSE_OF: Final[Mapping[Card, str]] = {
    card: next(clause for clause, words in _CARDS.items() if card.value in words.split())
    for card in KINDS
}
"""The clause that says what a guild card scores."""


def _in_mauerbauer(event: Value) -> str:
    match event:
        case mauerbauer.Played(card=card):
            return CLAUSE_OF[card]
        case mauerbauer.EndDecided(ending=ending):
            return "MB-13" if ending is Ending.NO_LINE else "MB-70"
        case _:
            return _HAPPENED.get(type(event), "")


# --- Burgbaumeister --------------------------------------------------------------------------

_GAME_ENDS: Final[Mapping[burgbaumeister.Ending, str]] = {
    burgbaumeister.Ending.NINE: "BB-10",
    burgbaumeister.Ending.EMPTY: "BB-13",
    burgbaumeister.Ending.BLOCKED: "BB-11",
    burgbaumeister.Ending.STALL: "BB-12",
}


def _in_burgbaumeister(event: Value) -> str:
    match event:
        case burgbaumeister.Inserted():
            return "BB-26"
        case burgbaumeister.Fired() | burgbaumeister.FireHeld():
            return "BB-24"
        case burgbaumeister.Ended(ending=ending):
            return _GAME_ENDS[ending]
        case _:
            return ""
