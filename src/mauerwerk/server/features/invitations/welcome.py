"""The welcome of an invited friend: who invites, to what, for how long, and with whom."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.server.features.invitations.reservations import Reservations
from mauerwerk.server.games.room import WebGame, told_of
from mauerwerk.server.games.viewpoint import Viewpoint, free_seats
from mauerwerk.server.http.identity import invited_browser
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui.dates import clock_of

ICONS: Final = (
    *("i-book", "i-eye", "i-copy", "i-share", "i-mail", "i-bot", "i-people", "i-clock", "i-shield"),
    "i-flag",
)
"""The signs of the pages on which a table waits for players."""


class Fact(Value):
    """What there is to know of a table: the main thing, and what belongs to it."""

    icon: str
    main: str
    more: str


class Welcome(Value):
    """What an invited friend is told."""

    seat: Seat
    host: str
    """The name of the player who set up the table; empty where they do not sit there."""

    host_seat: int
    facts: tuple[Fact, ...]
    line: str
    """What the game is about."""

    lesson: bool
    kept: bool
    """Whether the seat is kept for the reader, and not for somebody else."""

    name: str
    """The name of a guest who was here before."""


def welcome_at(  # noqa: PLR0913, PLR0917 - all that a welcome depends on
    request: Request,
    table: Table,
    viewpoint: Viewpoint,
    room: WebGame,
    names: Sequence[str],
    language: Language,
) -> Welcome | None:
    """The welcome of a visitor who has opened the link of a free seat, and has none yet."""
    free = free_seats(request, table)
    if not free or viewpoint.own or viewpoint.watching or table.status is not Status.OPEN:
        return None
    seat = free[0]
    opener = table.charter.opener
    hosts = [each for each, occupant in enumerate(table.occupants) if occupant.guest == opener]
    guest = request.identity.guest
    others = request.app.service(Reservations).is_others(
        table.charter.id, seat, invited_browser(request)
    )
    return Welcome(
        seat=seat,
        host=names[hosts[0]] if hosts and opener else "",
        host_seat=hosts[0] if hosts else 0,
        facts=_facts(table, seat, room, names, language),
        line=language(room.box.line) if room.box.line else "",
        lesson=room.lesson is not None,
        kept=not others,
        name=guest.name if guest else "",
    )


def _facts(
    table: Table, seat: Seat, room: WebGame, names: Sequence[str], language: Language
) -> tuple[Fact, ...]:
    clock = clock_of(table.charter.seconds_per_move, table.charter.clock, language)
    lasts = language("about {time}", time=room.box.lasts(language)) if room.box.minutes else ""
    people = [
        language("you") if each == seat else name
        for each, name in enumerate(_called(names, table))
        if each == seat or table.occupants[each].guest or table.occupants[each].level
    ]
    more = len(names) - len(people)
    if more:
        people.append(language.many(more, "one more", "{number} more"))
    facts = [
        Fact("i-clock", capital(lasts or clock), clock if lasts else ""),
        Fact(
            "i-people",
            language.many(len(names), "{number} player", "{number} players"),
            language.listed(people),
        ),
    ]
    told = [language(each) for each in told_of(room.questions, table.charter.options)]
    if told:
        facts.append(Fact("i-shield", capital(told[0]), ", ".join(told[1:])))
    if table.charter.rated:
        changes = language("the game changes everybody's rating")
        facts.append(Fact("i-flag", capital(language("rated")), changes))
    return tuple(facts)


def _called(names: Sequence[str], table: Table) -> list[str]:
    """People by their names, others by what they are."""
    return [
        f"{name} (bot)" if occupant.level else name
        for name, occupant in zip(names, table.occupants, strict=True)
    ]


def opened_seats(request: Request, table: Table) -> tuple[Seat, ...]:
    """Free seats whose links somebody has opened lately."""
    return tuple(seat for seat, _ in kept_for(request, table))


def kept_for(request: Request, table: Table) -> tuple[tuple[Seat, bool], ...]:
    """Free seats that are kept for somebody, and whether for somebody else."""
    if table.status is not Status.OPEN:
        return ()
    kept, browser = request.app.service(Reservations), invited_browser(request)
    name = table.charter.id
    return tuple(
        (Seat(seat), kept.is_others(name, seat, browser))
        for seat, occupant in enumerate(table.occupants)
        if not occupant.taken and kept.is_kept(name, seat)
    )
