"""Operations at a table: looking, coming and going, playing, taking back."""

from io import BytesIO
from typing import TypeAlias

import segno
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core.errors import StaleMoveError
from mauerwerk.core.game import Seat
from mauerwerk.server.api import messages
from mauerwerk.server.api.table_messages import (
    Problem,
    TableView,
    frame_of,
    notice_messages,
    view_message,
)
from mauerwerk.server.engine.audience import NoticeBatch
from mauerwerk.server.engine.error_texts import sentence_for
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.features.chat.access import seats_played
from mauerwerk.server.features.chat.api import talk_frame
from mauerwerk.server.features.chat.service import Chat, messages_in
from mauerwerk.server.features.lobby.api import link_to
from mauerwerk.server.features.moderation import reports
from mauerwerk.server.features.moderation.state import Subject
from mauerwerk.server.features.spectating import store
from mauerwerk.server.features.spectating.access import seen_by, watcher_of
from mauerwerk.server.features.table import unsupported_tables
from mauerwerk.server.features.table.seats import Refused, acting, linked, player_of, take_seat
from mauerwerk.server.http.errors import WORDS, HttpError
from mauerwerk.server.http.identity import guest_in, own_seats, viewer_for
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.http.response import Response, refuse, reply
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.tables.errors import Reason, RequestError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Table

Answered: TypeAlias = messages.Done | Response
"""The number of what was done; for a request that came too late, the table as it is now."""

# --- Looking ---------------------------------------------------------------------------------


async def look(request: Request, ask: messages.Look) -> TableView:
    """The table as it is now, as you may see it, and what you may do."""
    snapshot = await request.host.snapshot(request.table)
    viewer = viewer_for(request, snapshot.table, ask.seat)
    return view_message(seen_by(request, snapshot), viewer)


async def look_back(request: Request, ask: messages.LookBack) -> messages.Story:
    """What you were told, less what is told only once; after the game, all of it."""
    snapshot = await request.host.snapshot(request.table)
    viewer = viewer_for(request, snapshot.table, ask.seat)
    snapshot = seen_by(request, snapshot)
    told = snapshot.history(viewer, after=ask.after, most=ask.most)
    request.app.limiter.work(request.client, len(told))
    return messages.Story(
        notices=notice_messages(snapshot.table.game, told),
        more=bool(told) and told[-1].number < snapshot.table.number(viewer),
    )


async def follow(request: Request, ask: messages.Follow) -> ASGIApp:
    """What you are told from now on, as server-sent events; the data of each is a Notice."""
    table = await request.host.table(request.table)
    viewer = viewer_for(request, table, ask.seat)
    watcher = watcher_of(request, table)
    after = _left_off(request, ask.after)

    async def may_still() -> bool:
        if viewer is None and watcher is not None:
            return True
        now = await request.host.table(request.table)
        return bool(seats_played(request, now)) if viewer is None else viewer in own_seats_of(now)

    def own_seats_of(now: Table) -> tuple[Seat, ...]:
        try:
            return own_seats(request, now)
        except HttpError:
            return ()

    async def tell(batch: NoticeBatch | None) -> bytes:
        if batch is None or batch.watching or (batch.announcements and not ask.talk):
            return b""
        if batch.announcements:
            said = messages_in(batch)
            return talk_frame(request, await request.host.table(request.table), said)
        return frame_of(table.game, batch)

    missed = 0 if after is None else table.number(viewer) - after
    request.app.limiter.work(request.client, missed)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await request.app.service(Chat).prepare(request.table)
        told = await request.host.subscribe(request.table, viewer, after=after, watcher=watcher)
        try:
            if not await may_still():
                # The seat has changed hands since the first look.
                await refuse(HttpError(403, "that is not your seat"))(scope, receive, send)
                return
            await request.app.service(Streams).serve(told, may_still, scope, receive, send, tell)
        finally:
            told.close()

    return request.app.service(Streams).counted(request.client, serve)


async def follow_game(request: Request, ask: messages.FollowGame) -> messages.Followed:
    """Have a game among those that you follow, or no longer."""
    guest = guest_in(request)
    await request.host.table(request.table)
    change = store.follow if ask.follow else store.unfollow
    await change(request.host.store, guest.id, request.table)
    return messages.Followed(follows=ask.follow)


async def see_watchers(request: Request, ask: messages.Nothing) -> messages.Watchers:
    """Who watches the table."""
    del ask
    await request.host.table(request.table)
    watchers = await request.host.watchers(request.table)
    names = sorted(each.name for each in watchers if each.name)
    return messages.Watchers(names=tuple(names), guests=len(watchers) - len(names))


def _left_off(request: Request, after: int | None) -> int | None:
    """Where a reader left off: what the browser says when it comes back goes first."""
    said = request.headers.get("last-event-id")
    if said is None:
        return after
    number = whole_number(said)
    if number is None:
        raise HttpError(422, "Last-Event-ID is a number", word="query")
    return number


async def read_record(request: Request, ask: messages.Nothing) -> Response:
    """A finished game on paper, as text that replays."""
    del ask
    text = await request.host.record(request.table)
    return Response(text.encode(), b"text/plain; charset=utf-8")


async def advise(request: Request, ask: messages.Advise) -> messages.Advices:
    """What a strong bot would think about at your seat, the best first."""
    actor = await acting(request, ask.seat)
    game = actor.table.game
    return messages.Advices(
        hints=tuple(
            messages.Advice(
                word=game.write(hint.action),
                say=game.say(hint.action),
                value=hint.value,
                reason=hint.reason,
            )
            for hint in await request.host.hints(actor.table, actor.seat)
        )
    )


# --- Coming and going ------------------------------------------------------------------------


async def sit(request: Request, ask: messages.Sit) -> messages.Seated:
    """Take an open seat."""
    guest = guest_in(request)
    wanted = None if ask.seat is None else Seat(ask.seat)
    receipt = await request.host.sit(request.table, wanted, guest, ask.key)
    return _seated(request, _seat_taken(receipt.table, guest, ask.key), receipt)


def _seat_taken(table: Table, guest: Guest, key: str) -> Seat:
    """Where this guest sat down last, or with this key, if the seat is still theirs."""
    for logged in reversed(table.log.noticed(None)):
        entry = logged.entry
        if entry.kind is Kind.SIT and entry.guest == guest.id and entry.key == key:
            assert entry.seat is not None
            if table.occupants[entry.seat].guest == guest.id:
                return entry.seat
            break
    raise RequestError(Reason.SEAT_LEFT)


async def claim(request: Request, ask: messages.Claim) -> Response:
    """Come by a personal link. A seat that nobody has becomes yours, and gets a new link."""
    table = await request.host.table(request.table)
    seat = request.host.keys.seat_of(table, ask.token)
    if seat is None:
        raise HttpError(403, "this link no longer works", word="link")
    receipt, headers = await take_seat(request, table, seat, ask.name)
    return reply(_seated(request, seat, receipt), 200, headers)


def _seated(request: Request, seat: Seat, receipt: Receipt) -> messages.Seated:
    token = request.host.keys.seat_token(receipt.table, seat)
    return messages.Seated(number=receipt.number, seat=seat, token=token)


async def stand(request: Request, ask: messages.Leave) -> Answered:
    """Leave: before the game the seat is free again, then a bot plays on for good."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.stand, ask.key))


async def hand_over(request: Request, ask: messages.HandOver) -> Answered:
    """Let a bot play for you until you are back."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.hand_over, ask.level, ask.key))


async def come_back(request: Request, ask: messages.Leave) -> Answered:
    """Play again yourself."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.come_back, ask.key))


async def rest(request: Request, ask: messages.Leave) -> Answered:
    """Take one of your days off: you have a day more for this decision."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.rest, ask.key))


async def see_link(request: Request, ask: messages.Nothing) -> messages.Link:
    """The personal link to your seat, or to one that is still kept for somebody."""
    del ask
    table, seat = await linked(request)
    return link_to(request, table, seat)


async def see_qr_code(request: Request, ask: messages.Nothing) -> Response:
    """The personal link as a picture, for a telephone."""
    del ask
    table, seat = await linked(request)
    picture = BytesIO()
    code = segno.make(link_to(request, table, seat).link, micro=False)
    code.save(picture, kind="svg", xmldecl=False, border=4, scale=8, light="white")
    return Response(picture.getvalue(), b"image/svg+xml")


# --- Playing ---------------------------------------------------------------------------------


async def move(request: Request, ask: messages.Move) -> Answered:
    """Play a word; until others have seen it, another word replaces it."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.move, ask.word, ask.version, ask.key))


async def enter(request: Request, ask: messages.Enter) -> Answered:
    """Say what was rolled, drawn or dealt, at a table where people do that themselves."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.enter, ask.word, ask.version, ask.key))


async def take_back(request: Request, ask: messages.Undo) -> Answered:
    """Take back your last move, or ask the others whether you may."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.undo, ask.version, ask.key))


async def consent(request: Request, ask: messages.Consent) -> Answered:
    """Say whether somebody may take back their move."""
    actor = await acting(request, ask.seat)
    return _done(actor.seat, await actor.ask(request.host.consent, agree=ask.agree, key=ask.key))


async def end_frozen(request: Request, ask: messages.Nothing) -> messages.Ended:
    """End a game without a winner whose rules this server does not have; you must sit there."""
    del ask
    await unsupported_tables.end(request.host.store, request.table, guest_in(request))
    return messages.Ended(table=request.table)


async def rematch(request: Request, ask: messages.Nothing) -> messages.Elsewhere:
    """Play again, at another table, which is the same for all who ask."""
    del ask
    table = await request.host.table(request.table)
    return messages.Elsewhere(
        table=await request.host.rematch(request.table, player_of(request, table))
    )


async def report(request: Request, ask: messages.NewReport) -> messages.Reported:
    """Tell the people who run the server about a player at your table."""
    await reports.report(request, ask.seat, Subject(ask.about), ask.text)
    return messages.Reported()


def _done(seat: Seat, answer: Receipt | Refused) -> Answered:
    """The number of what was done. A request that came too late gets the table as it is now."""
    if isinstance(answer, Receipt):
        return messages.Done(number=answer.number)
    if isinstance(answer.error, StaleMoveError):
        now = view_message(answer.snapshot, seat)
        problem = Problem(WORDS[409], sentence_for(answer.error), table_view=now)
        return reply(problem, 409)
    raise answer.error
