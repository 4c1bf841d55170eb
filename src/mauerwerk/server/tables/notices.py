"""What viewers are told of the entries of a log: in order, each as that viewer may know it.

What is told once (`Ephemeral`) is in a notice as it happens, and in none that is served later,
until the game is over.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from mauerwerk.core.game import Ephemeral, Seat, Value
from mauerwerk.server.tables.log import Kind, noticed
from mauerwerk.server.tables.table import Logged, Occupant, Player, Status, Table, Viewer


class PublicNotice(Value):
    """What a viewer is told of one entry of the log, as programs get it."""

    number: int
    """How many notices this viewer has been told, including this one."""

    kind: Kind
    seat: Seat | None = None
    """Who did it: a seat, nature (-1), or the host (None)."""

    name: str = ""
    """The person who sat down, has a new name, or entered what nature did."""

    level: str = ""
    """Which bot plays."""

    back_to: int | None = None
    """The first notice that was, or shall be, taken back; what followed from it goes too."""

    table: str = ""
    """Where the rematch is played."""

    ended: str = ""
    """Why the game was ended without a winner."""

    events: tuple[Any, ...] = ()
    """What happened in the game, as this viewer sees it."""


class Notice(PublicNotice):
    """What a viewer is told of one entry of the log, and how it can be put into words."""

    players: tuple[Player, ...] = ()
    """Who played the seats at that time, by whose names the events are told."""

    before: tuple[Player, ...] = ()
    """Who played the seats before, where somebody sat down or left in the middle of a game."""


Notices: TypeAlias = tuple[Notice, ...]


def notices(table: Table, viewer: Viewer, *, after: int = 0, most: int | None = None) -> Notices:
    """What this viewer has been told beyond that number, as it may be told again.

    With `most` it is that many at most.
    """
    again = table.status is not Status.OVER
    log = table.log.noticed(viewer, after=after, most=most)
    return tuple(_notice(table, logged, viewer, [], again=again) for logged in log)


def pages(table: Table, viewer: Viewer, *, after: int, most: int) -> Iterator[Notices]:
    """The same, a page at a time, each made when it is asked for."""
    while told := notices(table, viewer, after=after, most=most):
        yield told
        after = told[-1].number


def new_notices(before: Table, table: Table, viewers: Iterable[Viewer]) -> Mapping[Viewer, Notices]:
    """What these viewers are told, for the first time, of the entries since that table.

    Viewers who are told the same of an entry share the notice of it.
    """
    told: dict[Viewer, list[Notice]] = {viewer: [] for viewer in viewers}
    for logged in table.log[before.seq :]:
        made: list[Notice] = []
        for viewer, heard in told.items():
            if noticed(logged.entry, viewer):
                heard.append(_notice(table, logged, viewer, made, again=False))
    return {viewer: tuple(heard) for viewer, heard in told.items()}


def _notice(
    table: Table, logged: Logged, viewer: Viewer, made: list[Notice], *, again: bool
) -> Notice:
    """The notice of an entry for this viewer: one that was made for another, if it is the same."""
    number = logged.number(viewer)
    events = events_seen(table, logged, viewer)
    if again and any(isinstance(event, Ephemeral) for event in events):
        events = tuple([event for event in events if not isinstance(event, Ephemeral)])
    back_to = None if logged.back_to is None else table.number_of(logged.back_to, viewer)
    for other in made:
        if (other.number, other.back_to, other.events) == (number, back_to, events):
            return other
    entry = logged.entry
    kind = entry.kind
    plays = kind is Kind.BOT or kind is Kind.AWAY
    notice = Notice(
        number=number,
        kind=kind,
        seat=entry.seat,
        name=_named(logged),
        level=entry.word if plays else "",
        back_to=back_to,
        table=entry.word if kind is Kind.REMATCH else "",
        ended=entry.word if kind is Kind.END else "",
        events=events,
        players=logged.players,
        before=_players_before(table, logged),
    )
    made.append(notice)
    return notice


def _players_before(table: Table, logged: Logged) -> tuple[Player, ...]:
    """Who played before somebody took over a seat; nobody where the seat was free."""
    entry = logged.entry
    if entry.kind not in {Kind.SIT, Kind.BOT} or entry.seat is None or not entry.seq:
        return ()
    players = table.log[entry.seq - 1].players
    former = players[entry.seat]
    return players if former.name or former.level else ()


def _named(logged: Logged) -> str:
    """The name of the player who sat down, or is called otherwise now; of the scribe, if any."""
    entry = logged.entry
    if entry.kind in {Kind.SIT, Kind.RENAME} and entry.seat is not None:
        return logged.players[entry.seat].name
    return _scribe(logged)


def _scribe(logged: Logged) -> str:
    """The name, at that time, of the guest who entered what nature did."""
    if not logged.entry.guest:
        return ""
    sat = (occupant for occupant in logged.occupants if occupant.guest == logged.entry.guest)
    return next(sat, Occupant()).name


def events_seen(table: Table, logged: Logged, viewer: Viewer) -> tuple[Any, ...]:
    """What a viewer sees of the events of an entry, with those that are told once."""

    def see() -> tuple[Any, ...]:
        seen = [table.game.seen(event, viewer) for event in logged.events]
        return tuple([event for event in seen if event is not None])

    if not logged.events:
        return ()
    return table.log.seen(logged.entry.seq, viewer, logged.number(viewer), see)
