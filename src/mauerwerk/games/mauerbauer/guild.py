"""Mauerbauer, the guild cards: 30 kinds, two of each (MB-7). What they score is in `scoring`."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias


class Card(Enum):
    """A kind of guild card; the value is its word."""

    CITY_1 = "city-1"
    CITY_2 = "city-2"
    CITY_3 = "city-3"
    CITY_7 = "city-7"
    CITY_COLOURS = "city-colours"
    CITY_WHITE = "city-white"
    CITY_GREY = "city-grey"
    CITY_BLACK = "city-black"
    CITY_PALACES = "city-palaces"
    CITY_YELLOW = "city-yellow"
    CITY_GREEN = "city-green"
    CITY_BLUE = "city-blue"
    CITY_PINK = "city-pink"
    CITY_RED = "city-red"
    CITY_TOWERS = "city-towers"
    LAND_YELLOW = "land-yellow"
    LAND_GREEN = "land-green"
    LAND_BLUE = "land-blue"
    LAND_PINK = "land-pink"
    LAND_RED = "land-red"
    LAND_WEST = "land-west"
    LAND_MIDDLE = "land-middle"
    LAND_EAST = "land-east"
    LAND_TOWERS = "land-towers"
    LAND_WHITE = "land-white"
    LAND_GREY = "land-grey"
    LAND_BLACK = "land-black"
    LAND_WATER = "land-water"
    LAND_WALLS = "land-walls"
    CITIES = "cities"

    # Each member is one object, so that this is enough; Enum's own hash is eight times slower.
    __hash__ = object.__hash__


KINDS: Final = tuple(Card)

Hand: TypeAlias = tuple[Card, ...]
"""Cards in canonical order; two of a kind stand side by side. Pile and discard pile are the same:
what nobody has seen has no order."""

COPIES: Final = 2
"""How many cards there are of each kind (MB-7)."""
DECK: Final[Hand] = tuple(card for card in KINDS for _ in range(COPIES))
"""All 60 cards (MB-7)."""

POINTS: Final[Mapping[str, int]] = {
    "city-1": 6,
    "city-2": 7,
    "city-3": 8,
    "city-7": 9,
    "city-colours-2": 4,
    "city-colours-4": 7,
    "city-white": 2,
    "city-grey": 2,
    "city-black": 2,
    "city-palaces": 1,
    **{
        f"city-{colour}-{building}": points
        for colour in ("yellow", "green", "blue", "pink", "red")
        for building, points in (("palace", 3), ("house", 1))
    },
    "city-towers": 1,
    "land-yellow": 1,
    "land-green": 1,
    "land-blue": 1,
    "land-pink": 1,
    "land-red": 1,
    "land-west": 1,
    "land-middle": 1,
    "land-east": 1,
    "land-towers": 1,
    "land-white": 2,
    "land-grey": 2,
    "land-black": 2,
    "land-water": 2,
    "land-walls": 1,
    "cities": 1,
}
"""What each card scores, or for each thing that it counts (MB-50 to MB-64).

Some cards have two numbers: for 2 or 3 colours and for 4 or 5, for a palace and for a house.
"""

TITLES: Final[Mapping[Card, str]] = {
    Card.CITY_1: "Exactly 1 field",
    Card.CITY_2: "Exactly 2 fields",
    Card.CITY_3: "Exactly 3 fields",
    Card.CITY_7: "7 fields or more",
    Card.CITY_COLOURS: "Colours of the city",
    Card.CITY_WHITE: "White towers of the city",
    Card.CITY_GREY: "Grey towers of the city",
    Card.CITY_BLACK: "Black towers of the city",
    Card.CITY_PALACES: "Palaces of the city",
    Card.CITY_YELLOW: "Yellow in the city",
    Card.CITY_GREEN: "Green in the city",
    Card.CITY_BLUE: "Blue in the city",
    Card.CITY_PINK: "Pink in the city",
    Card.CITY_RED: "Red in the city",
    Card.CITY_TOWERS: "Towers of the city",
    Card.LAND_YELLOW: "Yellow houses",
    Card.LAND_GREEN: "Green houses",
    Card.LAND_BLUE: "Blue houses",
    Card.LAND_PINK: "Pink houses",
    Card.LAND_RED: "Red houses",
    Card.LAND_WEST: "Houses in the West",
    Card.LAND_MIDDLE: "Houses in the Middle",
    Card.LAND_EAST: "Houses in the East",
    Card.LAND_TOWERS: "Towers",
    Card.LAND_WHITE: "White towers",
    Card.LAND_GREY: "Grey towers",
    Card.LAND_BLACK: "Black towers",
    Card.LAND_WATER: "Towers by the water",
    Card.LAND_WALLS: "Walls",
    Card.CITIES: "Cities",
}
"""What a card says of itself, in two short lines at most."""

SHORT: Final[Mapping[Card, str]] = {
    Card.CITY_1: "1 field",
    Card.CITY_2: "2 fields",
    Card.CITY_3: "3 fields",
    Card.CITY_7: "7 fields",
    Card.CITY_COLOURS: "Colours",
    Card.CITY_WHITE: "White",
    Card.CITY_GREY: "Grey",
    Card.CITY_BLACK: "Black",
    Card.CITY_PALACES: "Palaces",
    Card.CITY_YELLOW: "Yellow",
    Card.CITY_GREEN: "Green",
    Card.CITY_BLUE: "Blue",
    Card.CITY_PINK: "Pink",
    Card.CITY_RED: "Red",
    Card.CITY_TOWERS: "Towers",
    Card.LAND_YELLOW: "Yellow",
    Card.LAND_GREEN: "Green",
    Card.LAND_BLUE: "Blue",
    Card.LAND_PINK: "Pink",
    Card.LAND_RED: "Red",
    Card.LAND_WEST: "West",
    Card.LAND_MIDDLE: "Middle",
    Card.LAND_EAST: "East",
    Card.LAND_TOWERS: "Towers",
    Card.LAND_WHITE: "White",
    Card.LAND_GREY: "Grey",
    Card.LAND_BLACK: "Black",
    Card.LAND_WATER: "Water",
    Card.LAND_WALLS: "Walls",
    Card.CITIES: "Cities",
}
"""The same in a word, for a card that is small; its picture says the rest."""

_RANK: Final = {card: rank for rank, card in enumerate(KINDS)}


def in_order(*cards: Card) -> Hand:
    """These cards as a hand."""
    return tuple(sorted(cards, key=_RANK.__getitem__))


def with_card(hand: Hand, card: Card) -> Hand:
    """The hand with one card more."""
    return in_order(*hand, card)


def without_card(hand: Hand, card: Card) -> Hand:
    """The hand with one card less."""
    place = hand.index(card)
    return (*hand[:place], *hand[place + 1 :])
