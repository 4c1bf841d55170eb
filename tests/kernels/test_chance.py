"""Chance by number: the published answers, and exact shares."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from tests.support.compiled import functions

from mauerwerk.kernels import chance
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.play import stepping

FUNCTIONS = functions(compiler_for("mauer", "cpu"), chance)


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ((0, 0, 0), 0, 0x6627E8D5E169C58D),
        ((2**64 - 1, 2**32 - 1, 2**32 - 1), 2**64 - 1, 0x408F276D41C83B0E),
        (
            (0x85A308D3243F6A88, 0x13198A2E, 0x03707344),
            0x299F31D0A4093822,
            0xD16CFE0994FDCCEB,
        ),
    ],
)
def test_the_generator_is_philox(counter: tuple[int, int, int], key: int, answer: int) -> None:
    """The known answers of Random123 for Philox4x32-10."""
    game, draw, again = counter

    drawn = FUNCTIONS["philox"](np.uint64(key), np.uint64(game), draw, again)

    assert drawn == answer


def test_source_and_compiled_code_agree() -> None:
    """The same source, run by Python and by Numba, draws the same numbers."""
    for draw in range(200):
        given = (np.uint64(7), np.uint64(draw * 2**40), draw, draw + 1)
        assert chance.below(*given) == FUNCTIONS["below"](*given) < draw + 1


def test_bounds_are_kept_and_every_number_comes_up() -> None:
    """A bound just above a third of all words makes one ticket in three be drawn again."""
    below = FUNCTIONS["below"]
    bound = 2**32 // 3 * 2 + 1

    drawn = [below(np.uint64(1), 0, draw, bound) for draw in range(3_000)]

    assert 0 <= min(drawn) < bound // 100
    assert bound - bound // 100 < max(drawn) < bound
    assert Counter(below(np.uint64(1), 5, draw, 3) for draw in range(3_000)).keys() == {0, 1, 2}


@pytest.mark.parametrize("weights", [[1], [1, 1], [3, 1, 4], [2**40, 1, 2**41], [10**30, 10**30]])
def test_weights_of_any_size_get_their_shares(weights: list[int]) -> None:
    """Within five standard errors; the sums are as exact as Python's integers."""
    sums = chance.in_words([sum(weights[: place + 1]) for place in range(len(weights))])
    draws = 4_000

    drawn = Counter(FUNCTIONS["by_weight"](np.uint64(3), n, 0, sums) for n in range(draws))

    for place, weight in enumerate(weights):
        share = float(Fraction(weight, sum(weights)))
        error = (share * (1 - share) / draws) ** 0.5
        assert abs(drawn[place] / draws - share) <= 5 * error


def test_several_answer_in_the_order_of_their_seats() -> None:
    """The driver asks the first of those who are asked; nature is asked alone."""
    first_of = functions(compiler_for("mauer", "cpu"), stepping)["first_of"]

    assert [first_of(seats) for seats in (0b1, 0b110100, 1 << 8)] == [0, 2, -1]
