"""Mauerbauer in records: what lies where, the numbers by which it is called, and sets of them.

Lines, points and fields are numbered as on their board. A set of them is words of 64 bits, a bit
each; the last bit of a word is its sign, which does no harm to sets. A hand, the pile and the
discard pile are one word, a bit for each card of `DECK`; of two alike the first bit is used first.

Houses are counted in digits of four bits, a colour each. What stands in a closed city is kept at
its first field, by which it is named, with the palaces above the houses in digits of two bits.
"""

from typing import Final

import numpy as np

from mauerwerk.games.mauerbauer import values
from mauerwerk.games.mauerbauer.board import Region
from mauerwerk.games.mauerbauer.guild import DECK
from mauerwerk.games.mauerbauer.guild import KINDS as CARDS
from mauerwerk.games.mauerbauer.values import COLOURS, FACES, TOWERS, Ending
from mauerwerk.kernels.bits import size
from mauerwerk.kernels.contract import Array, Int, compile_all

compile_all(__name__)

MOST_SEATS: Final = 4
MOST_LINES: Final = 192
MOST_POINTS: Final = 96
MOST_FIELDS: Final = 96
"""The largest board there is room for, such as a strip of 94 fields or 9 rows of 10."""

WORD: Final = 64
LINE_WORDS: Final = MOST_LINES // WORD
POINT_WORDS: Final = -(-MOST_POINTS // WORD)
FIELD_WORDS: Final = -(-MOST_FIELDS // WORD)

REGIONS: Final = len(Region)

NONE: Final = -1
"""No line, field, city, seat, ending; for a side: beyond the edge; for a roll: no tower die."""

SETUP: Final = np.dtype(
    [
        ("all_lines", "i8", (LINE_WORDS,)),
        ("shore", "i8", (POINT_WORDS,)),  # the coastal points
        ("seats", "i8"),
        ("first", "i8"),  # -1 where the lot decides
        ("early", "i8"),
        ("deck", "i8"),  # all guild cards
        ("hand", "i8"),  # how many of them each seat is dealt
        ("walls", "i8"),  # the supply; of towers, houses and palaces, of each colour
        ("towers", "i8"),
        ("houses", "i8"),
        ("palaces", "i8"),
        ("tower_colours", "i8"),
        ("colours", "i8"),  # of houses
        ("lines", "i8"),  # how many the board has
        ("points", "i8"),
        ("fields", "i8"),
        ("roll_early", "i8"),  # where the numbers of each kind of action begin; Build is at 0
        ("place_tower", "i8"),
        ("place_house", "i8"),
        ("join", "i8"),
        ("play", "i8"),
        ("discard", "i8"),
        ("swap", "i8"),
        ("done", "i8"),
        ("choose", "i8"),
        ("appoint", "i8"),
        ("deal", "i8"),
        ("roll", "i8"),
        ("roll_houses", "i8"),
        ("ends", "i2", (2 * MOST_LINES,)),  # of each line, in the order of points
        ("sides", "i2", (2 * MOST_LINES,)),  # of each line, in the order of fields
        ("around", "i2", (3 * MOST_FIELDS,)),  # the lines of each field
        ("beyond", "i2", (3 * MOST_FIELDS,)),  # the field beyond each of these lines
        ("regions", "i2", (MOST_FIELDS,)),
        ("worth", "i2", (len(CARDS) + 1 + len(COLOURS),)),  # what cards score, see `WORTH`
    ],
    align=True,
)

STATE: Final = np.dtype(
    [
        ("walls", "i8", (LINE_WORDS,)),
        ("free", "i8", (LINE_WORDS,)),  # lines on which a wall may be built
        ("rings", "i8", (LINE_WORDS,)),  # walls of closed cities
        ("ring_points", "i8", (POINT_WORDS,)),  # the ends of these
        ("towers", "i8", (len(TOWERS) * POINT_WORDS,)),  # a set of points for each colour
        ("names", "i8", (FIELD_WORDS,)),  # the first fields of closed cities
        ("closed", "i8", (FIELD_WORDS,)),  # all fields of closed cities
        ("housed", "i8", (FIELD_WORDS,)),  # the fields at which `houses` has anything
        ("hands", "i8", (MOST_SEATS,)),
        ("pile", "i8"),
        ("discard", "i8"),
        ("city_points", "i8", (POINT_WORDS,)),  # the ends of the walls of `city`
        ("houses", "i4", (MOST_FIELDS,)),
        ("land", "i4"),  # the houses outside all closed cities
        ("points", "i2", (MOST_SEATS,)),
        ("turns", "i2"),
        ("line", "i2"),  # the wall being built
        ("last_line", "i2"),  # the last wall that was
        ("last_seat", "i1"),
        ("phase", "i1"),
        ("builder", "i1"),
        ("waiting", "i1"),  # one bit per seat: who has to play cards, or may swap some
        ("fixed", "i1"),  # whether those who may swap are fixed (MB-47)
        ("swapped", "i1"),
        ("hasty", "i1"),
        ("ending", "i1"),
        ("die", "i1"),  # the tower die
        ("dice", "i1", (2,)),  # the house dice
        ("field", "i1"),  # where the second house goes
        ("city", "i1"),  # the city that is joined or scored
        ("city_size", "i1"),  # how many fields it has
        ("in_region", "i1", (REGIONS,)),  # how many of the houses outside are in each region
        ("walls_left", "i1"),  # the supply
        ("towers_left", "i1", (len(TOWERS),)),
        ("houses_left", "i1", (len(COLOURS),)),
        ("palaces_left", "i1", (len(COLOURS),)),
        ("owed", "i1", (MOST_SEATS,)),  # how many cards each seat is about to draw
        ("laid", "i1", (2 * MOST_SEATS,)),  # up to two cards before each seat, counted from 1
        ("discarded", "i1"),  # one bit per seat: whether these were discarded
        ("city_of", "i1", (MOST_FIELDS,)),  # the name of the closed city, plus 1; 0: open
        ("walls_at", "i1", (MOST_POINTS,)),  # how many walls end at a point
        ("reached", "i1", (MOST_FIELDS,)),  # room to look for a city in; afterwards all 0
    ],
    align=True,
)

APPOINTING, ROLLING, DEALING, DRAWING = range(4)
"""The phases in which nature is to act,"""
BUILDING, ROLLED_TOWER, FREE_TOWER, FIRST_HOUSE, SECOND_HOUSE, EDGE_HOUSE, JOINING = range(4, 11)
"""those in which the player whose turn it is must act,"""
SCORING, ADDING, CHOOSING, FINISHING, SWAPPING = range(11, 16)
"""those in which the first of those waiting must act,"""
OVER: Final = 16
"""and the last one."""
PHASES: Final[tuple[type[values.State], ...]] = (
    values.Appointing,
    values.Rolling,
    values.Dealing,
    values.Drawing,
    values.Building,
    values.PlacingRolledTower,
    values.PlacingFreeTower,
    values.PlacingFirstHouse,
    values.PlacingSecondHouse,
    values.PlacingEdgeHouse,
    values.Joining,
    values.Scoring,
    values.Adding,
    values.Choosing,
    values.Finishing,
    values.Swapping,
    values.Over,
)
"""All of them, in this order."""

REASONS: Final = tuple(ending.value for ending in Ending)
NO_WALL, NO_TOWER, NO_HOUSE, NO_PALACE, NO_LINE = range(5)
"""The endings."""

TOWER_COLOURS: Final = len(TOWERS)
HOUSE_COLOURS: Final = len(COLOURS)
ANY: Final = len(FACES) - 1
"""The face `?` of a house die."""
ROLLS: Final = len(FACES) ** 2
"""How many rolls of the house dice there are, told apart."""

DIGIT: Final = 4
"""How many bits a digit of houses has."""
DIGITS: Final = (1 << DIGIT) - 1
PALACES: Final = DIGIT * HOUSE_COLOURS
"""Where the digits of palaces begin."""
PALACE_DIGIT: Final = 2
PALACE_DIGITS: Final = (1 << PALACE_DIGIT) - 1

KINDS: Final = len(CARDS)
ONE_OF_EACH: Final = ((1 << len(DECK)) - 1) // 3
"""The first bits of all kinds of card."""
HELD: Final = tuple(0b11 << 2 * kind for kind in range(KINDS))
"""The bits of each kind of card in a hand: the deck has two of each."""

CITY_SIZE, CITY_COLOURS, CITY_TOWER, CITY_PALACES, CITY_COLOUR, CITY_TOWERS = 0, 4, 5, 8, 9, 14
LAND_COLOUR, LAND_REGION, LAND_TOWERS, LAND_TOWER = 15, 20, 23, 24
LAND_WATER, LAND_WALLS, CITIES = 27, 28, 29
"""Where the kinds of card begin that score alike."""
SEVEN_OR_MORE: Final = 7
FOUR_OR_MORE: Final = 4
MANY_COLOURS: Final = KINDS
HOUSE_WORTH: Final = KINDS + 1
"""Where `worth` has the second numbers: for 4 or 5 colours, and for a house of each colour."""
WORTH: Final = (
    *("city-1", "city-2", "city-3", "city-7", "city-colours-2"),
    *("city-white", "city-grey", "city-black", "city-palaces"),
    *(f"city-{colour.name.lower()}-palace" for colour in COLOURS),
    *(card.value for card in CARDS[CITY_TOWERS:]),
    "city-colours-4",
    *(f"city-{colour.name.lower()}-house" for colour in COLOURS),
)
"""The names of what cards score, as `worth` has them: first one number for each kind."""
MOST_HOUSES: Final = DIGITS
MOST_PALACES: Final = PALACE_DIGITS
MOST_COPIES: Final = 2
MOST_SCORED: Final = (1 << 15) - 1
"""What the records have room for: pieces of a colour, cards of a kind, points of a seat."""


# --- Sets of one word ------------------------------------------------------------------------


def nth(word: Int, number: Int) -> Int:
    """The place of the set bit after this many others, by halving the word."""
    place = 0
    width = 32
    while width:
        below = size(word & (1 << width) - 1)
        if number >= below:
            number -= below
            word >>= width
            place += width
        width >>= 1
    return place


# --- Sets of several words -------------------------------------------------------------------


def clear(words: Array) -> None:
    """Make it empty; other numbers become 0 as well."""
    for word in range(words.shape[0]):
        words[word] = 0


def has(words: Array, place: Int) -> bool:
    """Whether this is in the set."""
    return bool(words[place >> 6] >> (place & 63) & 1)


def put(words: Array, place: Int) -> None:
    """Put this into the set."""
    words[place >> 6] |= 1 << (place & 63)


def drop(words: Array, place: Int) -> None:
    """Take this out of the set."""
    words[place >> 6] &= ~(1 << (place & 63))


def size_of(words: Array) -> Int:
    """The size of the set."""
    number = 0
    for word in range(words.shape[0]):
        number += size(words[word])
    return number


def nth_of(words: Array, number: Int) -> Int:
    """The member of the set after this many others."""
    word = 0
    held = size(words[0])
    while number >= held:
        number -= held
        word += 1
        held = size(words[word])
    return (word << 6) + nth(words[word], number)


# --- The supply ------------------------------------------------------------------------------


def total(numbers: Array) -> Int:
    """How many there are of all colours, or of all seats."""
    number = 0
    for each in range(numbers.shape[0]):
        number += numbers[each]
    return number


def colours_left(numbers: Array) -> Int:
    """The colours of which there are any, a bit each."""
    colours = 0
    for colour in range(numbers.shape[0]):
        if numbers[colour]:
            colours |= 1 << colour
    return colours


# --- Sets of cards ---------------------------------------------------------------------------


def kind_at(cards: Int, number: Int) -> Int:
    """The kind of the card after this many others; cards of a kind are adjacent."""
    return nth(cards, number) >> 1


def number_of(cards: Int, kind: Int) -> Int:
    """How many there are of a kind."""
    bits = cards >> 2 * kind
    return (bits & 1) + (bits >> 1 & 1)


def with_card(cards: Int, kind: Int) -> Int:
    """These cards and one more."""
    return cards | 1 << 2 * kind + (cards >> 2 * kind & 1)


def without_card(cards: Int, kind: Int) -> Int:
    """These cards without one."""
    return cards & ~(1 << 2 * kind + (cards >> 2 * kind + 1 & 1))
