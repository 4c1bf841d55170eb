"""Counts of many games, in a form that can be added.

A `Tally` says for every column how many games had which value. Tallies of different games are added
in any order and any grouping; what comes out is the same. All numbers are whole.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mauerwerk.core.game import Value
from mauerwerk.lab.study.columns import Pair, Row

VERSION: Final = 2
"""Rises when old tallies can no longer be added to new ones."""


class Tally(Value):
    """Counts of many games."""

    games: int
    counts: dict[str, dict[int, int]]
    """The number of games by column and value. Games with 0 are left out."""
    products: dict[str, int]
    """For each pair of columns, named `above:below`, the sum of their products, game by game.

    The interval of a quotient of two sums needs them; those that are 0 are left out.
    """


def named(pair: Pair) -> str:
    """A pair's name.

    >>> named(("won/3", "held/3"))
    'won/3:held/3'
    """
    return ":".join(pair)


def tally_of(rows: Iterable[Row], pairs: Sequence[Pair]) -> Tally:
    """The tally of these games.

    >>> tally_of([{"gap": 3, "turns": 8}, {"gap": 0, "turns": 8}], [("gap", "turns")])
    Tally(games=2, counts={'gap': {3: 1}, 'turns': {8: 2}}, products={'gap:turns': 24})
    """
    games = 0
    counts: dict[str, Counter[int]] = {}
    products: Counter[str] = Counter()
    for row in rows:
        games += 1
        for column, value in row.items():
            if value:
                counts.setdefault(column, Counter())[value] += 1
        for pair in pairs:
            above, below = pair
            if product := row.get(above, 0) * row.get(below, 0):
                products[named(pair)] += product
    return _in_order(games, counts, products)


def tally_of_table(columns: Sequence[str], table: Any, pairs: Sequence[Pair]) -> Tally:  # noqa: ANN401 - an array
    """The tally of these games, from an array of integers with a row per game and these columns."""
    places = {column: place for place, column in enumerate(columns)}
    counts: dict[str, Counter[int]] = {}
    for column, place in places.items():
        values: list[int] = table[:, place].tolist()
        tallied = Counter(values)
        del tallied[0]
        if tallied:
            counts[column] = tallied
    products: Counter[str] = Counter()
    for pair in pairs:
        above, below = (table[:, places[column]].astype("int64") for column in pair)
        if product := int((above * below).sum()):
            products[named(pair)] = product
    return _in_order(len(table), counts, products)


def added(tallies: Iterable[Tally]) -> Tally:
    """The sum of these tallies.

    >>> one = tally_of([{"gap": 3}], [])
    >>> added([one, one]).counts
    {'gap': {3: 2}}
    """
    games = 0
    counts: dict[str, Counter[int]] = {}
    products: Counter[str] = Counter()
    for tally in tallies:
        games += tally.games
        for column, values in tally.counts.items():
            counts.setdefault(column, Counter()).update(values)
        products.update(tally.products)
    return _in_order(games, counts, products)


def _in_order(
    games: int, counts: Mapping[str, Mapping[int, int]], products: Mapping[str, int]
) -> Tally:
    """A tally in canonical order: tallies of the same games are equal to the byte."""
    return Tally(
        games=games,
        counts={column: dict(sorted(counts[column].items())) for column in sorted(counts)},
        products=dict(sorted(products.items())),
    )
