"""Pages of invitations: asking friends, and the welcome of those who are invited."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.bots.levels import levels_of
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.server.features.invitations.reservations import Reservations
from mauerwerk.server.features.lobby.api import link_to
from mauerwerk.server.games import viewpoint, web_game
from mauerwerk.server.games.room import MIDDLE, WebGame, told_of
from mauerwerk.server.games.viewpoint import Viewpoint, free_seats
from mauerwerk.server.http import identity, seats
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import invited_browser
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.http.seats import hands_out_links, linked, take_seat
from mauerwerk.server.tables import charter, errors
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui.dates import clock_of
from mauerwerk.server.ui.names import friendly_name
from mauerwerk.server.ui.page import Form, PageRequest

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


NO_REFERRER: Final[Header] = (b"referrer-policy", b"no-referrer")


def is_free(table: Table, seat: Seat) -> bool:
    """Whether this seat has no owner."""
    return not table.occupants[seat].guest


async def open_link(request: PageRequest) -> Response:
    """Take the secret out of the address, and keep the seat for this browser for a while."""
    try:
        table = await request.host.table(request.table)
    except errors.NoTableError:
        return request.render("invitations/link_over.html", 404, [NO_REFERRER], table=None)
    token = request.path_params["token"]
    seat = request.host.keys.seat_of(table, token)
    if seat is None or str(seat) != request.path_params["seat"]:
        return _used(request, table)
    guest = request.guest
    headers: list[Header] = [NO_REFERRER]
    if guest is None or guest.id != table.occupants[seat].guest:
        headers.append(identity.keep_tokens(request, request.table, token))
    if is_free(table, seat) and not viewpoint.seats_of(request, table) and _surely_clicked(request):
        browser, cookie = identity.new_invited_browser(request)
        request.app.service(Reservations).keep(request.table, seat, browser)
        headers.append(cookie)
    return redirect(f"/t/{request.table}", headers)


def _used(request: PageRequest, table: Table) -> Response:
    """Why a link leads to no seat, in one sentence, and where to go instead."""
    opener = table.charter.opener
    hosts = [each.name for each in table.occupants if each.guest == opener and each.name]
    room = web_game(table.charter.game, table.charter.rules)
    return request.render(
        "invitations/link_over.html",
        403,
        [NO_REFERRER],
        table=request.table,
        state=table.status,
        full=all(each.taken for each in table.occupants),
        host=hosts[0] if hosts else "",
        room=room,
        symbols=(*room.box.symbols, "i-eye"),
    )


def _surely_clicked(request: Request) -> bool:
    """Whether a browser says that a person opens this page, and not in advance."""
    return (
        request.method == "GET"
        and request.headers.get("sec-fetch-mode") == "navigate"
        and request.headers.get("sec-fetch-dest") == "document"
        and not request.headers.get("sec-purpose")
    )


async def claim(request: PageRequest, form: Form) -> Response:
    """Take a seat whose personal link was opened before."""
    table = await request.host.table(request.table)
    seat = seats.seat_for(request, table, form.number("seat"))
    browser = identity.invited_browser(request)
    if is_free(table, seat) and request.app.service(Reservations).is_others(
        request.table, seat, browser
    ):
        raise HttpError(409, "this seat is kept for somebody else who opened the link", code="kept")
    name = form.get("name", "").strip() or friendly_name()
    guest, headers = request.guest, list[Header]()
    if guest is not None and name != guest.name and is_free(table, seat) and "name" in form:
        headers = request.renamed(name)
        guest = charter.Guest(guest.id, identity.named(name))
        await request.host.claim(request.table, seat, guest)
    else:
        _, headers = await take_seat(request, table, seat, name)
    return redirect(f"/t/{request.table}", headers)


async def put_bot(request: PageRequest, form: Form) -> Response:
    """Let a bot have a free seat, as the player who set up the table wishes."""
    table = await request.host.table(request.table)
    own = seats.own_seats(request, table)
    number = form.number("seat")
    if number is None or number >= table.setup.seats:
        raise HttpError(422, "which seat?", code="seat")
    if not hands_out_links(table, own, request.guest):
        raise HttpError(403, "only the player who set up the table fills its seats")
    levels = levels_of(table.game)
    level = MIDDLE if MIDDLE in levels else next(iter(levels))
    await request.host.put_bot(request.table, Seat(number), level)
    return redirect(f"/t/{request.table}")


async def show(request: PageRequest) -> Response:
    """The personal link to a seat, to be copied, sent or photographed."""
    table, seat = await linked(request)
    return request.render(
        "invitations/link.html",
        box=web_game(table.charter.game, table.charter.rules).box,
        table=request.table,
        seat=seat,
        own=not is_free(table, seat),
        link=link_to(request, table, seat).link,
    )
