"""Burgbaumeister, the largest numbers that an observation can have."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from mauerwerk.core.game import Setup
from mauerwerk.games.burgbaumeister.cards import EXTRA, shown
from mauerwerk.games.burgbaumeister.values import (
    CARDS,
    FULL_WALL,
    LAYOUTS,
    MOST_IDLE_TURNS,
    Options,
    Picture,
)
from mauerwerk.kernels.burgbaumeister.records import MOST_SEATS, MOST_SHOTS, picture_codes

FIXED: Final = frozenset({"variant", "pictures", "aid"})
"""The parts that are the same throughout a game."""


def of_seats(setup: Setup[Options], *tops: int) -> list[int]:
    """These numbers for each seat that plays, and zeros for the others."""
    return [*tops] * setup.seats + [0] * len(tops) * (MOST_SEATS - setup.seats)


def tops(setup: Setup[Options], /) -> Mapping[str, int | Sequence[int]]:
    """The largest number in each part, or at each of its places.

    A card goes into a wall at least once in 90 turns, or the game is over (BB-12). When it ends,
    one wall has nine cards at most and the others have eight (BB-10), and others may have been
    destroyed (BB-24). So the depot is never empty (BB-13).
    """
    options, variant = setup.options, int(setup.options.variant)
    built = (FULL_WALL - 1) * setup.seats + 1 + MOST_SHOTS * variant
    return {
        "task": [int(options.first == "lot"), int(options.depot == "chaotic"), 1, 1, 1, variant, 1],
        "waiting": of_seats(setup, 1),
        "player": of_seats(setup, 1),
        "variant": variant,
        "pictures": picture_codes(setup),
        "layout": len(LAYOUTS) * (options.depot == "chaotic"),
        "depot": 1,
        "turned": 1,
        "number": 1,
        "walls": of_seats(setup, *([1] * len(CARDS))),
        "safe": of_seats(setup, FULL_WALL * variant),
        "points": of_seats(setup, _most_points(options)),
        "spell": of_seats(setup, variant),
        "idle": MOST_IDLE_TURNS,
        "turns": MOST_IDLE_TURNS * built,
        "aid": int(options.memory_aid),
        "seen": CARDS[-1] * options.memory_aid,
        "ending": [1, 0, 1, 1],
    }


def _most_points(options: Options) -> int:
    """What the best nine cards are worth (BB-20 to BB-23)."""
    pictures = list(shown(options).values())
    couples = (Picture.KNIGHT, Picture.DAMSEL)
    others = sorted((EXTRA.get(each, 0) for each in pictures if each not in couples), reverse=True)
    numbers = (range(pictures.count(each) + 1) for each in couples)
    return FULL_WALL + max(
        knights + damsels + min(knights, damsels) + sum(others[: FULL_WALL - knights - damsels])
        for knights, damsels in product(*numbers)
    )
