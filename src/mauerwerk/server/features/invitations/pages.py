"""Invitations: personal links to seats, the welcome of those who open one, and people one knows.

A seat whose link somebody has opened is kept for the browser that opened it first. So an invited
friend can look at the rules or the lesson before sitting down, and nobody else with the same link
takes the seat meanwhile. It is kept in memory alone: after a restart the first to sit down has it.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, capital
from mauerwerk.games import GAMES
from mauerwerk.server.features.invitations import store as kept
from mauerwerk.server.features.lobby.api import link_to
from mauerwerk.server.features.lobby.pages import show_again
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.games import room, web_game, web_game_at
from mauerwerk.server.games.viewpoint import Viewpoint, free_seats
from mauerwerk.server.http import identity, seats
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.http.settings import Limits
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import NoTableError, RefusedError
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui.dates import clock_of
from mauerwerk.server.ui.names import apart
from mauerwerk.server.ui.page import Form, PageRequest, html_reply

ICONS: Final = (
    *("i-book", "i-eye", "i-copy", "i-share", "i-mail", "i-bot", "i-people", "i-clock", "i-shield"),
    "i-flag",
)


NO_REFERRER: Final[Header] = (b"referrer-policy", b"no-referrer")
KEPT_SECONDS: Final = 600


class Reservations:
    """For whom seats are kept."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        most: int = Limits().seat_reservations,
    ) -> None:
        """Nothing is kept yet. Beyond this many seats, the oldest are given up."""
        self._most = most
        self._clock = clock
        self._kept: dict[tuple[str, int], tuple[str, float]] = {}

    def keep(self, table: str, seat: int, browser: str) -> None:
        """Keep a seat for this browser from now on, unless it is kept for another."""
        if self.is_others(table, seat, browser):
            return
        self._kept.pop((table, seat), None)
        self._kept[table, seat] = (browser, self._clock() + KEPT_SECONDS)
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

    def is_kept(self, table: str, seat: int) -> bool:
        """Whether somebody has opened the link of this seat lately."""
        return self._kept.get((table, seat), ("", 0.0))[1] > self._clock()

    def is_others(self, table: str, seat: int, browser: str) -> bool:
        """Whether a seat is kept for another browser."""
        return self.is_kept(table, seat) and self._kept[table, seat][0] != browser


# --- The welcome -----------------------------------------------------------------------------


def welcome_at(  # noqa: PLR0913, PLR0917 - all that a welcome depends on
    request: Request,
    table: Table,
    viewpoint: Viewpoint,
    web: room.WebGame,
    names: Sequence[str],
    language: Language,
) -> dict[str, Any] | None:
    """The welcome before a game of a visitor who has opened the link of a free seat."""
    free = free_seats(request, table)
    if not free or viewpoint.own or viewpoint.watching:
        return None
    seat = free[0]
    opener = table.charter.opener
    hosts = [each for each, occupant in enumerate(table.occupants) if occupant.guest == opener]
    guest = request.identity.guest
    others = request.host.service(Reservations).is_others(
        table.charter.id, seat, identity.invited_browser(request)
    )
    return {
        "seat": seat,
        # The player who set up the table, if they sit there.
        "host": names[hosts[0]] if hosts and opener else "",
        "host_seat": hosts[0] if hosts else 0,
        "facts": _facts(table, seat, web, names, language),
        "line": language(web.box.line) if web.box.line else "",
        "lesson": web.lesson is not None,
        "kept": not others,
        "name": guest.name if guest else "",
    }


def _facts(
    table: Table, seat: Seat, web: room.WebGame, names: Sequence[str], language: Language
) -> list[tuple[str, str, str]]:
    """What there is to know of a table: an icon, the main thing, and what belongs to it."""
    clock = clock_of(table.charter.seconds_per_move, table.charter.clock, language)
    lasts = language("about {time}", time=web.box.lasts(language)) if web.box.minutes else ""
    called = [
        f"{name} (bot)" if occupant.level else name
        for name, occupant in zip(names, table.occupants, strict=True)
    ]
    people = [
        language("you") if each == seat else name
        for each, name in enumerate(called)
        if each == seat or table.occupants[each].guest or table.occupants[each].level
    ]
    more = len(names) - len(people)
    if more:
        people.append(language.many(more, "one more", "{number} more"))
    facts = [
        ("i-clock", capital(lasts or clock), clock if lasts else ""),
        (
            "i-people",
            language.many(len(names), "{number} player", "{number} players"),
            language.listed(people),
        ),
    ]
    told = [language(each) for each in room.unusual(web.questions, table.charter.options)]
    if told:
        facts.append(("i-shield", capital(told[0]), ", ".join(told[1:])))
    if table.charter.rated:
        changes = language("the game changes everybody's rating")
        facts.append(("i-flag", capital(language("rated")), changes))
    return facts


def kept_for(request: Request, table: Table) -> tuple[tuple[Seat, bool], ...]:
    """Free seats before a game that are kept for somebody, and whether for somebody else."""
    kept, browser = request.host.service(Reservations), identity.invited_browser(request)
    name = table.charter.id
    return tuple(
        (Seat(seat), kept.is_others(name, seat, browser))
        for seat, occupant in enumerate(table.occupants)
        if not occupant.taken and kept.is_kept(name, seat)
    )


def is_free(table: Table, seat: Seat) -> bool:
    """Whether this seat has no owner."""
    return not table.occupants[seat].guest


def check_kept(request: Request, table: Table, seat: Seat) -> None:
    """Refuse a free seat that is kept for another browser. Raises HttpError."""
    browser, kept = identity.invited_browser(request), request.host.service(Reservations)
    if is_free(table, seat) and kept.is_others(request.table, seat, browser):
        raise HttpError(409, "this seat is kept for somebody else who opened the link", code="kept")


async def open_link(request: PageRequest) -> Response:
    """Take the secret out of the address, and keep the seat for this browser for a while."""
    try:
        table = await request.host.table(request.table)
    except NoTableError:
        return request.render("invitations/link_over.html", 404, [NO_REFERRER], table=None)
    token = request.path_params["token"]
    seat = request.host.keys.seat_of(table, token)
    if seat is None or str(seat) != request.path_params["seat"]:
        if seats.seats_played(request, table):  # a friend opens the used link of their seat again
            return redirect(f"/t/{request.table}", [NO_REFERRER])
        return _used(request, table)
    guest = request.guest
    headers: list[Header] = [NO_REFERRER]
    if guest is None or guest.id != table.occupants[seat].guest:
        headers.append(identity.keep_tokens(request, request.table, token))
    if is_free(table, seat) and not seats.seats_played(request, table) and _surely_clicked(request):
        browser, cookie = identity.new_invited_browser(request)
        request.host.service(Reservations).keep(request.table, seat, browser)
        headers.append(cookie)
    return redirect(f"/t/{request.table}", headers)


def _used(request: PageRequest, table: Table) -> Response:
    """Why a link leads to no seat, in one sentence, and where to go instead."""
    opener = table.charter.opener
    hosts = [each.name for each in table.occupants if each.guest == opener and each.name]
    web = web_game_at(table)
    return request.render(
        "invitations/link_over.html",
        403,
        [NO_REFERRER],
        table=request.table,
        state=table.status,
        full=all(each.taken for each in table.occupants),
        host=hosts[0] if hosts else "",
        room=web,
        symbols=(*web.box.symbols, "i-eye"),
    )


def _surely_clicked(request: Request) -> bool:
    """Whether a browser says that a person opens this page, and not in advance."""
    return (
        request.method == "GET"
        and request.headers.get("sec-fetch-mode") == "navigate"
        and request.headers.get("sec-fetch-dest") == "document"
        and not request.headers.get("sec-purpose")
    )


async def put_bot(request: PageRequest, form: Form) -> Response:
    """Let a bot have a free seat, as the player who set up the table wishes."""
    table = await request.host.table(request.table)
    own = seats.own_seats(request, table)
    number = form.number("seat")
    if number is None or number >= table.setup.seats:
        raise HttpError(422, "which seat?", code="seat")
    if not seats.hands_out_links(table, own, request.guest):
        raise HttpError(403, "only the player who set up the table fills its seats")
    await request.host.put_bot(request.table, Seat(number), room.usual_level(table.game))
    return redirect(f"/t/{request.table}")


async def show(request: PageRequest) -> Response:
    """The personal link to a seat, to be copied, sent or photographed."""
    table, seat = await seats.linked(request)
    return request.render(
        "invitations/link.html",
        box=web_game_at(table).box,
        table=request.table,
        seat=seat,
        own=not is_free(table, seat),
        link=link_to(request, table, seat).link,
    )


# --- Among people who know each other --------------------------------------------------------


async def ask(request: PageRequest) -> Response:
    """The people whom the visitor can invite to a table; a page, or a part of one."""
    await _sits(request)
    guest, table = request.required_guest(), request.table
    keys = request.host.keys
    already = await kept.invited_to(request.host.store, guest.id, table)
    met = await kept.people_to_invite(request.host.store, guest.id)
    found = [
        (keys.met_token(guest.id, each.guest), name, each.games, each.guest in already)
        for each, name in zip(met, apart([each.name for each in met]), strict=True)
    ]
    at = f"/t/{table}"
    if request.morphs:
        return html_reply(request.text("invitations/people.html", people=found, at=at))
    return request.render(
        "invitations/people_page.html", people=found, at=at, symbols=("i-people",)
    )


async def invite(request: PageRequest, form: Form) -> Response:
    """Invite one of them."""
    await _sits(request)
    guest, table = request.required_guest(), request.table
    keys, word = request.host.keys, form.get("person", "")
    database = request.host.store
    met = {
        keys.met_token(guest.id, each.guest): each.guest
        for each in await kept.people_to_invite(database, guest.id)
    }
    if word not in met or not await kept.invite(database, guest, met[word], table):
        raise HttpError(409, "this person cannot be invited right now", code="request")
    return await ask(request) if request.morphs else redirect(f"/t/{table}/people")


async def _sits(request: PageRequest) -> Table:
    """The table, at which the visitor waits for others. Raises HttpError."""
    table = await request.host.table(request.table)
    if not seats.own_seats(request, table):
        raise HttpError(403, "this is for people who sit at the table")
    if table.status is not Status.OPEN:
        raise HttpError(409, "the game has begun", code="request")
    return table


# --- Being invited ---------------------------------------------------------------------------


async def answer(request: PageRequest, form: Form) -> Response:
    """Sit down, decline, or take no more invitations from this person."""
    guest, store = request.required_guest(), request.host.store
    id_ = request.path_params["invitation"]
    match form.get("answer", ""):
        case "yes":
            return await _accept(request, guest, id_)
        case "never":
            await kept.refuse_from(store, guest.id, id_)
        case _:
            await kept.drop_invitation(store, guest.id, id_)
    return redirect("/")


async def _accept(request: PageRequest, guest: Guest, id_: str) -> Response:
    store = request.host.store
    found = await kept.invitations_of(store, guest.id)
    invitation = next((each for each in found if each.id == id_), None)
    if invitation is None:
        return await show_again(request, "")
    table = invitation.card.id
    try:
        await _sit_down(request, invitation, guest)
    except (NoTableError, RefusedError):
        await kept.drop_invitation(store, guest.id, id_)
        return await show_again(request, table)
    await kept.drop_invitation(store, guest.id, id_)
    return redirect(f"/t/{table}")


async def _sit_down(request: PageRequest, invitation: kept.Invitation, guest: Guest) -> None:
    """At an open seat; at one for friends, if the player invites who hands out its links."""
    host, id_ = request.host, invitation.card.id
    table = await host.table(id_)
    kinds = list(zip(table.charter.chairs, table.occupants, strict=True))
    friends = [
        Seat(seat)
        for seat, (chair, occupant) in enumerate(kinds)
        if chair.kind == "human" and not occupant.taken
    ]
    inviter = Guest(invitation.inviter, invitation.name)
    if any(chair.kind == "open" and not each.taken for chair, each in kinds):
        await host.service(Matchmaking).join(id_, guest)
    elif friends and guest.id in table.owners:
        return
    elif friends and seats.hands_out_links(table, (), inviter):
        await host.claim(id_, friends[0], guest)
    else:
        raise NoTableError


# --- Settings --------------------------------------------------------------------------------


async def panel(
    request: PageRequest, guest: Guest
) -> list[tuple[kept.Invitation, room.Box]] | None:
    """The invitations on the home page, each with the box of its game; None without any."""
    found = await kept.invitations_of(request.host.store, guest.id)
    boxes = [(each, web_game(each.card.game).box) for each in found if each.card.game in GAMES]
    return boxes or None


async def section(request: PageRequest, guest: Guest) -> dict[str, Any]:
    """From whom somebody wants no invitations, for their own page."""
    found = await kept.uninvited_by(request.host.store, guest.id)
    keys = request.host.keys
    return {
        "lines": await panel(request, guest) or (),
        "nobody": any(each.other == kept.NOBODY for each in found),
        "people": [
            (keys.met_token(guest.id, each.other), each.name)
            for each in found
            if each.other != kept.NOBODY
        ],
    }


async def change(request: PageRequest, form: Form) -> Response:
    """Take invitations from nobody, or from somebody again."""
    guest, store, keys = request.required_guest(), request.host.store, request.host.keys
    said, word = form.get("all", ""), form.get("person", "")
    if said == "none":
        await kept.refuse_all(store, guest.id)
    elif said == "some":
        await kept.allow(store, guest.id, kept.NOBODY)
    for each in await kept.uninvited_by(store, guest.id):
        if word and keys.met_token(guest.id, each.other) == word:
            await kept.allow(store, guest.id, each.other)
    return redirect("/me#invitations")
