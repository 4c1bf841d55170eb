"""An evening: who is there, which games, who sat where, how it ended, and what can happen to it.

People come and go, games are added, rounds start and end: every function takes an evening and
returns the next one, or refuses. Permissions are checked where it is asked for (`service`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from mauerwerk.core.game import Value
from mauerwerk.core.language import message
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.server.features.evenings import pairing
from mauerwerk.server.tables.charter import Guest, check_seats
from mauerwerk.server.tables.errors import FeatureError

BOT: Final = -1
"""In the place of a person, for a bot that fills a table."""
LONGEST_TITLE: Final = 60
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

    @property
    def is_deleted(self) -> bool:
        """Whether there is no such table any more, so that its game never ended."""
        return self.over and not self.ended


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

    @property
    def here(self) -> tuple[int, ...]:
        """The people who play the next round."""
        return tuple(person.number for person in self.people if not person.left)

    @property
    def current(self) -> int | None:
        """The round that is being played; None before the first, between two and after the last."""
        played = (at for at, each in enumerate(self.rounds) if each.tables and not each.is_over)
        return next(played, None)

    @property
    def programme(self) -> tuple[str, ...]:
        """The games of all rounds."""
        return tuple(each.game for each in self.rounds)

    @property
    def under_way(self) -> tuple[RoundTable, ...]:
        """The tables that are being played."""
        return tuple(table for each in self.rounds for table in each.tables if not table.over)

    @property
    def following(self) -> int | None:
        """The first round that was not started."""
        return next((at for at, each in enumerate(self.rounds) if not each.tables), None)

    @property
    def host(self) -> int | None:
        """The person who is the host: the first who has not gone home."""
        return next(iter(self.here), None)

    @property
    def is_over(self) -> bool:
        """Whether all games are played."""
        return bool(self.rounds) and self.following is None and self.current is None

    def person_of(self, guest: str) -> Person | None:
        """The person who is this guest."""
        return next((each for each in self.people if guest and each.guest == guest), None)


# --- The ranking -----------------------------------------------------------------------------

BY_PLACE: Final = (3, 2, 1)
"""What the first three places at a table bring; all others bring nothing."""
FOR_TWO: Final = (3, 1)
"""At a table of two the second brings as much as the third elsewhere: the last of the table."""


class RankingLine(Value, tag=False):
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


def ranking(evening: Evening) -> tuple[RankingLine, ...]:
    """Everybody, the first first. Equal sums: more wins, then the games between them."""
    rounds = [_points_in(each) for each in evening.rounds]
    totals = {
        person.number: sum((each.get(person.number, Fraction()) for each in rounds), Fraction())
        for person in evening.people
    }
    lines: list[RankingLine] = []
    for level in _grouped({each: (totals[each], _wins(evening, each)) for each in totals}):
        for group in _grouped({each: (_between(evening, each, level),) for each in level}):
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
) -> RankingLine:
    return RankingLine(
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


class Hindrance(StrEnum):
    """Why something cannot be done with an evening."""

    MISSING = message("there is no such evening")
    NOT_HOST = message("only the host of the evening can do that")
    NOT_THERE = message("this person does not take part any more")
    FULL = message("there is no room for more people")
    TOO_MANY_GAMES = message("there are enough games for one evening")
    NO_SUCH_GAME = message("this game cannot be played here")
    NO_SUCH_ROUND = message("the programme has changed meanwhile; look again")
    NOTHING_TO_START = message("add a game first")
    STILL_PLAYING = message("wait until all tables are done")
    TOO_FEW = message("at least two people have to take part")
    NO_SWAP = message("choose two different people")
    STARTED = message("this game has been started")


class EveningError(FeatureError):
    """Something cannot be done with an evening. Nothing has changed then."""

    def __init__(self, hindrance: Hindrance) -> None:
        known = {Hindrance.MISSING: (404, ""), Hindrance.NOT_HOST: (403, "")}
        status, code = known.get(hindrance, (409, "evening"))
        super().__init__(hindrance.value, status, code=code)
        self.hindrance = hindrance


# --- People ----------------------------------------------------------------------------------


def joined(evening: Evening, guest: Guest) -> Evening:
    """With somebody who comes, or comes back. Raises EveningError if there is no room."""
    known = evening.person_of(guest.id)
    if known is not None:
        back = replace(known, name=guest.name, left=False)
        return replace(evening, people=_with(evening.people, back))
    if len(evening.people) >= MOST_PEOPLE:
        raise EveningError(Hindrance.FULL)
    new = Person(len(evening.people), guest.id, guest.name)
    return replace(evening, people=(*evening.people, new))


def gone(evening: Evening, number: int) -> Evening:
    """Without somebody who goes home; their points stay. Raises EveningError.

    Somebody who had gone may be back at their table, and go again.
    """
    playing = {person for table in evening.under_way for person in table.people if person != BOT}
    if number not in playing.union(evening.here):
        raise EveningError(Hindrance.NOT_THERE)
    left = replace(evening.people[number], left=True)
    return replace(evening, people=_with(evening.people, left))


def _with(people: tuple[Person, ...], changed: Person) -> tuple[Person, ...]:
    return tuple(changed if each.number == changed.number else each for each in people)


# --- The programme ---------------------------------------------------------------------------


def with_game(evening: Evening, game: str, options: dict[str, str], size: int = 0) -> Evening:
    """With one more game at the end of the programme. Raises EveningError and SetupError."""
    if game not in GAMES:
        raise EveningError(Hindrance.NO_SUCH_GAME)
    if len(evening.rounds) >= MOST_ROUNDS:
        raise EveningError(Hindrance.TOO_MANY_GAMES)
    from_words(GAMES[game].OPTIONS, options)  # nothing else is kept
    if size:
        check_seats(GAMES[game], size)
    return replace(evening, rounds=(*evening.rounds, Round(game, options, size)))


def without_game(evening: Evening, number: int, programme: Sequence[str]) -> Evening:
    """Without a game that was not started, of the programme that the host saw. EveningError."""
    if number not in range(len(evening.rounds)) or tuple(programme) != evening.programme:
        raise EveningError(Hindrance.NO_SUCH_ROUND)
    if evening.rounds[number].tables:
        raise EveningError(Hindrance.STARTED)
    return replace(evening, rounds=evening.rounds[:number] + evening.rounds[number + 1 :])


# --- Tables ----------------------------------------------------------------------------------


def next_tables(evening: Evening) -> pairing.Tables:
    """The tables of the next round, people in the order of their seats; empty without one."""
    number = evening.following
    if number is None or not evening.here:
        return ()
    following = evening.rounds[number]
    seated = {person for table in following.swapped for person in table if person != BOT}
    if following.swapped and seated == set(evening.here):
        return following.swapped
    if following.game not in GAMES:  # its package is gone
        return ()
    seats = GAMES[following.game].SEATS
    before = tuple(tuple(table.people for table in each.tables) for each in evening.rounds[:number])
    swiss = evening.way == "swiss" and any(each.is_over for each in evening.rounds)
    standing = tuple(line.person for line in ranking(evening)) if swiss else ()
    return _worked_out(evening.here, seats, following.size, before, standing)


@lru_cache(maxsize=256)
def _worked_out(
    people: tuple[int, ...],
    seats: range,
    size: int,
    before: tuple[pairing.Tables, ...],
    standing: tuple[int, ...],
) -> pairing.Tables:
    """The tables for these people; every page of an evening shows them every few seconds."""
    past = pairing.past_of(before)
    sizes = pairing.sizes_for(len(people), seats, size)
    tables = pairing.tables_for(people, sizes, past, standing)
    return tuple(pairing.filled(pairing.seated(table, past), seats, BOT) for table in tables)


def swapped(evening: Evening, one: int, other: int) -> Evening:
    """With two people who have changed places in the next round. Raises EveningError."""
    number, tables = evening.following, next_tables(evening)
    people = {person for table in tables for person in table} - {BOT}
    if number is None or one == other or not {one, other} <= people:
        raise EveningError(Hindrance.NO_SWAP)
    places = {one: other, other: one}
    changed = tuple(tuple(places.get(person, person) for person in table) for table in tables)
    return with_round(evening, number, replace(evening.rounds[number], swapped=changed))


def started(evening: Evening, id_of: Callable[[int, int], str], at: int) -> Evening:
    """With the next round under way; `id_of` names the table of a round. Raises EveningError."""
    number = evening.following
    if evening.current is not None:
        raise EveningError(Hindrance.STILL_PLAYING)
    if number is None:
        raise EveningError(Hindrance.NOTHING_TO_START)
    if len(evening.here) < 2:  # noqa: PLR2004 - alone there is no ranking
        raise EveningError(Hindrance.TOO_FEW)
    tables = tuple(
        RoundTable(id_of(number, place), people)
        for place, people in enumerate(next_tables(evening))
    )
    if not tables:
        raise EveningError(Hindrance.NO_SUCH_GAME)
    begun = replace(evening.rounds[number], tables=tables, swapped=(), started=at)
    return with_round(evening, number, begun)


def settled(evening: Evening, results: Mapping[str, RoundTable]) -> Evening:
    """With the results of tables that are over now."""

    def ended(table: RoundTable) -> RoundTable:
        return table if table.over else results.get(table.id, table)

    rounds = [replace(each, tables=tuple(map(ended, each.tables))) for each in evening.rounds]
    return replace(evening, rounds=tuple(rounds))


def with_round(evening: Evening, number: int, changed: Round) -> Evening:
    """With another round in the place of this one."""
    rounds = (*evening.rounds[:number], changed, *evening.rounds[number + 1 :])
    return replace(evening, rounds=rounds)
