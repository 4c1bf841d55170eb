"""Mauerbauer, the largest numbers that an observation can have."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import Setup
from mauerwerk.games.mauerbauer.board import Board, Region, board_of
from mauerwerk.games.mauerbauer.guild import DECK
from mauerwerk.games.mauerbauer.values import FULL_SUPPLY, Options
from mauerwerk.kernels.mauerbauer.records import (
    FOR_COLOURS,
    HAND_SIZE,
    HOUSE_COLOURS,
    KINDS,
    MOST_SEATS,
    PHASES,
    SEVEN_OR_MORE,
    TOWER_COLOURS,
)

FIXED: Final = frozenset({"early"})
"""The parts that are the same throughout a game."""

WALLS: Final = FULL_SUPPLY.walls
TOWERS: Final = FULL_SUPPLY.towers[0]
HOUSES: Final = FULL_SUPPLY.houses[0]
PALACES: Final = FULL_SUPPLY.palaces[0]
ALL_TOWERS: Final = sum(FULL_SUPPLY.towers)
ALL_HOUSES: Final = sum(FULL_SUPPLY.houses)
ALL_PALACES: Final = sum(FULL_SUPPLY.palaces)

MOST_TURNS: Final = ALL_HOUSES + 2 * ALL_PALACES
"""Each turn places a house (MB-25, MB-28), and only two for a palace come back (MB-34)."""


def of_seats(setup: Setup[Options], *tops: int) -> list[int]:
    """These numbers for each seat that plays, and zeros for the others."""
    return [*tops] * setup.seats + [0] * len(tops) * (MOST_SEATS - setup.seats)


def largest_hand(setup: Setup[Options]) -> int:
    """A discard wins a card with each city that is closed (MB-45), which closes another field."""
    return min(len(DECK), HAND_SIZE + len(board_of(setup.options.board).fields))


def tops(setup: Setup[Options], /) -> Mapping[str, int | Sequence[int]]:
    """The largest number in each part, or at each of its places.

    Two cards are played for each city that is closed, and two more in the end (MB-43, MB-72).
    """
    options, board, hand = setup.options, board_of(setup.options.board), largest_hand(setup)
    worth = _worth(board)
    ones = (
        *("die", "dice", "walls", "line", "towers", "closed", "cities", "city", "field", "ending"),
    )
    return {
        **dict.fromkeys(ones, 1),
        **dict.fromkeys(("waiting", "builder", "discarded", "swappers"), of_seats(setup, 1)),
        **dict.fromkeys(("counts", "owed"), of_seats(setup, hand)),
        "task": [int(options.first == "lot"), *([1] * (PHASES - 1))],
        "early": int(options.early),
        "hasty": int(options.early),
        "walls_left": WALLS,
        "towers_left": TOWERS,
        "houses_left": HOUSES,
        "palaces_left": PALACES,
        "totals": of_seats(setup, 2 * max(worth) * (len(board.fields) + 1)),
        "hand": 2,
        "worth": worth,
        "pile": len(DECK),
        "discard": 2,
        "laid": of_seats(setup, *([2] * KINDS)),
        "swapped": hand,
        "turns": MOST_TURNS,
        "houses": HOUSES,
        "palaces": PALACES,
    }


def _worth(board: Board) -> list[int]:
    """The most that each kind of card can score on this board, in their order (MB-50 to MB-64).

    A closed city has three walls at least, and a wall is that of two cities at most.
    """
    fields, points, walls = len(board.fields), len(board.points), min(WALLS, len(board.lines))
    sizes = ((1, 6), (2, 7), (3, 8), (SEVEN_OR_MORE, 9))
    towers, of_a_colour = min(ALL_TOWERS, points), min(TOWERS, points)
    regions = set(board.regions.values())
    return [
        *(score * (fields >= size) for size, score in sizes),
        FOR_COLOURS[-1],
        *([2 * of_a_colour] * TOWER_COLOURS),
        ALL_PALACES,
        *([3 * PALACES + HOUSES] * HOUSE_COLOURS),
        towers,
        *([HOUSES] * HOUSE_COLOURS),
        *(ALL_HOUSES * (region in regions) for region in Region),
        towers,
        *([2 * of_a_colour] * TOWER_COLOURS),
        2 * min(ALL_TOWERS, len(board.shore)),
        walls,
        min(fields, 2 * walls // 3),
    ]
