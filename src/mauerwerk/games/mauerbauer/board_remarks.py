"""Mauerbauer, what there is to say of a board that can be played: which cards it leaves idle."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeAlias

from mauerwerk.core.game import Value
from mauerwerk.games.mauerbauer.board import Board, Region
from mauerwerk.games.mauerbauer.guild import Card
from mauerwerk.games.mauerbauer.scoring import LAND
from mauerwerk.games.mauerbauer.values import FULL_SUPPLY

UNEVEN: Final = 2
"""A region with more than this many times the fields of another is worth a remark."""

_SIZES: Final = ((2, Card.CITY_2), (3, Card.CITY_3), (7, Card.CITY_7))
"""How many fields the cards for large cities ask for (MB-50)."""


class RegionMissing(Value):
    """Nobody will ever build a house in this region (MB-58)."""

    region: Region
    card: Card
    """It always scores 0."""


class NoCoast(Value):
    """No tower will ever stand by the water (MB-61)."""

    card: Card
    """It always scores 0."""


class NoRoom(Value):
    """No city can be so large (MB-50)."""

    fields: int
    card: Card
    """It always scores 0."""


class FewLines(Value):
    """The walls cannot run out: the game ends, at the latest, when every line has one (MB-13)."""

    lines: int
    walls: int


class Uneven(Value):
    """One region is much larger than another, and so is what its card can score (MB-58)."""

    small: Region
    large: Region


Remark: TypeAlias = RegionMissing | NoCoast | NoRoom | FewLines | Uneven


def remarks_on(board: Board) -> tuple[Remark, ...]:
    """What a designer might not have thought of, though the board can be played."""
    return tuple(_remarks(board))


def _remarks(board: Board) -> Iterator[Remark]:
    counts = Counter(board.regions.values())
    for region in Region:
        if not counts[region]:
            yield RegionMissing(region, LAND[region])
    small, large = (pick(counts, key=counts.__getitem__) for pick in (min, max))
    if counts[large] >= UNEVEN * counts[small]:
        yield Uneven(small, large)
    if not board.coast:
        yield NoCoast(Card.LAND_WATER)
    for fields, card in _SIZES:
        if len(board.fields) < fields:
            yield NoRoom(fields, card)
    if len(board.lines) < FULL_SUPPLY.walls:
        yield FewLines(len(board.lines), FULL_SUPPLY.walls)
