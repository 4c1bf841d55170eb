"""Mauerbauer, the clause that explains each event."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.games.mauerbauer import events, guild, values

_HAPPENED: Final[Mapping[type[Value], str]] = {
    events.Reshuffled: "MB-46",
    events.RolledEarly: "MB-14",
    events.Closed: "MB-31",
    events.PalacesBuilt: "MB-34",
    events.Cleared: "MB-35",
    events.Joined: "MB-40",
    events.Discarded: "MB-43",
    events.Swapped: "MB-47",
    events.Chosen: "MB-72",
    events.GameEnded: "MB-73",
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

CLAUSE_OF: Final[Mapping[guild.Card, str]] = {
    card: next(number for number, words in _CARDS.items() if card.value in words.split())
    for card in guild.KINDS
}
"""The clause that says what a guild card scores."""

CARD_CLAUSES: Final = tuple(_CARDS)
"""The clauses that speak of guild cards, in order."""


def clause(event: Value, /) -> str:
    """The clause that explains an event; empty where none is needed.

    >>> clause(events.Played(0, guild.Card.CITIES, 4))
    'MB-64'
    """
    match event:
        case events.Played(card=card):
            return CLAUSE_OF[card]
        case events.EndDecided(ending=ending):
            return "MB-13" if ending is values.Ending.NO_LINE else "MB-70"
        case _:
            return _HAPPENED.get(type(event), "")
