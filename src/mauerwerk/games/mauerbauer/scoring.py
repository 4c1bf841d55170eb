"""Mauerbauer, what a guild card scores, kind by kind (MB-50 to MB-64)."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from mauerwerk.games.mauerbauer.board import Region, board_of
from mauerwerk.games.mauerbauer.cities import outside_towers, outside_walls, towers_of
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.values import City, Colour, Options, Table, Tower, points_of

CityScore: TypeAlias = Callable[[Table, City], int]
CountryScore: TypeAlias = Callable[[Table], int]


def value(card: Card, table: Table, city: City | None) -> int:
    """What a card scores now: city cards for this city, and nothing with none (MB-72)."""
    if card in _CITY:
        return 0 if city is None else _CITY[card](table, city)
    return points_of(table.options)[card.value] * _COUNTRY[card](table)


def is_city_card(card: Card) -> bool:
    """Whether a card looks at one city only."""
    return card in _CITY


# --- City cards ------------------------------------------------------------------------------


def exactly(fields: int) -> CityScore:
    """6, 7 or 8 points for a city of exactly 1, 2 or 3 fields (MB-50)."""
    return lambda table, city: (
        points_of(table.options)[f"city-{fields}"] if len(city.fields) == fields else 0
    )


def seven_or_more(table: Table, city: City) -> int:
    """9 points for a city of 7 fields or more (MB-50)."""
    return points_of(table.options)["city-7"] if len(city.fields) >= 7 else 0  # noqa: PLR2004 - the card says 7


def colours(table: Table, city: City) -> int:
    """4 points for 2 or 3 colours of houses and palaces, 7 for 4 or 5 (MB-51)."""
    each = points_of(table.options)
    few, many = each["city-colours-2"], each["city-colours-4"]
    return (0, 0, few, few, many, many)[len({*city.houses, *city.palaces})]


def city_towers_in(tower: Tower) -> CityScore:
    """2 points for each tower of this colour (MB-52)."""
    name = f"city-{tower.name.lower()}"
    return lambda table, city: points_of(table.options)[name] * towers_of(table, city).count(tower)


def palaces(table: Table, city: City) -> int:
    """1 point for each palace (MB-53)."""
    return points_of(table.options)["city-palaces"] * len(city.palaces)


def city_colour(colour: Colour) -> CityScore:
    """3 points for each palace and 1 for each house of this colour (MB-54)."""
    name = f"city-{colour.name.lower()}"

    def score(table: Table, city: City) -> int:
        each = points_of(table.options)
        return each[f"{name}-palace"] * city.palaces.count(colour) + each[
            f"{name}-house"
        ] * city.houses.count(colour)

    return score


def city_towers(table: Table, city: City) -> int:
    """1 point for each tower (MB-55)."""
    return points_of(table.options)["city-towers"] * len(towers_of(table, city))


# --- Country cards: how often they score, outside all closed cities --------------------------


def houses_in(colour: Colour) -> CountryScore:
    """Each house of this colour, 1 point (MB-57)."""
    return lambda table: sum(each is colour for _, each in table.houses)


def houses_of(region: Region) -> CountryScore:
    """Each house in this region, 1 point (MB-58)."""

    def count(table: Table) -> int:
        regions = board_of(table.options.board).regions
        return sum(regions[field] is region for field, _ in table.houses)

    return count


def towers(table: Table) -> int:
    """Each tower, 1 point (MB-59)."""
    return len(outside_towers(table))


def towers_in(tower: Tower) -> CountryScore:
    """Each tower of this colour, 2 points (MB-60)."""
    return lambda table: sum(each is tower for _, each in outside_towers(table))


def towers_by_the_water(table: Table) -> int:
    """Each tower on a coastal tower space, 2 points (MB-61)."""
    shore = board_of(table.options.board).shore
    return sum(point in shore for point, _ in outside_towers(table))


def walls(table: Table) -> int:
    """Each wall, 1 point (MB-62)."""
    return len(outside_walls(table))


def cities(table: Table) -> int:
    """Each closed city on the board, 1 point (MB-64)."""
    return len(table.cities)


# --- All kinds, by the clause that says what they score -------------------------------------------

Piece: TypeAlias = Tower | Colour
CITY: Final[Mapping[Piece, Card]] = {each: Card[f"CITY_{each.name}"] for each in (*Tower, *Colour)}
"""The city card of each kind of tower and house."""
LAND: Final[Mapping[Piece | Region, Card]] = {
    each: Card[f"LAND_{each.name}"] for each in (*Tower, *Colour, *Region)
}
"""The country card of each kind of tower and house, and of each region."""

_CITY_CARDS: Final[Mapping[str, Mapping[Card, CityScore]]] = {
    "MB-50": {
        Card.CITY_1: exactly(1),
        Card.CITY_2: exactly(2),
        Card.CITY_3: exactly(3),
        Card.CITY_7: seven_or_more,
    },
    "MB-51": {Card.CITY_COLOURS: colours},
    "MB-52": {CITY[tower]: city_towers_in(tower) for tower in Tower},
    "MB-53": {Card.CITY_PALACES: palaces},
    "MB-54": {CITY[colour]: city_colour(colour) for colour in Colour},
    "MB-55": {Card.CITY_TOWERS: city_towers},
}
_COUNTRY_CARDS: Final[Mapping[str, Mapping[Card, CountryScore]]] = {
    "MB-57": {LAND[colour]: houses_in(colour) for colour in Colour},
    "MB-58": {LAND[region]: houses_of(region) for region in Region},
    "MB-59": {Card.LAND_TOWERS: towers},
    "MB-60": {LAND[tower]: towers_in(tower) for tower in Tower},
    "MB-61": {Card.LAND_WATER: towers_by_the_water},
    "MB-62": {Card.LAND_WALLS: walls},
    "MB-64": {Card.CITIES: cities},
}
_CITY: Final = {card: score for cards in _CITY_CARDS.values() for card, score in cards.items()}
_COUNTRY: Final = {
    card: score for cards in _COUNTRY_CARDS.values() for card, score in cards.items()
}

CLAUSE_OF: Final[Mapping[Card, str]] = {
    card: clause
    for clause, cards in (*_CITY_CARDS.items(), *_COUNTRY_CARDS.items())
    for card in cards
}
"""The clause that says what a guild card scores."""
CARD_CLAUSES: Final = (*_CITY_CARDS, *_COUNTRY_CARDS)
"""The clauses that speak of guild cards, in order."""


def paid(card: Card, options: Options) -> tuple[int, ...]:
    """What a card scores at this table, in all or for each thing that it counts.

    Two numbers for the colours of a city, 2 or 3 and 4 or 5 of them, and for one colour there, a
    palace and a house.
    """
    each = points_of(options)
    return tuple(points for name, points in each.items() if f"{name}-".startswith(f"{card.value}-"))


def in_all(card: Card) -> bool:
    """Whether a card scores its number once, not for each thing that it counts."""
    return CLAUSE_OF[card] in {"MB-50", "MB-51"}
