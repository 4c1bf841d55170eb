"""Two rules compared game by game: differences with intervals of paired games.

The games of both rules have the same numbers and the same chance, so a game is the same under both
until a rule makes a difference. Then the difference of a figure varies far less than the figure
itself. Apart from both tallies, its interval needs the products of what was counted in each game.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

from mauerwerk.core.game import Value
from mauerwerk.lab.intervals import Estimate, around, mean_from_sums, student
from mauerwerk.lab.study.figures import Figure, Mean, Part, Quotient, Rate, Within, residue, sums
from mauerwerk.lab.study.tally import Pair, Row, Tally, pair_name


class Shared(Value):
    """What is multiplied, game by game: what both rules count."""

    columns: tuple[str, ...]
    pairs: tuple[Pair, ...]
    limits: tuple[tuple[str, int], ...]
    """Columns and the most that they may be, for shares of games."""


class Contrast(Value):
    """Games of two rules, game by game."""

    games: int
    same: int
    """How many of them are the same under both rules, in everything that is counted."""
    products: dict[str, int]
    """Sums over all games; those that are 0 are left out.

    `turns` is the product of that column under both rules. `idle:turns` is the first column under
    the first rule times the second under the second. `gap<=3` counts games in which the column is
    at most this under both.
    """


def contrast_of(games: Iterable[tuple[Row, Row]], shared: Shared) -> Contrast:
    """The contrast of these games, each by the first rule and by the second.

    >>> shared = Shared(("gap", "turns"), (("gap", "turns"),), (("gap", 2),))
    >>> contrast_of([({"gap": 3, "turns": 8}, {"gap": 2, "turns": 8})], shared).products
    {'gap': 6, 'gap:turns': 24, 'turns': 64, 'turns:gap': 16}
    """
    number = same = 0
    products: Counter[str] = Counter()
    for one, other in games:
        number += 1
        same += all(one.get(column, 0) == other.get(column, 0) for column in shared.columns)
        for column in shared.columns:
            products[column] += one.get(column, 0) * other.get(column, 0)
        for above, below in _crossed(shared.pairs):
            products[pair_name((above, below))] += one.get(above, 0) * other.get(below, 0)
        for column, most in shared.limits:
            products[within(column, most)] += max(one.get(column, 0), other.get(column, 0)) <= most
    return _in_order(number, same, products)


def contrast_of_tables(
    tables: Sequence[tuple[Sequence[str], Any]],
    shared: Shared,
) -> Contrast:
    """The same from two arrays with a row per game, each with its columns."""
    one, other = (
        {column: table[:, place].astype("int64") for place, column in enumerate(columns)}
        for columns, table in tables
    )
    same: Any = sum(one[column] != other[column] for column in shared.columns)
    products = {column: int((one[column] * other[column]).sum()) for column in shared.columns}
    for above, below in _crossed(shared.pairs):
        products[pair_name((above, below))] = int((one[above] * other[below]).sum())
    for column, most in shared.limits:
        both = (one[column] <= most) & (other[column] <= most)
        products[within(column, most)] = int(both.sum())
    return _in_order(len(tables[0][1]), int((same == 0).sum()), products)


def join(contrasts: Iterable[Contrast]) -> Contrast:
    """The contrast of all these games together."""
    games = same = 0
    products: Counter[str] = Counter()
    for each in contrasts:
        games += each.games
        same += each.same
        products.update(each.products)
    return _in_order(games, same, products)


def within(column: str, most: int) -> str:
    """The name of a column with a limit.

    >>> within("gap", 3)
    'gap<=3'
    """
    return f"{column}<={most}"


def _crossed(pairs: Iterable[Pair]) -> list[Pair]:
    return [way for above, below in pairs for way in ((above, below), (below, above))]


def _in_order(games: int, same: int, products: "Counter[str] | dict[str, int]") -> Contrast:
    return Contrast(
        games, same, {name: products[name] for name in sorted(products) if products[name]}
    )


# --- Differences -----------------------------------------------------------------------------


def change(
    figures: tuple[Figure, Figure], tallies: tuple[Tally, Tally], contrast: Contrast
) -> Estimate | None:
    """How much larger a figure is by the second rule, with the interval of paired games.

    None where pairing says nothing: of quantiles, and of figures of different kinds. Games without
    any difference have no interval: they do not show how rare one is.
    """
    match figures:
        case (Mean() as one, Mean() as other):
            return _of_sums(one.column, tallies, contrast, (one.scale, other.scale))
        case (Part() as one, Part() as other):
            return _of_sums(one.column, tallies, contrast, (1 / one.whole, 1 / other.whole))
        case (Within(column=column, most=most) as one, Within()):
            before, after = (one.games(tally) for tally in tallies)
            both = contrast.products.get(within(column, most), 0)
            return mean_from_sums(contrast.games, after - before, before + after - 2 * both)
        case (Quotient() as one, Quotient() as other):
            return _of_quotients(one, tallies, contrast, (one.scale, other.scale))
        case (Rate() as one, Rate() as other):
            return _of_quotients(one, tallies, contrast, (1 / one.whole, 1 / other.whole))
        case _:
            return None


def _of_sums(
    column: str, tallies: tuple[Tally, Tally], contrast: Contrast, scales: tuple[float, float]
) -> Estimate:
    """The difference of two means per game, each times its factor."""
    first, second = scales
    one, other = (sums(tally, column) for tally in tallies)
    product = contrast.products.get(column, 0)
    total = second * other.total - first * one.total
    squares = second**2 * other.squares + first**2 * one.squares - 2 * first * second * product
    return mean_from_sums(contrast.games, total, squares)


def _of_quotients(
    figure: Quotient | Rate,
    tallies: tuple[Tally, Tally],
    contrast: Contrast,
    scales: tuple[float, float],
) -> Estimate | None:
    """The difference of two quotients of sums, whose four sides vary together, game by game.

    None where one of them is the same in all games: that may be chance, which pairs do not show.
    """
    above, below = figure.above, figure.below
    divisors = [sums(tally, below).total for tally in tallies]
    if not all(divisors):
        return None
    ratios = [
        sums(tally, above).total / divisor for tally, divisor in zip(tallies, divisors, strict=True)
    ]
    one, other = (residue(figure, *each) for each in zip(tallies, ratios, strict=True))
    if not one or not other:
        return None
    # A game's share in each quotient has these weights.
    first, second = (scale / divisor for scale, divisor in zip(scales, divisors, strict=True))
    products = contrast.products
    mixed = (
        products.get(above, 0)
        - ratios[1] * products.get(pair_name((above, below)), 0)
        - ratios[0] * products.get(pair_name((below, above)), 0)
        + ratios[0] * ratios[1] * products.get(below, 0)
    )
    squares = first**2 * one + second**2 * other - 2 * first * second * mixed
    more = scales[1] * ratios[1] - scales[0] * ratios[0]
    games = contrast.games
    if games < 2 or squares <= 0:  # noqa: PLR2004 - one game does not vary
        return Estimate(more)
    return around(more, student(games - 1) * sqrt(squares * games / (games - 1)))
