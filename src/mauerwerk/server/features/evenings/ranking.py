"""One ranking for an evening: points by place, ties shared."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.server.features.evenings.values import Evening, Round, RoundTable

BY_PLACE: Final = (3, 2, 1)
"""What the first three places at a table bring; all others bring nothing."""

FOR_TWO: Final = (3, 1)
"""At a table of two the second brings as much as the third elsewhere: the last of the table."""


class Line(Value, tag=False):
    """A person in the ranking."""

    place: int
    person: int
    points: tuple[Fraction | None, ...]
    """What each round brought; None where they did not play, or it is not over."""

    total: Fraction
    stand_ins: tuple[int, ...] = ()
    """The rounds in which a bot played for them at the end."""


def points_at(table: RoundTable) -> Mapping[int, Fraction]:
    """What a finished table brings to each person. Those who tie share what their places bring.

    Bots count for the places, so that nobody is first for being alone with them.

    >>> points_at(RoundTable("t", (0, 1, 2), over=True, ranks=(1, 1, 3)))
    {0: Fraction(5, 2), 1: Fraction(5, 2), 2: Fraction(1, 1)}
    """
    scale = FOR_TWO if len(table.people) == len(FOR_TWO) else BY_PLACE
    found: dict[int, Fraction] = {}
    for person, rank in zip(table.people, table.ranks, strict=False):
        tied = table.ranks.count(rank)
        shared = scale[rank - 1 : rank - 1 + tied]
        if person >= 0:
            found[person] = Fraction(sum(shared), tied)
    return found


def ranking(evening: Evening) -> tuple[Line, ...]:
    """Everybody, the first first. Equal sums: more wins, then the games between them."""
    rounds = [_points_in(each) for each in evening.rounds]
    totals = {
        person.number: sum((each.get(person.number, Fraction()) for each in rounds), Fraction())
        for person in evening.people
    }
    wins = {person: _wins(evening, person) for person in totals}
    order: list[list[int]] = []
    for level in _grouped({person: (totals[person], wins[person]) for person in totals}):
        order += _grouped({person: (_between(evening, person, level),) for person in level})
    lines: list[Line] = []
    for group in order:
        place = len(lines) + 1
        lines += [_line(evening, rounds, totals[each], place, each) for each in sorted(group)]
    return tuple(lines)


def _grouped(people: Mapping[int, tuple[Fraction | int, ...]]) -> list[list[int]]:
    """People with the same value together, the highest first."""
    ordered = sorted(people, key=people.__getitem__, reverse=True)
    return [list(group) for _, group in groupby(ordered, key=people.__getitem__)]


def _points_in(played: Round) -> Mapping[int, Fraction]:
    return {
        person: points
        for table in played.tables
        if table.over
        for person, points in points_at(table).items()
    }


def _finished(evening: Evening) -> Iterable[RoundTable]:
    return (table for each in evening.rounds for table in each.tables if table.ranks)


def _wins(evening: Evening, person: int) -> int:
    return sum(
        table.ranks[table.people.index(person)] == 1
        for table in _finished(evening)
        if person in table.people
    )


def _between(evening: Evening, person: int, level: Sequence[int]) -> int:
    """At tables with others on the same level: how often before them, less how often behind."""
    better = 0
    for table in _finished(evening):
        if person not in table.people:
            continue
        own = table.ranks[table.people.index(person)]
        for other, rank in zip(table.people, table.ranks, strict=True):
            if other in level and other != person:
                better += (own < rank) - (own > rank)
    return better


def _line(
    evening: Evening,
    rounds: Sequence[Mapping[int, Fraction]],
    total: Fraction,
    place: int,
    person: int,
) -> Line:
    return Line(
        place=place,
        person=person,
        points=tuple(each.get(person) for each in rounds),
        total=total,
        stand_ins=tuple(
            number
            for number, each in enumerate(evening.rounds)
            if any(person in table.stand_ins for table in each.tables)
        ),
    )
