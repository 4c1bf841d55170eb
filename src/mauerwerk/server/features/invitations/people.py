"""Invitations among people who have played with each other: sent, answered, and refused."""

from functools import partial
from typing import Any

from mauerwerk.core.game import Seat, Value
from mauerwerk.games import GAMES
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.invitations import store as kept
from mauerwerk.server.features.invitations.store import Invitation
from mauerwerk.server.features.lobby import pages
from mauerwerk.server.features.lobby.api import hands_out_links
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Box
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import own_seats
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import NoTableError, RefusedError
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.names import apart
from mauerwerk.server.ui.page import PageRequest, html_reply

BY = "invitation"


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
    box: Box


def _guest(request: PageRequest) -> Guest:
    if request.guest is None:
        raise HttpError(401, "this is for guests who have played here", word="unknown")
    return request.guest


# --- Inviting --------------------------------------------------------------------------------


async def ask(request: PageRequest) -> Response:
    """The people whom the visitor can invite to a table; a page, or a part of one."""
    await _sits(request)
    guest, table = _guest(request), request.table
    keys = request.host.keys

    def read(transaction: Transaction) -> tuple[Invitee, ...]:
        already = kept.invited_to(transaction, guest.id, table)
        met = kept.people_to_invite(transaction, guest.id)
        return tuple(
            Invitee(keys.met_token(guest.id, each.guest), name, each.games, each.guest in already)
            for each, name in zip(met, apart([each.name for each in met]), strict=True)
        )

    found = await request.host.store.read(read)
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

    def work(transaction: Transaction) -> bool:
        met = {
            keys.met_token(guest.id, each.guest): each.guest
            for each in kept.people_to_invite(transaction, guest.id)
        }
        return word in met and kept.invite(transaction, guest, met[word], table)

    if not await request.host.store.write(BY, work):
        raise HttpError(409, "this person cannot be invited right now", word="request")
    if request.morphs:
        return await ask(request)
    return redirect(f"/t/{table}/people")


async def _sits(request: PageRequest) -> Table:
    """The table, at which the visitor waits for others. Raises HttpError."""
    table = await request.host.table(request.table)
    if not own_seats(request, table):
        raise HttpError(403, "this is for people who sit at the table")
    if table.status is not Status.OPEN:
        raise HttpError(409, "the game has begun", word="request")
    return table


# --- Being invited ---------------------------------------------------------------------------


async def lines_for(request: PageRequest) -> list[InvitationLine]:
    """The invitations of a visitor, for the home page."""
    if request.guest is None:
        return []
    found = await request.host.store.read(partial(kept.invitations_of, guest=request.guest.id))
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
            await store.write(BY, partial(kept.refuse_from, guest=guest.id, invitation=id_))
        case _:
            await store.write(BY, partial(kept.drop_invitation, guest=guest.id, invitation=id_))
    return redirect("/")


async def _accept(request: PageRequest, guest: Guest, id_: str) -> Response:
    store = request.host.store
    found = await store.read(partial(kept.invitations_of, guest=guest.id))
    invitation = next((each for each in found if each.id == id_), None)
    if invitation is None:
        return await pages.show_again(request, "")
    table = invitation.card.id
    try:
        await _sit_down(request, invitation, guest)
    except (NoTableError, RefusedError):
        await store.write(BY, partial(kept.drop_invitation, guest=guest.id, invitation=id_))
        return await pages.show_again(request, table)
    await store.write(BY, partial(kept.drop_invitation, guest=guest.id, invitation=id_))
    return redirect(f"/t/{table}")


async def _sit_down(request: PageRequest, invitation: Invitation, guest: Guest) -> None:
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
    elif friends and hands_out_links(table, (), inviter):
        await host.claim(id_, friends[0], guest)
    else:
        raise NoTableError(id_)


# --- Settings --------------------------------------------------------------------------------


async def section(request: PageRequest, guest: Guest) -> dict[str, Any]:
    """From whom somebody wants no invitations, for their own page."""
    found = await request.host.store.read(partial(kept.uninvited_by, guest=guest.id))
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

    def work(transaction: Transaction) -> None:
        if said == "none":
            kept.refuse_all(transaction, guest.id)
        elif said == "some":
            kept.allow(transaction, guest.id, kept.NOBODY)
        for each in kept.uninvited_by(transaction, guest.id):
            if word and keys.met_token(guest.id, each.other) == word:
                kept.allow(transaction, guest.id, each.other)

    await store.write(BY, work)
    return redirect("/me#invitations")
