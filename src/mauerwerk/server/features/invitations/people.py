"""Invitations among people who have played with each other: sent, answered, and refused."""

from typing import Any

from mauerwerk.core.game import Seat, Value
from mauerwerk.games import GAMES
from mauerwerk.server.features.invitations import store as kept
from mauerwerk.server.features.lobby import pages
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.games import room, web_game
from mauerwerk.server.http import errors, seats
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import NoTableError, RefusedError
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui.names import apart
from mauerwerk.server.ui.page import Form, PageRequest, html_reply


class Invitee(Value):
    """Somebody who can be invited; the word means nothing to anybody else."""

    word: str
    name: str
    games: int
    invited: bool


class InvitationLine(Value):
    """An invitation on the home page."""

    id: str
    name: str
    box: room.Box


def _guest(request: PageRequest) -> Guest:
    if request.guest is None:
        raise errors.HttpError(401, "this is for guests who have played here", code="unknown")
    return request.guest


# --- Inviting --------------------------------------------------------------------------------


async def ask(request: PageRequest) -> Response:
    """The people whom the visitor can invite to a table; a page, or a part of one."""
    await _sits(request)
    guest, table = _guest(request), request.table
    keys = request.host.keys
    already = await kept.invited_to(request.host.store, guest.id, table)
    met = await kept.people_to_invite(request.host.store, guest.id)
    found = tuple(
        Invitee(keys.met_token(guest.id, each.guest), name, each.games, each.guest in already)
        for each, name in zip(met, apart([each.name for each in met]), strict=True)
    )
    at = f"/t/{table}"
    if request.morphs:
        return html_reply(request.text("invitations/people.html", people=found, at=at))
    return request.render(
        "invitations/people_page.html", people=found, at=at, symbols=("i-people",)
    )


async def invite(request: PageRequest, form: Form) -> Response:
    """Invite one of them."""
    await _sits(request)
    guest, table = _guest(request), request.table
    keys, word = request.host.keys, form.get("person", "")
    database = request.host.store
    met = {
        keys.met_token(guest.id, each.guest): each.guest
        for each in await kept.people_to_invite(database, guest.id)
    }
    if word not in met or not await kept.invite(database, guest, met[word], table):
        raise errors.HttpError(409, "this person cannot be invited right now", code="request")
    if request.morphs:
        return await ask(request)
    return redirect(f"/t/{table}/people")


async def _sits(request: PageRequest) -> Table:
    """The table, at which the visitor waits for others. Raises HttpError."""
    table = await request.host.table(request.table)
    if not seats.own_seats(request, table):
        raise errors.HttpError(403, "this is for people who sit at the table")
    if table.status is not Status.OPEN:
        raise errors.HttpError(409, "the game has begun", code="request")
    return table


# --- Being invited ---------------------------------------------------------------------------


async def lines_for(request: PageRequest) -> list[InvitationLine]:
    """The invitations of a visitor, for the home page."""
    if request.guest is None:
        return []
    found = await kept.invitations_of(request.host.store, request.guest.id)
    return [
        InvitationLine(each.id, each.name, web_game(each.card.game).box)
        for each in found
        if each.card.game in GAMES
    ]


async def answer(request: PageRequest, form: Form) -> Response:
    """Sit down, decline, or take no more invitations from this person."""
    guest, store = _guest(request), request.host.store
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
        return await pages.show_again(request, "")
    table = invitation.card.id
    try:
        await _sit_down(request, invitation, guest)
    except (NoTableError, RefusedError):
        await kept.drop_invitation(store, guest.id, id_)
        return await pages.show_again(request, table)
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


async def panel(request: PageRequest) -> list[InvitationLine] | None:
    """The invitations on the home page; None without any."""
    return await lines_for(request) or None


async def section(request: PageRequest, guest: Guest) -> dict[str, Any]:
    """From whom somebody wants no invitations, for their own page."""
    found = await kept.uninvited_by(request.host.store, guest.id)
    keys = request.host.keys
    return {
        "lines": await lines_for(request),
        "nobody": any(each.other == kept.NOBODY for each in found),
        "people": [
            (keys.met_token(guest.id, each.other), each.name)
            for each in found
            if each.other != kept.NOBODY
        ],
    }


async def change(request: PageRequest, form: Form) -> Response:
    """Take invitations from nobody, or from somebody again."""
    guest, store, keys = _guest(request), request.host.store, request.host.keys
    said, word = form.get("all", ""), form.get("person", "")
    if said == "none":
        await kept.refuse_all(store, guest.id)
    elif said == "some":
        await kept.allow(store, guest.id, kept.NOBODY)
    for each in await kept.uninvited_by(store, guest.id):
        if word and keys.met_token(guest.id, each.other) == word:
            await kept.allow(store, guest.id, each.other)
    return redirect("/me#invitations")
