"""Tables for a round, and seats at each of them: pure functions of what was played before.

Everybody plays in every round. Tables are as equal as the number of people allows, and a bot fills
a table only where the game needs more players than there are people. People who have not met yet
meet first; where all have, those who met least. In a Swiss evening, people with similar sums meet.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Final, NamedTuple

Tables = tuple[tuple[int, ...], ...]
"""The people at each table, in the order of the seats."""
EXACT: Final = 10
"""For as many people all tables are tried; for more, good ones are improved step by step."""
MEETING: Final = 10_000
"""How much worse it is to meet again than to meet somebody with another sum."""


class Past(NamedTuple):
    """What counts of the rounds before."""

    met: Mapping[tuple[int, int], int]
    """How often two people, the lower number first, sat at the same table."""
    sat: Mapping[tuple[int, int], int]
    """How often a person had a seat."""
    small: Mapping[int, int]
    """How often a person sat at a table that was smaller than others of its round."""


def past_of(rounds: Iterable[Tables]) -> Past:
    """The past that these rounds make; numbers below 0 are bots."""
    met, sat, small = Counter[tuple[int, int]](), Counter[tuple[int, int]](), Counter[int]()
    for tables in rounds:
        seated = [[person for person in table if person >= 0] for table in tables]
        largest = max(map(len, seated), default=0)
        for table, people in zip(tables, seated, strict=True):
            met.update(_pair(*two) for two in combinations(people, 2))
            sat.update((person, seat) for seat, person in enumerate(table) if person >= 0)
            if len(people) < largest:
                small.update(people)
    return Past(met, sat, small)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def sizes_for(people: int, seats: range, wanted: int = 0) -> tuple[int, ...]:
    """How many people sit at each table, the larger tables first.

    With `wanted`, tables are as close to that as possible; otherwise there are as few tables as
    possible. Where people alone cannot fill the tables, one has fewer than the game needs.

    >>> sizes_for(6, range(2, 5)), sizes_for(5, range(2, 5), 2), sizes_for(2, range(3, 7))
    ((3, 3), (3, 2), (2,))
    """
    least, most = seats[0], seats[-1]
    if people < 1:
        return ()
    full = [tables for tables in range(1, people + 1) if least * tables <= people <= most * tables]
    possible = full or [-(-people // most)]
    best = min(
        possible, key=lambda tables: (abs(people / tables - wanted) if wanted else 0, tables)
    )
    small, larger = divmod(people, best)
    return (small + 1,) * larger + (small,) * (best - larger)


def tables_for(
    people: Sequence[int], sizes: Sequence[int], past: Past, standing: Sequence[int] = ()
) -> Tables:
    """The people at each table, without seats; a Swiss evening needs the ranking, in `standing`."""
    place = {person: at for at, person in enumerate(standing)}
    costs = _Costs(past, place)
    circle = list(_circle(people)) if set(sizes) <= {1, 2} and not standing else []
    for tables in circle:
        if costs.of_all(tables) == (0, 0):
            return tables
    search = _searched if len(people) <= EXACT else _improved
    return min([*circle, search(tuple(people), tuple(sizes), costs)], key=costs.of_all)


class _Costs:
    """How bad it is that people sit at one table: the sum over all pairs."""

    def __init__(self, past: Past, place: Mapping[int, int]) -> None:
        self._past = past
        self._place = place
        self._pairs: dict[tuple[int, int], int] = {}

    def of_pair(self, one: int, other: int) -> int:
        """Meeting for the third time is worse than meeting twice for the second."""
        pair = (one, other)
        if pair not in self._pairs:
            again = 2 * self._past.met.get(_pair(one, other), 0)
            apart = abs(self._place.get(one, 0) - self._place.get(other, 0))
            self._pairs[pair] = MEETING * again + apart * apart
        return self._pairs[pair]

    def of_change(
        self, one: Sequence[int], other: Sequence[int], a: int, b: int, largest: int
    ) -> tuple[int, int]:
        """By how much it gets worse if these two of two tables change places."""
        here, there = one[a], other[b]
        met = sum(
            self.of_pair(there, each) - self.of_pair(here, each) for each in one if each != here
        ) + sum(
            self.of_pair(here, each) - self.of_pair(there, each) for each in other if each != there
        )
        moved = (len(one) < largest) - (len(other) < largest)
        small = self._past.small.get(there, 0) - self._past.small.get(here, 0)
        return met, 2 * moved * small

    def of_all(self, tables: Tables) -> tuple[int, int]:
        """First who meets whom, then whether the same people sit at a smaller table again."""
        met = sum(self.of_pair(*two) for table in tables for two in combinations(table, 2))
        largest = max(map(len, tables), default=0)
        small = sum(
            2 * self._past.small.get(person, 0)
            for table in tables
            for person in table
            if len(table) < largest
        )
        return met, small


def _circle(people: Sequence[int]) -> Iterator[Tables]:
    """All rounds in which everybody meets everybody once, two at a table (Berger's circle)."""
    ring: list[int | None] = [*people, *([None] if len(people) % 2 else [])]
    half = len(ring) // 2
    for turn in range(len(ring) - 1):
        rest = ring[1:]
        order = [ring[0], *rest[turn:], *rest[:turn]]
        pairs = zip(order[:half], reversed(order[half:]), strict=True)
        tables = [tuple(person for person in pair if person is not None) for pair in pairs]
        yield tuple(sorted(tables, key=len, reverse=True))


def _searched(people: tuple[int, ...], sizes: tuple[int, ...], costs: _Costs) -> Tables:
    """The best tables: all are tried in turn, except those that cannot be better any more."""
    best: tuple[tuple[int, int], Tables] = ((2**60, 0), ())

    def place(left: tuple[int, ...], sizes: tuple[int, ...], made: Tables, spent: int) -> None:
        nonlocal best
        if not left:
            best = min(best, (costs.of_all(made), made), key=lambda each: each[0])
            return
        # The first who has no table yet sits somewhere: at a table of each size that is left.
        for size in sorted(set(sizes), reverse=True):
            rest = list(sizes)
            rest.remove(size)
            found = [
                (sum(costs.of_pair(*two) for two in combinations((left[0], *others), 2)), others)
                for others in combinations(left[1:], size - 1)
            ]
            for cost, others in sorted(found):
                if spent + cost > best[0][0]:
                    break
                table = (left[0], *others)
                remaining = tuple(person for person in left if person not in table)
                place(remaining, tuple(rest), (*made, table), spent + cost)

    place(people, sizes, (), 0)
    return tuple(sorted(best[1], key=len, reverse=True))


def _improved(people: tuple[int, ...], sizes: tuple[int, ...], costs: _Costs) -> Tables:
    """Good tables: two people change places as long as that makes it better."""
    left, tables = list(people), list[list[int]]()
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            cheapest = min(left, key=lambda each: sum(costs.of_pair(each, one) for one in table))
            left.remove(cheapest)
            table.append(cheapest)
        tables.append(table)
    largest = max(sizes, default=0)
    improves = True
    while improves:
        improves = False
        for one, other in combinations(tables, 2):
            for a, b in product(range(len(one)), range(len(other))):
                if costs.of_change(one, other, a, b, largest) < (0, 0):
                    one[a], other[b] = other[b], one[a]
                    improves = True
    return tuple(tuple(table) for table in tables)


def seated(table: Sequence[int], past: Past) -> tuple[int, ...]:
    """The people in the order of their seats, so that everybody has every seat equally often."""

    def cost(order: Sequence[int]) -> int:
        return sum(2 * past.sat.get((person, seat), 0) for seat, person in enumerate(order))

    return min(permutations(sorted(table)), key=cost)


def filled(table: tuple[int, ...], seats: range, bot: int) -> tuple[int, ...]:
    """The table with bots at its end, where the game needs more players."""
    return (*table, *[bot] * max(0, seats[0] - len(table)))
