"""An evening as it is kept: who is there, which games, who sat where, and how it ended."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal

import msgspec

from mauerwerk.core.game import Value

BOT: Final = -1
"""In the place of a person, for a bot that fills a table."""

MOST_PEOPLE: Final = 24
MOST_ROUNDS: Final = 30

Way = Literal["mixed", "swiss"]
"""How tables are made up: everybody meets everybody, or people with similar sums meet."""


class Person(Value, tag=False):
    """Somebody who takes part. People are told apart by their number, from 0; the host has 0."""

    number: int
    guest: str
    name: str
    left: bool = False
    """Whether they have gone home: they play no further rounds, and keep their points."""


class RoundTable(Value, tag=False):
    """A table of a round: who sits there, and how the game ended."""

    id: str
    people: tuple[int, ...]
    """The person at each seat, or `BOT`."""

    over: bool = False
    ended: int = 0
    ranks: tuple[int, ...] = ()
    """The place of each seat; empty where the game was ended without a winner."""

    points: tuple[int, ...] = ()
    stand_ins: tuple[int, ...] = ()
    """The people for whom a bot played at the end."""


class Round(Value, tag=False):
    """One game of the programme, at one or several tables at the same time."""

    game: str
    options: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    size: int = 0
    """How many people are to sit at a table; 0: as many as possible."""

    swapped: tuple[tuple[int, ...], ...] = ()
    """The tables as the host has changed them; empty: as they are worked out."""

    started: int = 0
    tables: tuple[RoundTable, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether every table is done."""
        return bool(self.tables) and all(table.over for table in self.tables)


class Evening(Value, tag=False):
    """An evening."""

    title: str
    people: tuple[Person, ...] = ()
    rounds: tuple[Round, ...] = ()
    way: Way = "mixed"
    seconds_per_move: int = 300
    """Seconds for a decision; then a bot plays. 0: no limit."""

    level: str = ""
    """The level of bots that fill tables."""

    created: int = 0
    version: int = 0
    """How often it was changed."""

    @property
    def here(self) -> tuple[int, ...]:
        """The people who play the next round."""
        return tuple(person.number for person in self.people if not person.left)

    @property
    def current(self) -> int | None:
        """The round that is being played; None before the first, between two and after the last."""
        for number, each in enumerate(self.rounds):
            if each.tables and not each.is_over:
                return number
        return None

    @property
    def following(self) -> int | None:
        """The first round that was not started."""
        return next((at for at, each in enumerate(self.rounds) if not each.tables), None)

    def person_of(self, guest: str) -> Person | None:
        """The person who is this guest."""
        return next((each for each in self.people if guest and each.guest == guest), None)


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
