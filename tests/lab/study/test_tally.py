"""Tallies add up, in any order and any grouping."""

import msgspec
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount

from mauerwerk.lab.study.tally import Tally, add_up, tally_of, tally_of_table

COLUMNS = ("turns", "gap", "win/0")
PAIRS = (("gap", "turns"), ("win/0", "gap"))

calmly = settings(
    max_examples=amount(20, 50, 500),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
"""However busy the machine is."""

rows = st.lists(st.fixed_dictionaries({column: st.integers(0, 5) for column in COLUMNS}))


@calmly
@given(rows, st.randoms(use_true_random=False), st.integers(1, 4))
def test_batches_in_any_order_give_the_same(
    games: list[dict[str, int]], any_order: object, size: int
) -> None:
    """To the byte."""
    whole = tally_of(games, PAIRS)
    batches = [games[first : first + size] for first in range(0, len(games), size)]
    tallies = [tally_of(batch, PAIRS) for batch in batches]
    any_order.shuffle(tallies)  # type: ignore[attr-defined]
    assert msgspec.json.encode(add_up(tallies)) == msgspec.json.encode(whole)


@calmly
@given(rows)
def test_an_array_counts_as_rows_do(games: list[dict[str, int]]) -> None:
    """Compiled code hands over arrays; what they say is the same."""
    table = np.array([[game[column] for column in COLUMNS] for game in games], np.int16)
    assert tally_of_table(COLUMNS, table.reshape(len(games), 3), PAIRS) == tally_of(games, PAIRS)


@calmly
@given(rows)
def test_a_tally_is_its_own_json(games: list[dict[str, int]]) -> None:
    """Values and counts come back as whole numbers."""
    tally = tally_of(games, PAIRS)
    assert msgspec.json.decode(msgspec.json.encode(tally), type=Tally) == tally


def test_what_is_missing_is_nought() -> None:
    """So that rare things need no room."""
    assert tally_of([{"gap": 0}, {"turns": 2}], PAIRS) == Tally(2, {"turns": {2: 1}}, {})
