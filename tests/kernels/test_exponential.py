"""The exponential function of kernels."""

from decimal import Decimal, localcontext
from math import inf, isnan, nan, ulp
from random import Random

import pytest

from mauerwerk.kernels.exponential import exp


def test_it_is_rounded_almost_as_well_as_possible() -> None:
    draw = Random(1)
    numbers = [draw.uniform(-30, 2) for _ in range(1_000)]
    numbers += [draw.uniform(-708.39, 709.77) for _ in range(1_000)]
    with localcontext(prec=60):
        for x in numbers:
            exact = Decimal(x).exp()
            assert abs(Decimal(exp(x)) - exact) < Decimal("0.52") * Decimal(ulp(float(exact)))


@pytest.mark.parametrize(
    ("x", "result"),
    [
        (0.0, 1.0),
        (-0.0, 1.0),
        (5e-324, 1.0),
        (1.0, 2.718281828459045),
        (-708.3964185322641, 2.2250738585072626e-308),
        (-708.3965, 0.0),
        (-inf, 0.0),
        (709.78, inf),
        (inf, inf),
    ],
)
def test_the_ends(x: float, result: float) -> None:
    assert exp(x) == result


def test_what_is_no_number_stays_none() -> None:
    assert isnan(exp(nan))
