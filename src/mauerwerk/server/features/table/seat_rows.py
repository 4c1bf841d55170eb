"""The list of seats beside a table: who sits there, and how a free one can be taken."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.games import game_of
from mauerwerk.server.features.lobby.api import link_to
from mauerwerk.server.features.table.view_model import SeatClock, SeatRow
from mauerwerk.server.games.room import Parts
from mauerwerk.server.games.viewpoint import Viewpoint, free_seats
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.seats import hands_out_links
from mauerwerk.server.tables.charter import SLOW
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.table_views import TableView
from mauerwerk.server.ui.dates import MINUTE, SOON
from mauerwerk.server.ui.names import level_named

LOW: Final = 10_000
"""Milliseconds below which a time is marked, however short it was from the beginning."""


def tags_of(
    table_view: TableView, seat: Seat, present: Sequence[Seat], language: Language
) -> tuple[str, ...]:
    """What there is to know of a seat apart from the game."""
    place = table_view.places[seat]
    tags: list[str] = []
    if place.away:
        tags.append(language("away, a bot plays"))
    elif place.level:
        tags.append(level_named(place.level, language, game_of(table_view.game, table_view.rules)))
    elif (
        table_view.status is Status.RUNNING
        and place.asked
        and seat not in {*present, table_view.seat}
    ):
        tags.append(language("not here"))
    return tuple(tags)


def seat_rows(  # noqa: PLR0913, PLR0917 - all that is known of the seats
    request: Request,
    table: Table,
    table_view: TableView,
    viewpoint: Viewpoint,
    names: Sequence[str],
    parts: Parts | None,
    tags: Sequence[tuple[str, ...]],
    language: Language,
) -> tuple[SeatRow, ...]:
    """A line for each seat, with how the visitor can take it."""
    lines: list[SeatRow] = []
    claims = free_seats(request, table)
    for seat, place in enumerate(table_view.places):
        free = not table.occupants[seat].taken
        handed_on = free and place.kind == "human" and hands_out_links(table, viewpoint.own)
        lines.append(
            SeatRow(
                seat=Seat(seat),
                name=capital(language.called(names[seat])),
                points=parts.seats[seat].points if parts else "",
                note=parts.seats[seat].note
                if parts
                else _kept(place.kind, free=free, language=language),
                tags=tags[seat],
                now=place.asked,
                you=seat == table_view.seat,
                free=free,
                link=link_to(request, table, Seat(seat)).link if handed_on else "",
                clock=clock_at(table_view, seat),
                sits=_way_in(request, table, Seat(seat), claims),
            )
        )
    return tuple(lines)


def clock_at(table_view: TableView, seat: int) -> SeatClock | None:
    """The time of a seat, if it has any to show: it runs, or is left for the rest of the game."""
    if table_view.status is not Status.RUNNING or not table_view.times:
        return None
    if not table_view.places[seat].name:  # a bot does not use its time
        return None
    time, total = table_view.times[seat], table_view.clock.total
    if time.until is None and time.left is None:
        return None
    limit = total or table_view.pace
    low = SOON if limit >= SLOW else max(LOW, 100 * limit)
    shown = time.left if time.left is not None else 1_000 * table_view.pace
    return SeatClock(
        until=time.until,
        left=time.left if time.until is None else None,
        low=low,
        said=f"{shown // MINUTE}:{shown // 1_000 % 60:02}",
    )


def _kept(kind: str, *, free: bool, language: Language) -> str:
    if not free:
        return ""
    return language("for anyone") if kind == "open" else language("for anyone with the link")


def _way_in(request: Request, table: Table, seat: Seat, claims: Sequence[Seat]) -> str:
    """How the visitor can take this seat, if nobody has it."""
    guest = request.identity.guest.id if request.identity.guest else ""
    free = table.occupants[seat].is_free(guest, request.host.now())
    if not free or table.status is Status.OVER:
        return ""
    if seat in claims:
        return "claim"
    return "sit" if table.charter.chairs[seat].kind == "open" else ""
