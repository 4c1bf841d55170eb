"""Mauerbauer, perft with fixed dice: the number of ways to make a given number of decisions.

Nature rolls the same each time and deals the first card of the pile, so that only what players
decide is counted. The first numbers can be had by hand, the later ones pin what the rules do today:
a change of the rules that changes them is a new revision.
"""

from collections import Counter

import pytest
from tests.games.mauerbauer.conftest import StartBoard, ring, without
from tests.support.amounts import amount

from mauerwerk.core.game import NATURE
from mauerwerk.games import mauerbauer as mb
from mauerwerk.games.mauerbauer.values import Deal, Roll, State, Supply

NINE = "wwwme/wwmm."
"""A board of nine fields, without coast."""


def settled(state: State, dice: str) -> State:
    """Let nature move, always alike, until a player is asked or it is over."""
    while mb.to_act(state) == (NATURE,):
        moves = mb.legal(state, NATURE)
        rolls = [move for move in moves if isinstance(move, Roll) and mb.write(move).endswith(dice)]
        deals = [move for move in moves if isinstance(move, Deal)]
        state = mb.apply(state, NATURE, (rolls or deals)[0]).state
    return state


def perft(state: State, dice: str, depth: int) -> list[int]:
    """The numbers of ways to decide 1, 2, ... times; equal states go on as one."""
    ways: Counter[State] = Counter({settled(state, dice): 1})
    counts: list[int] = []
    for _ in range(depth):
        moves = [
            (here, number, seat, mb.legal(here, seat))
            for here, number in ways.items()
            for seat in mb.to_act(here)
        ]
        counts.append(sum(number * len(legal) for _, number, _, legal in moves))
        if len(counts) < depth:  # the last move need not be made to be counted
            ways = Counter()
            for here, number, seat, legal in moves:
                for action in legal:
                    ways[settled(mb.apply(here, seat, action).state, dice)] += number
    return counts


@pytest.mark.rule("MB-11", "MB-21", "MB-22", "MB-25", "MB-28")
def test_the_first_turn_by_hand(start_board: StartBoard) -> None:
    """77 lines; either end for the white tower; 3 colours for the other; then the houses.

    58 lines have two sides for the red house, 19 have one and a choice of red or green; then the 58
    have one place for the green house, and after the 19 the next player builds, on 76 lines.
    """
    counts = perft(start_board().state, "rg", 5)

    first, ends, towers = 77, 77 * 2, 77 * 2 * 3
    houses = 6 * (58 * 2 + 19 * 2)
    assert counts == [first, ends, towers, houses, 6 * (58 * 2 * 1 + 19 * 2 * 76)]


@pytest.mark.parametrize(
    ("dice", "counts"),
    [
        ("yy", [18, 36, 108, 162, 1026, 3420, 7224]),
        ("??", [18, 36, 108, 810, 7290]),
    ],
)
def test_a_small_board(start_board: StartBoard, dice: str, counts: list[int]) -> None:
    """Nine fields from the start: one tower each turn or two, houses on one side or two."""
    table = start_board(board=NINE, hands="cities city-1; city-2 land-red")
    depth = min(len(counts), amount(6, 6, 7))

    assert perft(table.state, dice, depth) == counts[:depth]


def test_closing_joining_and_scoring(start_board: StartBoard) -> None:
    """A wall away from a city beside another, with three cards each."""
    table = start_board(
        walls=without(f"{ring('1b 1c', NINE)} {ring('1d', NINE)}", "b1-d1"),
        towers="Wa2 Wb1 Wc2 Gd1 Ge2",
        houses="r1b g1d",
        hands="city-1 city-3 cities; land-red land-walls city-towers",
        board=NINE,
    )

    counts = [13, 21, 66, 490, 2490, 6830, 33945][: amount(6, 6, 7)]
    assert perft(table.state, "r?", len(counts)) == counts


def test_the_end(start_board: StartBoard) -> None:
    """The last walls, and the last scoring with a city to choose."""
    table = start_board(
        walls=ring("1b", NINE),
        towers="Wa2 Wb1 Wc2 Gd1 Ge2",
        hands="city-1 cities; land-red city-towers; city-1",
        board=NINE,
        supply=Supply(2, (2, 2, 2), (4,) * 5, (3,) * 5),
    )

    counts = [15, 22, 68, 280, 980, 1744, 3096, 6920, 16496, 34800, 69344][: amount(8, 9, 11)]
    assert perft(table.state, "rg", len(counts)) == counts
