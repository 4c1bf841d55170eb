"""Mauerbauer, the guild cards: 30 kinds, two of each (MB-7). What they score is in `scoring`."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, Self, TypeAlias


class Card(Enum):
    """A kind of guild card; the value is its word."""

    _value_: str
    CITY_1 = "city-1", "Exactly 1 field", "1 field", "art-size-1"
    CITY_2 = "city-2", "Exactly 2 fields", "2 fields", "art-size-2"
    CITY_3 = "city-3", "Exactly 3 fields", "3 fields", "art-size-3"
    CITY_7 = "city-7", "7 fields or more", "7 fields", "art-size-7"
    CITY_COLOURS = "city-colours", "Colours of the city", "Colours", "art-colours"
    CITY_WHITE = "city-white", "White towers of the city", "White", "tower-white"
    CITY_GREY = "city-grey", "Grey towers of the city", "Grey", "tower-grey"
    CITY_BLACK = "city-black", "Black towers of the city", "Black", "tower-black"
    CITY_PALACES = "city-palaces", "Palaces of the city", "Palaces", "art-palaces"
    CITY_YELLOW = "city-yellow", "Yellow in the city", "Yellow", "art-city-yellow"
    CITY_GREEN = "city-green", "Green in the city", "Green", "art-city-green"
    CITY_BLUE = "city-blue", "Blue in the city", "Blue", "art-city-blue"
    CITY_PINK = "city-pink", "Pink in the city", "Pink", "art-city-pink"
    CITY_RED = "city-red", "Red in the city", "Red", "art-city-red"
    CITY_TOWERS = "city-towers", "Towers of the city", "Towers", "art-towers"
    LAND_YELLOW = "land-yellow", "Yellow houses", "Yellow", "house-yellow"
    LAND_GREEN = "land-green", "Green houses", "Green", "house-green"
    LAND_BLUE = "land-blue", "Blue houses", "Blue", "house-blue"
    LAND_PINK = "land-pink", "Pink houses", "Pink", "house-pink"
    LAND_RED = "land-red", "Red houses", "Red", "house-red"
    LAND_WEST = "land-west", "Houses in the West", "West", "arms-west"
    LAND_MIDDLE = "land-middle", "Houses in the Middle", "Middle", "arms-middle"
    LAND_EAST = "land-east", "Houses in the East", "East", "arms-east"
    LAND_TOWERS = "land-towers", "Towers", "Towers", "art-towers"
    LAND_WHITE = "land-white", "White towers", "White", "tower-white"
    LAND_GREY = "land-grey", "Grey towers", "Grey", "tower-grey"
    LAND_BLACK = "land-black", "Black towers", "Black", "tower-black"
    LAND_WATER = "land-water", "Towers by the water", "Water", "art-water"
    LAND_WALLS = "land-walls", "Walls", "Walls", "art-walls"
    CITIES = "cities", "Cities", "Cities", "art-cities"

    # Each member is one object, so that this is enough; Enum's own hash is eight times slower.
    __hash__ = object.__hash__

    title: str
    """What it says of itself, in two short lines at most."""
    short: str
    """The same in a word, where it is small; its picture says the rest."""
    art: str
    """The symbol of its picture."""

    def __new__(cls, word: str, title: str = "", short: str = "", art: str = "") -> Self:
        """Make each kind from its row above; later a word alone is enough to find it."""
        card = object.__new__(cls)
        card._value_, card.title, card.short, card.art = word, title, short, art
        return card


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
