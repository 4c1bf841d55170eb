"""Operations at a table: looking, coming and going, playing, taking back."""

from collections.abc import Awaitable
from io import BytesIO

import segno
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.game import Seat, StaleMoveError
from mauerwerk.play.host.host import Receipt
from mauerwerk.play.tables.entries import Kind
from mauerwerk.play.tables.errors import RequestError
from mauerwerk.play.tables.requests import Guest
from mauerwerk.play.tables.sights import TableView
from mauerwerk.play.tables.table import Table
from mauerwerk.web.api.lobby import hands_out_links, link_to
from mauerwerk.web.api.operation import Call, whole_number
from mauerwerk.web.http import wire
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.identity import (
    guest_cookie,
    guest_in,
    keep_tokens,
    new_guest,
    own_seats,
    seat_for,
    viewer_for,
)
from mauerwerk.web.http.replies import Header, Reply, refuse, reply

# --- Looking ---------------------------------------------------------------------------------


async def look(call: Call, ask: wire.Look) -> TableView:
    """The table as it is now, as you may see it, and what you may do."""
    table = await call.host.table(call.table)
    viewer = viewer_for(call.host, table, call.caller, ask.seat)
    return await call.host.table_view(call.table, viewer)


async def look_back(call: Call, ask: wire.LookBack) -> wire.Story:
    """What you were told, less what is told only once; after the game, all of it."""
    table = await call.host.table(call.table)
    viewer = viewer_for(call.host, table, call.caller, ask.seat)
    return wire.Story(notices=await call.host.story(call.table, viewer, after=ask.after))


async def follow(call: Call, ask: wire.Follow) -> ASGIApp:
    """What you are told from now on, as server-sent events; the data of each is a Notice."""
    table = await call.host.table(call.table)
    viewer = viewer_for(call.host, table, call.caller, ask.seat)
    after = _left_off(call, ask.after)

    async def may_still() -> bool:
        return viewer in own_seats_of(await call.host.table(call.table))

    def own_seats_of(now: Table) -> tuple[Seat, ...]:
        try:
            return own_seats(call.host, now, call.caller)
        except Fault:
            return ()

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        told = await call.host.subscribe(call.table, viewer, after=after)
        try:
            if viewer is not None and not await may_still():
                # Somebody else got the seat between the first look and this.
                await refuse(Fault(403, "that is not your seat"))(scope, receive, send)
                return
            await call.site.streams.serve(told, may_still, scope, receive, send)
        finally:
            told.close()

    return call.site.streams.counted(call.visit.client, serve)


def _left_off(call: Call, after: int | None) -> int | None:
    """Where a reader left off: what the browser says when it comes back goes first."""
    said = call.visit.headers.get("last-event-id")
    if said is None:
        return after
    number = whole_number(said)
    if number is None:
        raise Fault(422, "Last-Event-ID is a number", word="query")
    return number


async def read_record(call: Call, ask: wire.Nothing) -> Reply:
    """A finished game on paper, as text that replays."""
    del ask
    text = await call.host.record(call.table)
    return Reply(text.encode(), b"text/plain; charset=utf-8")


async def advise(call: Call, ask: wire.Advise) -> wire.Advices:
    """What a strong bot would think about at your seat, the best first."""
    table, seat = await _acting(call, ask.seat)
    found = await call.host.hints(call.table, seat)
    return wire.Advices(
        hints=tuple(
            wire.Advice(
                word=table.game.write(hint.action),
                say=table.game.say(hint.action),
                value=hint.value,
                reason=hint.reason,
            )
            for hint in found
        )
    )


# --- Coming and going ------------------------------------------------------------------------


async def sit(call: Call, ask: wire.Sit) -> wire.Seated:
    """Take an open seat."""
    guest = guest_in(call.caller)
    wanted = None if ask.seat is None else Seat(ask.seat)
    receipt = await call.host.sit(call.table, wanted, guest, ask.key)
    table = await call.host.table(call.table)
    return _seated(call, table, _seat_taken(table, guest, ask.key), receipt)


def _seat_taken(table: Table, guest: Guest, key: str) -> Seat:
    """Where this guest sat down last, or with this key, if the seat is still theirs."""
    for logged in reversed(table.log):
        entry = logged.entry
        if entry.kind is Kind.SIT and entry.guest == guest.id and entry.key == key:
            assert entry.seat is not None
            if table.occupants[entry.seat].guest == guest.id:
                return entry.seat
            break
    raise RequestError("you have left this seat already")


async def claim(call: Call, ask: wire.Claim) -> Reply:
    """Come by a personal link. A seat that nobody has becomes yours, and gets a new link."""
    table = await call.host.table(call.table)
    seat = call.host.keys.seat_of(table, ask.token)
    if seat is None:
        raise Fault(403, "this link is not good any more", word="link")
    return reply(*await take_seat(call, table, seat, ask.name))


async def take_seat(
    call: Call, table: Table, seat: Seat, name: str
) -> tuple[wire.Seated, int, list[Header]]:
    """Somebody has the link to a seat: what they are answered, and the cookies they get.

    A seat that is somebody's stays theirs; whoever has its link plays it too, on another device.
    """
    occupant = table.occupants[seat]
    guest = call.caller.guest
    headers: list[Header] = []
    if occupant.guest and (guest is None or guest.id != occupant.guest):
        token = call.host.keys.seat_token(table, seat)
        headers.append(keep_tokens(call.visit, call.table, token))
        guest = Guest(occupant.guest, occupant.name)
    elif guest is None:
        call.site.limiter.guest(call.visit.client)
        guest = new_guest(name)
        headers.append(guest_cookie(call.host, call.visit, guest))
    receipt = await call.host.claim(call.table, seat, guest)
    seated = _seated(call, await call.host.table(call.table), seat, receipt)
    return seated, 200, headers


def _seated(call: Call, table: Table, seat: Seat, receipt: Receipt) -> wire.Seated:
    token = call.host.keys.seat_token(table, seat)
    return wire.Seated(number=receipt.number, seat=seat, token=token)


async def stand(call: Call, ask: wire.Leave) -> wire.Done:
    """Leave: before the game the seat is free again, then a bot plays on for good."""
    table, seat = await _acting(call, ask.seat)
    tenure = table.occupants[seat].tenure
    return await _done(call, seat, call.host.stand(call.table, seat, ask.key, tenure=tenure))


async def hand_over(call: Call, ask: wire.HandOver) -> wire.Done:
    """Let a bot play for you until you are back."""
    table, seat = await _acting(call, ask.seat)
    tenure = table.occupants[seat].tenure
    request = call.host.hand_over(call.table, seat, ask.level, ask.key, tenure=tenure)
    return await _done(call, seat, request)


async def come_back(call: Call, ask: wire.Leave) -> wire.Done:
    """Play again yourself."""
    table, seat = await _acting(call, ask.seat)
    tenure = table.occupants[seat].tenure
    return await _done(call, seat, call.host.come_back(call.table, seat, ask.key, tenure=tenure))


async def see_link(call: Call, ask: wire.Nothing) -> wire.Link:
    """The personal link to your seat, or to one that is still kept for somebody."""
    del ask
    table, seat = await linked(call)
    return link_to(call, table, seat)


async def see_qr_code(call: Call, ask: wire.Nothing) -> Reply:
    """The personal link as a picture, for a telephone."""
    del ask
    table, seat = await linked(call)
    picture = BytesIO()
    code = segno.make(link_to(call, table, seat).link, micro=False)
    code.save(picture, kind="svg", xmldecl=False, border=4, scale=8, light="white")
    return Reply(picture.getvalue(), b"image/svg+xml")


async def linked(call: Call) -> tuple[Table, Seat]:
    """A seat whose link the caller may see. Raises Fault."""
    table = await call.host.table(call.table)
    number = whole_number(call.path["seat"])
    if number is None or number >= table.setup.seats:
        raise Fault(404, "there is no such seat")
    seat = Seat(number)
    own = own_seats(call.host, table, call.caller)
    kept = table.charter.chairs[seat].kind == "human" and not table.occupants[seat].taken
    guest = call.caller.guest
    if seat not in own and not (kept and hands_out_links(table, own, guest)):
        seat_for(call.host, table, call.caller, seat)
    return table, seat


# --- Playing ---------------------------------------------------------------------------------


async def move(call: Call, ask: wire.Move) -> wire.Done:
    """Play a word; until others have seen it, another word replaces it."""
    table, seat = await _acting(call, ask.seat)
    tenure = table.occupants[seat].tenure
    request = call.host.move(call.table, seat, ask.word, ask.version, ask.key, tenure=tenure)
    return await _done(call, seat, request)


async def enter(call: Call, ask: wire.Enter) -> wire.Done:
    """Say what was rolled, drawn or dealt, at a table where people do that themselves."""
    table, seat = await _acting(call, ask.seat)
    tenure = table.occupants[seat].tenure
    request = call.host.enter(call.table, seat, ask.word, ask.version, ask.key, tenure=tenure)
    return await _done(call, seat, request)


async def take_back(call: Call, ask: wire.Undo) -> wire.Done:
    """Take back your last move, or ask the others whether you may."""
    table, seat = await _acting(call, ask.seat)
    tenure = table.occupants[seat].tenure
    request = call.host.undo(call.table, seat, ask.version, ask.key, tenure=tenure)
    return await _done(call, seat, request)


async def consent(call: Call, ask: wire.Consent) -> wire.Done:
    """Say whether somebody may take back their move."""
    table, seat = await _acting(call, ask.seat)
    tenure = table.occupants[seat].tenure
    request = call.host.consent(call.table, seat, agree=ask.agree, key=ask.key, tenure=tenure)
    return await _done(call, seat, request)


async def rematch(call: Call, ask: wire.Nothing) -> wire.Elsewhere:
    """Play again, at another table, which is the same for all who ask."""
    del ask
    table = await call.host.table(call.table)
    return wire.Elsewhere(table=await call.host.rematch(call.table, player_of(call, table)))


def player_of(call: Call, table: Table) -> Guest:
    """Who the caller is at this table: whose seat they play. Raises Fault.

    Who plays a seat by its link, on another device, is its owner, whoever they are elsewhere.
    """
    own = own_seats(call.host, table, call.caller)
    if not own:
        seat_for(call.host, table, call.caller, None)
    occupants = [table.occupants[seat] for seat in own]
    owners = [Guest(occupant.guest, occupant.name) for occupant in occupants if occupant.guest]
    if not owners:
        raise Fault(403, "nobody sits there yet")
    guest = call.caller.guest
    return guest if guest and guest.id in {owner.id for owner in owners} else owners[0]


async def _acting(call: Call, wanted: int | None) -> tuple[Table, Seat]:
    """The table, and the seat that the caller acts for. Raises Fault."""
    table = await call.host.table(call.table)
    return table, seat_for(call.host, table, call.caller, wanted)


async def _done(call: Call, seat: Seat, request: Awaitable[Receipt]) -> wire.Done:
    """The number of what was done; who came too late gets the table as it is."""
    try:
        return wire.Done(number=(await request).number)
    except StaleMoveError as error:
        now = await call.host.table_view(call.table, seat)
        raise Fault(409, str(error), table_view=now) from None
