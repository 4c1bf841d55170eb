"""Burgbaumeister, perft: the number of ways to play a given number of moves from a position.

The first numbers can be counted by hand, the later ones pin what the rules do today: a change of
the rules that changes them is a new revision.
"""

from functools import cache

import pytest
from tests.support.amounts import amount
from tests.support.castle_table import CastleTable, start_castle

from mauerwerk.core.game import Setup
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.values import State


@cache
def perft(state: State, depth: int) -> int:
    """The number of sequences of this many moves."""
    if depth == 1:  # the last move need not be made to be counted
        return sum(len(bb.legal(state, seat)) for seat in bb.to_act(state))
    return sum(
        perft(bb.apply(state, seat, action).state, depth - 1)
        for seat in bb.to_act(state)
        for action in bb.legal(state, seat)
    )


@pytest.mark.parametrize("seats", bb.SEATS)
def test_from_the_start(seats: int) -> None:
    """45 places, 45 numbers, add or leave; then 44 places, or 45."""
    state = bb.start(Setup(seats, bb.Options()))

    assert [perft(state, depth) for depth in range(1, 5)] == [45, 2025, 4050, 2025 * (44 + 45)]


POSITIONS = [
    pytest.param(
        start_castle("4 9 | 8", remaining="6 12 20"),
        [3, 9, 15, 39, 69, 111, 243, 273, 423, 747, 777, 1191],
        id="three cards left",
    ),
    pytest.param(
        start_castle("4 17 30 | 5 7 | 6", remaining="8 13 29", spell=0, variant="yes"),
        [3, 9, 18, 51, 93, 186, 480, 633, 948, 2259, 2475, 3276],
        id="a spell, a cannon, a tower",
    ),
    pytest.param(
        start_castle("4 | 5 | 7 10 12 | 8 9", remaining="13 25 36", variant="yes"),
        [3, 9, 18, 72, 135, 270, 720, 1935, 2178, 3888, 10143, 14238],
        id="three cannons",
    ),
    pytest.param(
        start_castle(
            "2 4 6 8 9 12 14 | 3 5 7 11 15 16 17 18",
            remaining="10 13 20 21",
            spell=1,
            player=1,
            variant="yes",
        ),
        [4, 16, 32, 96, 160, 240, 880, 1456, 2912, 8088, 6640, 9432],
        id="near the end",
    ),
]


@pytest.mark.parametrize(("table", "counts"), POSITIONS)
def test_from_a_position(table: CastleTable, counts: list[int]) -> None:
    """Endings, spells and shots cut the tree where they should."""
    known = counts[: amount(9, None, None)]

    assert [perft(table.state, depth) for depth in range(1, len(known) + 1)] == known
