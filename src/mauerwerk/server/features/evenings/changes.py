"""What can happen to an evening: people come and go, games are added, rounds start and end.

Every function takes an evening and returns the next one, or refuses. Permissions are checked
where it is asked for (`server.features.evenings.service`).
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.language.translation import message
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.server.features.evenings import pairing, values
from mauerwerk.server.features.evenings.values import ranking
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import FeatureError


class Hindrance(StrEnum):
    """Why something cannot be done with an evening."""

    MISSING = "missing"
    NOT_HOST = "not-host"
    NOT_THERE = "not-there"
    FULL = "full"
    TOO_MANY_GAMES = "too-many-games"
    NO_SUCH_GAME = "no-such-game"
    NO_SUCH_ROUND = "no-such-round"
    NOTHING_TO_START = "nothing-to-start"
    STILL_PLAYING = "still-playing"
    TOO_FEW = "too-few"
    NO_SWAP = "no-swap"
    STARTED = "started"


HINDRANCES: Final[Mapping[Hindrance, str]] = {
    Hindrance.MISSING: message("there is no such evening"),
    Hindrance.NOT_HOST: message("only the host of the evening can do that"),
    Hindrance.NOT_THERE: message("this person does not take part any more"),
    Hindrance.FULL: message("there is no room for more people"),
    Hindrance.TOO_MANY_GAMES: message("there are enough games for one evening"),
    Hindrance.NO_SUCH_GAME: message("this game cannot be played here"),
    Hindrance.NO_SUCH_ROUND: message("the programme has changed meanwhile; look again"),
    Hindrance.NOTHING_TO_START: message("add a game first"),
    Hindrance.STILL_PLAYING: message("wait until all tables are done"),
    Hindrance.TOO_FEW: message("at least two people have to take part"),
    Hindrance.NO_SWAP: message("choose two different people"),
    Hindrance.STARTED: message("this game has been started"),
}
"""Why something cannot be done with an evening."""


class EveningError(FeatureError):
    """Something cannot be done with an evening. Nothing has changed then."""

    def __init__(self, hindrance: Hindrance) -> None:
        """Say why."""
        match hindrance:
            case Hindrance.MISSING:
                super().__init__(HINDRANCES[hindrance], 404, code="")
            case Hindrance.NOT_HOST:
                super().__init__(HINDRANCES[hindrance], 403, code="")
            case _:
                super().__init__(HINDRANCES[hindrance], 409, code="evening")
        self.hindrance = hindrance


# --- People ----------------------------------------------------------------------------------


def joined(evening: values.Evening, guest: Guest) -> values.Evening:
    """With somebody who comes, or comes back. Raises EveningError if there is no room."""
    known = evening.person_of(guest.id)
    if known is not None:
        back = replace(known, name=guest.name, left=False)
        return replace(evening, people=_with(evening.people, back))
    if len(evening.people) >= values.MOST_PEOPLE:
        raise EveningError(Hindrance.FULL)
    new = values.Person(len(evening.people), guest.id, guest.name)
    return replace(evening, people=(*evening.people, new))


def gone(evening: values.Evening, number: int) -> values.Evening:
    """Without somebody who goes home; their points stay. Raises EveningError."""
    if number not in evening.here:
        raise EveningError(Hindrance.NOT_THERE)
    return replace(
        evening, people=_with(evening.people, replace(evening.people[number], left=True))
    )


def _with(people: tuple[values.Person, ...], changed: values.Person) -> tuple[values.Person, ...]:
    return tuple(changed if each.number == changed.number else each for each in people)


# --- The programme ---------------------------------------------------------------------------


def with_game(
    evening: values.Evening, game: str, options: dict[str, str], size: int = 0
) -> values.Evening:
    """With one more game at the end of the programme. Raises EveningError and SetupError."""
    if game not in GAMES:
        raise EveningError(Hindrance.NO_SUCH_GAME)
    if len(evening.rounds) >= values.MOST_ROUNDS:
        raise EveningError(Hindrance.TOO_MANY_GAMES)
    from_words(GAMES[game].OPTIONS, options)  # nothing else is kept
    return replace(evening, rounds=(*evening.rounds, values.Round(game, options, size)))


def without_game(evening: values.Evening, number: int) -> values.Evening:
    """Without a game that was not started. Raises EveningError."""
    _waiting(evening, number)
    return replace(evening, rounds=evening.rounds[:number] + evening.rounds[number + 1 :])


def _waiting(evening: values.Evening, number: int) -> values.Round:
    """A round that was not started. Raises EveningError."""
    if number not in range(len(evening.rounds)):
        raise EveningError(Hindrance.NO_SUCH_ROUND)
    if evening.rounds[number].tables:
        raise EveningError(Hindrance.STARTED)
    return evening.rounds[number]


# --- Tables ----------------------------------------------------------------------------------


def next_tables(evening: values.Evening) -> pairing.Tables:
    """The tables of the next round, people in the order of their seats; empty without one."""
    number = evening.following
    if number is None or not evening.here:
        return ()
    following = evening.rounds[number]
    seated = {person for table in following.swapped for person in table if person != values.BOT}
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
    return tuple(pairing.filled(pairing.seated(table, past), seats, values.BOT) for table in tables)


def swapped(evening: values.Evening, one: int, other: int) -> values.Evening:
    """With two people who have changed places in the next round. Raises EveningError."""
    number, tables = evening.following, next_tables(evening)
    people = {person for table in tables for person in table} - {values.BOT}
    if number is None or one == other or not {one, other} <= people:
        raise EveningError(Hindrance.NO_SWAP)
    places = {one: other, other: one}
    changed = tuple(tuple(places.get(person, person) for person in table) for table in tables)
    return _with_round(evening, number, replace(evening.rounds[number], swapped=changed))


def started(evening: values.Evening, id_of: Callable[[int, int], str], at: int) -> values.Evening:
    """With the next round under way; `id_of` names the table of a round. Raises EveningError."""
    number = evening.following
    if evening.current is not None:
        raise EveningError(Hindrance.STILL_PLAYING)
    if number is None:
        raise EveningError(Hindrance.NOTHING_TO_START)
    if len(evening.here) < 2:  # noqa: PLR2004 - alone there is no ranking
        raise EveningError(Hindrance.TOO_FEW)
    tables = tuple(
        values.RoundTable(id_of(number, place), people)
        for place, people in enumerate(next_tables(evening))
    )
    if not tables:
        raise EveningError(Hindrance.NO_SUCH_GAME)
    begun = replace(evening.rounds[number], tables=tables, swapped=(), started=at)
    return _with_round(evening, number, begun)


def settled(evening: values.Evening, results: Mapping[str, values.RoundTable]) -> values.Evening:
    """With the results of tables that are over now."""
    rounds = tuple(
        replace(
            each,
            tables=tuple(
                table if table.over else results.get(table.id, table) for table in each.tables
            ),
        )
        for each in evening.rounds
    )
    return replace(evening, rounds=rounds)


def _with_round(evening: values.Evening, number: int, changed: values.Round) -> values.Evening:
    rounds = (*evening.rounds[:number], changed, *evening.rounds[number + 1 :])
    return replace(evening, rounds=rounds)
