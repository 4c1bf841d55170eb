"""What people, bots and seats are called on a page, so that nobody is mistaken for another."""

import secrets
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from mauerwerk.bots.levels import level_of, title_of
from mauerwerk.core.game import AnyGame, Outcome, Seat, Value, name_of
from mauerwerk.core.language import YOU, Language, capital, is_you
from mauerwerk.server.engine.blocklist import LETTERS
from mauerwerk.server.tables import log, table_views
from mauerwerk.server.tables.table import Card, Player, Status, Viewer

BOTS: Final = ("Olmo", "Bruno", "Clara", "Emil", "Greta", "Jonas")
"""Names for bots, one per seat, so that they can be told apart; their level stands beside it."""


def names_of(players: Sequence[Player | table_views.SeatView]) -> tuple[str, ...]:
    """The names for programs: people by their names, bots by theirs, a free seat by its number."""
    return apart(
        [
            player.name or (BOTS[seat % len(BOTS)] if player.level else name_of(Seat(seat)))
            for seat, player in enumerate(players)
        ]
    )


STROKES: Final = str.maketrans("I1|0", "lllO")
"""What looks alike in most typefaces."""


def apart(called: Sequence[str]) -> tuple[str, ...]:
    """The same names, with a number where one could be taken for one before it.

    >>> apart(["Ada", "Bruno", "Bruno"])
    ('Ada', 'Bruno', 'Bruno 2')
    >>> apart(["Clara", "C1ara", "CLARA"])
    ('Clara', 'C1ara 2', 'CLARA 2')
    >>> apart(["Ada", "Ada 2", "Ada"])
    ('Ada', 'Ada 2', 'Ada 3')
    """
    return _apart(tuple(called))


@lru_cache(maxsize=4096)
def _apart(called: tuple[str, ...]) -> tuple[str, ...]:
    told: list[str] = []
    taken: set[str] = set()
    """How all that was told looks."""

    alike: dict[str, set[int]] = {}
    """By how a name looks: the seats whose names look like that."""

    for seat, name in enumerate(called):
        looks = _looks(name)
        number = 1 + len({each for look in looks for each in alike.get(look, ())})
        new = f"{name} {number}" if number > 1 else name
        while not taken.isdisjoint(_looks(new)):
            number += 1
            new = f"{name} {number}"
        told.append(new)
        taken |= _looks(new)
        for look in looks:
            alike.setdefault(look, set()).add(seat)
    return tuple(told)


@lru_cache(maxsize=4096)
def _looks(name: str) -> frozenset[str]:
    """How a name looks: in small letters, and in its own where strokes are taken for others."""
    latin = unicodedata.normalize("NFKC", name).translate(LETTERS).replace(" ", "")
    return frozenset({latin.casefold(), latin.translate(STROKES).replace("rn", "m")})


# --- In the reader's language --------------------------------------------------------------------

FRIENDLY: Final = (
    *("Alex", "Andrea", "Charlie", "Dominique", "Eike", "Francis", "Kai", "Kim", "Luca"),
    *("Maxi", "Mika", "Nicola", "Nico", "Robin", "Sam", "Sascha", "Toni", "Yuki"),
)
"""Names for guests who have not given one."""


def friendly_name() -> str:
    """A random name for a guest."""
    return secrets.choice(FRIENDLY)


@lru_cache(maxsize=1024)
def names_for(players: tuple[Player, ...], viewer: Viewer, language: Language) -> tuple[str, ...]:
    """The names of the seats in sentences; the reader is `you`."""
    names = [player.name for player in players]
    called = all_called(names, [player.level for player in players], language)
    return tuple(YOU if seat == viewer else name for seat, name in enumerate(called))


def all_called(names: Sequence[str], levels: Sequence[str], language: Language) -> tuple[str, ...]:
    """People by their own names, bots by the bot's name of the seat, others as a free seat."""
    free = language("free seat")
    called: list[str] = []
    for seat, (name, level) in enumerate(zip(names, levels, strict=True)):
        if name == log.ANONYMOUS:
            called.append(language("anonymous"))
        elif name:
            # A player with this name must not be taken for the reader.
            called.append(f"“{name}”" if is_you(name) else name)
        else:
            called.append(BOTS[seat % len(BOTS)] if level else "")
    if all(called):
        return apart(called)
    # Free seats have no numbers, but nobody can be taken for one.
    told = iter(apart([free, *filter(None, called)])[1:])
    return tuple(next(told) if name else free for name in called)


def level_named(level: str, language: Language, game: AnyGame | None = None) -> str:
    """The title of a level; in a game where it cannot think as it should, with the reason."""
    known = level_of(level)
    return title_of(known, game, language) if game else language(known.title)


def names_on(card: Card, language: Language) -> tuple[str, ...]:
    """The names on a card of the lobby."""
    return all_called(card.names, card.levels, language)


def company(card: Card, own: Collection[int], language: Language) -> str:
    """The other players at a table, if there are any yet: `with Clara and Bruno`."""
    others = [
        name
        for seat, name in enumerate(names_on(card, language))
        if seat not in own and (card.names[seat] or card.levels[seat])
    ]
    return language("with {who}", who=language.listed(others)) if others else ""


def turn_of(card: Card, own: Collection[int], language: Language) -> tuple[str, bool]:
    """Whose turn it is at a table, and whether it is that of a reader with these seats."""
    if card.status is Status.OPEN:
        return language("waiting for players"), False
    if card.late and not own:  # spectators see it later
        return language("being played"), False
    names = names_on(card, language)
    asked = [seat for seat in card.waiting if seat >= 0]
    # While a bot plays for a seat, its owner has nothing to decide.
    if any(seat in own and not card.levels[seat] for seat in asked):
        return language("Your turn"), True
    if not asked:
        return language("waiting for the dice"), False
    if len(asked) == 1:
        return language("{who}'s turn", who=names[asked[0]]), False
    return language("everybody chooses"), False


# --- Who came where -------------------------------------------------------------------------------


class Place(Value):
    """A seat, its place and its points, and what it is called; before the end it has no rank."""

    rank: int
    seat: Seat
    name: str
    points: int | str = 0
    """Empty in a game without points."""


def places_of(outcome: Outcome, names: Sequence[str], language: Language) -> tuple[Place, ...]:
    """Everybody's place, the first first."""
    places = [
        Place(
            rank,
            Seat(seat),
            capital(language.called(names[seat])),
            outcome.points[seat] if outcome.points else "",
        )
        for seat, rank in enumerate(outcome.ranks)
    ]
    return tuple(sorted(places, key=lambda place: place.rank))


def places_said(places: Sequence[Place]) -> str:
    """The places in words: `1. You 70, 2. Bruno 64`."""
    return ", ".join(f"{place.rank}. {place.name} {place.points}".rstrip() for place in places)


class SeatRow(Value):
    """A seat in the list of seats."""

    seat: Seat
    name: str
    points: str
    note: str
    """What the player is doing in the game."""
    you: bool
    now: bool = False
