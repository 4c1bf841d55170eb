"""A ladder: every bot against every other, at tables of any size."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from mauerwerk.lab.match.contest import Fixture, rotations


def lineups(bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All line-ups: as many different bots as there are seats, or all of them and some twice.

    >>> lineups(["a", "b", "c"], 2)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> lineups(["a", "b"], 3)
    [('a', 'a', 'b'), ('a', 'b', 'b')]
    """
    whole, extra = divmod(seats, len(bots))
    return [tuple(sorted([*bots] * whole + [*more])) for more in combinations(sorted(bots), extra)]


def plan(bots: Sequence[str], seats: int, games: int) -> Iterator[Fixture]:
    """The games of a ladder in which any two bots meet in at least this many.

    The bots that have met least meet next, so that the ladder can be stopped anywhere. A plan for
    more games begins with the plan for fewer.
    """
    possible = lineups(bots, seats)
    met = Counter(dict.fromkeys(combinations(sorted(bots), 2), 0))
    played = Counter(dict.fromkeys(possible, 0))

    def how_familiar(lineup: tuple[str, ...]) -> tuple[list[int], int]:
        return sorted(met[pair] for pair in _pairs(lineup)), played[lineup]

    while min(met.values(), default=games) < games:
        lineup = min(possible, key=how_familiar)
        yield from rotations(lineup, range(played[lineup], played[lineup] + 1))
        played[lineup] += 1
        for pair in _pairs(lineup):
            met[pair] += seats


def _pairs(lineup: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return combinations(sorted(set(lineup)), 2)
