"""Who plays with whom: everybody does, tables are legal, people meet evenly, seats go round."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mauerwerk.server.features.evenings.pairing import (
    Past,
    Tables,
    filled,
    past_of,
    seated,
    sizes_for,
    tables_for,
)

RANGES = (range(2, 5), range(3, 7), range(2, 3), range(3, 4), range(2, 7))
"""The numbers of players of our games, and of stricter ones."""

SEATS = st.sampled_from(RANGES)
BOT = -1


def played(people: int, seats: range, rounds: int, wanted: int = 0) -> list[Tables]:
    """These rounds, one after the other."""
    made: list[Tables] = []
    for _ in range(rounds):
        past = past_of(made)
        sizes = sizes_for(people, seats, wanted)
        tables = tables_for(range(people), sizes, past)
        made.append(tuple(filled(seated(table, past), seats, BOT) for table in tables))
    return made


def met(rounds: list[Tables]) -> Counter[tuple[int, int]]:
    """How often people sat together."""
    return Counter(past_of(rounds).met)


# --- Sizes -----------------------------------------------------------------------------------


@given(st.integers(1, 24), SEATS, st.integers(0, 6))
def test_tables_have_legal_sizes(people: int, seats: range, wanted: int) -> None:
    """All play; no table is larger than the game allows, and they differ by one at most."""
    sizes = sizes_for(people, seats, wanted)

    assert sum(sizes) == people
    assert max(sizes) <= seats[-1]
    assert max(sizes) - min(sizes) <= 1
    possible = any(seats[0] * n <= people <= seats[-1] * n for n in range(1, people + 1))
    assert (min(sizes) >= seats[0]) == possible, "a bot fills a table only where it must"


@pytest.mark.parametrize(
    ("people", "seats", "wanted", "sizes"),
    [
        (6, range(3, 7), 0, (6,)),
        (6, range(2, 5), 0, (3, 3)),
        (7, range(2, 5), 0, (4, 3)),
        (5, range(2, 5), 2, (3, 2)),
        (6, range(2, 5), 2, (2, 2, 2)),
        (7, range(3, 7), 0, (4, 3)),
        (5, range(2, 3), 0, (2, 2, 1)),
        (2, range(3, 7), 0, (2,)),
    ],
)
def test_an_odd_number_makes_one_table_smaller(
    people: int, seats: range, wanted: int, sizes: tuple[int, ...]
) -> None:
    """Nobody pauses."""
    assert sizes_for(people, seats, wanted) == sizes


# --- Who meets whom --------------------------------------------------------------------------


@given(st.integers(2, 9), SEATS, st.integers(1, 5), st.integers(0, 4))
def test_everybody_plays_in_every_round(
    people: int, seats: range, rounds: int, wanted: int
) -> None:
    """Once, at a table with as many players as the game needs."""
    for tables in played(people, seats, rounds, wanted):
        there = [person for table in tables for person in table if person != BOT]
        assert sorted(there) == list(range(people))
        assert all(len(table) in seats for table in tables)


def partitions(people: tuple[int, ...], sizes: tuple[int, ...]) -> list[Tables]:
    """All ways to make these tables."""
    if not people:
        return [()]
    made: list[Tables] = []
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for others in combinations(people[1:], size - 1):
            left = tuple(each for each in people[1:] if each not in others)
            made += [((people[0], *others), *more) for more in partitions(left, tuple(rest))]
    return made


def squares(tables: Tables, past: Past) -> int:
    """What must be least: the growth of the squares of how often two have met."""
    return sum(2 * past.met.get(two, 0) for t in tables for two in combinations(sorted(t), 2))


@given(st.data(), st.integers(2, 8), SEATS)
def test_as_few_as_possible_meet_again(data: st.DataObject, people: int, seats: range) -> None:
    """No other tables have fewer repeated meetings, whatever was played before."""
    sizes = sizes_for(people, seats)
    orders = st.permutations(range(people))
    before: list[Tables] = []
    for order in data.draw(st.lists(orders, max_size=4)):
        ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
        begins = [0, *ends[:-1]]
        before.append(tuple(tuple(order[a:b]) for a, b in zip(begins, ends, strict=True)))
    past = past_of(before)

    best = min(squares(each, past) for each in partitions(tuple(range(people)), sizes))
    assert squares(tables_for(range(people), sizes, past), past) == best


@pytest.mark.parametrize("people", [2, 4, 6, 8, 10, 12])
def test_round_robin_two_at_a_table(people: int) -> None:
    """Everybody meets everybody exactly once in one round less than there are people."""
    found = met(played(people, range(2, 5), people - 1, wanted=2))
    assert set(found) == set(combinations(range(people), 2))
    assert set(found.values()) == {1}


@pytest.mark.parametrize("people", [3, 5, 7])
def test_round_robin_with_an_odd_number(people: int) -> None:
    """Where only two can sit at a table, everybody plays against a bot once."""
    rounds = played(people, range(2, 3), people)
    assert set(met(rounds).values()) == {1}
    alone = Counter(table[0] for tables in rounds for table in tables if BOT in table)
    assert alone == dict.fromkeys(range(people), 1)


def test_a_smaller_table_is_somebody_elses_turn() -> None:
    """Seven people at tables of four and three: nobody is at the small one much more often."""
    small = past_of(played(7, range(2, 5), 7)).small
    assert max(small.values()) - min(small[each] for each in range(7)) <= 2


def test_in_a_swiss_evening_similar_people_meet() -> None:
    """The first two play each other, unless they have."""
    past = past_of([])
    standing = [3, 1, 0, 2]
    assert {frozenset(t) for t in tables_for(range(4), (2, 2), past, standing)} == {
        frozenset({3, 1}),
        frozenset({0, 2}),
    }
    past = past_of([((3, 1), (0, 2))])
    assert {frozenset(t) for t in tables_for(range(4), (2, 2), past, standing)} == {
        frozenset({3, 0}),
        frozenset({1, 2}),
    }


def test_a_large_evening_is_paired_quickly() -> None:
    """The best of many tables is taken, not the best of all."""
    rounds = played(24, range(2, 5), 3)
    assert max(met(rounds).values()) <= 2


# --- Seats -----------------------------------------------------------------------------------


@given(st.integers(2, 5), st.integers(1, 9))
def test_everybody_has_every_seat_equally_often(people: int, rounds: int) -> None:
    """At one table, the numbers of two seats never differ by more than one."""
    sat = past_of(played(people, range(people, people + 1), rounds)).sat
    for person in range(people):
        often = [sat.get((person, seat), 0) for seat in range(people)]
        assert max(often) - min(often) <= 1


@given(st.integers(4, 9), SEATS, st.integers(2, 6))
def test_nobody_always_begins(people: int, seats: range, rounds: int) -> None:
    """The first seat goes round."""
    made = played(people, seats, rounds)
    first = Counter(table[0] for tables in made for table in tables)
    share = sum(first.values()) / people
    assert max(first.values()) <= share + 2
