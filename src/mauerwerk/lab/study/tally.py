"""What is counted in a game, and counts of many games, in a form that can be added.

A column is a whole number for each game: its turns, the points of seat 2, how often a clause
applied. Its name is a stem, or a stem and what it is about: `turns`, `points/2`, `clause/DM-14`.
The columns that all games have are here; those of each game are in its room, see `rooms`.

A game counted is a `Row`: its columns that are not 0. Two ways of playing the same game, by the
rules or compiled, give equal rows.

A `Tally` says for every column how many games had which value. Tallies of different games are added
in any order and any grouping; what comes out is the same. All numbers are whole.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from mauerwerk.core.game import NATURE, Outcome, Seat, Value

Row: TypeAlias = Mapping[str, int]
"""One game: its columns that are not 0."""
Pair: TypeAlias = tuple[str, str]
"""Two columns whose sums are divided, such as the points of a card and how often it was played."""
WIN: Final = 60
"""A whole win. Winners who share it have a part each, a whole number with up to six of them."""

MEANINGS: Final[Mapping[str, str]] = {
    "win": "wins by seat, in sixtieths: who shares a win has a part of it",
    "rank": "the rank of a seat",
    "points": "the points of a seat",
    "decisions": "moves that a seat made",
    "win-by-turn": "wins as above, by the order of play: 0 is the seat that began",
    "points-by-turn": "points by the order of play",
    "moves": "moves of a game, nature's included",
    "turns": "complete turns of a game",
    "shared": "1 where several win together",
    "gap": "points between the first and the second; 0 where they are equal",
    "spread": "points between the first and the last",
    "reason": "1 where the game ended for this reason",
    "clause": "how often a clause applied, of those that the game's room names",
}
"""The stems that every game has. The gap is that of seats in the order of their ranks."""


def common_columns(seats: int, reasons: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that all games have, in order.

    >>> common_columns(2, ("nine",))[:4]
    ('win/0', 'win/1', 'rank/0', 'rank/1')
    """
    by_seat = (
        f"{stem}/{seat}"
        for stem in ("win", "rank", "points", "decisions", "win-by-turn", "points-by-turn")
        for seat in range(seats)
    )
    alone = ("moves", "turns", "shared", "gap", "spread")
    return (*by_seat, *alone, *(f"reason/{reason}" for reason in reasons))


def common_row(outcome: Outcome, movers: list[Seat], turns: int, beginner: Seat) -> dict[str, int]:
    """What is counted in all games, from the outcome, the seat of each move and who began."""
    row = {
        "moves": len(movers),
        "turns": turns,
        "shared": int(len(outcome.winners) > 1),
        f"reason/{outcome.reason}": 1,
    }
    for seat in range(len(outcome.ranks)):
        row[f"win/{seat}"] = win_of(outcome, Seat(seat))
        row[f"rank/{seat}"] = outcome.ranks[seat]
        row[f"points/{seat}"] = outcome.scores[seat]
        row[f"decisions/{seat}"] = 0
        by_turn = (seat - beginner) % len(outcome.ranks)
        row[f"win-by-turn/{by_turn}"] = row[f"win/{seat}"]
        row[f"points-by-turn/{by_turn}"] = outcome.scores[seat]
    for mover in movers:
        if mover != NATURE:
            row[f"decisions/{mover}"] += 1
    by_rank = [points for _, points in sorted(zip(outcome.ranks, outcome.scores, strict=True))]
    row["gap"] = abs(by_rank[0] - by_rank[1])
    row["spread"] = abs(by_rank[0] - by_rank[-1])
    return row


def win_of(outcome: Outcome, seat: Seat) -> int:
    """A seat's part of the win, out of `WIN`."""
    return WIN // len(outcome.winners) if outcome.ranks[seat] == 1 else 0


# --- Many games ------------------------------------------------------------------------------

VERSION: Final = 3
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


def pair_name(pair: Pair) -> str:
    """A pair's name.

    >>> pair_name(("won/3", "held/3"))
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
                products[pair_name(pair)] += product
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
            products[pair_name(pair)] = product
    return _in_order(len(table), counts, products)


def add_up(tallies: Iterable[Tally]) -> Tally:
    """The sum of these tallies.

    >>> one = tally_of([{"gap": 3}], [])
    >>> add_up([one, one]).counts
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
