"""Operations at a table: looking, coming and going, playing, taking back."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta
from starlette.types import ASGIApp

from mauerwerk.core.errors import IllegalMoveError, MoveError, StaleMoveError
from mauerwerk.core.game import Seat
from mauerwerk.server.api import operation, table_messages
from mauerwerk.server.engine.audience import NoticeBatch
from mauerwerk.server.engine.snapshot import Receipt
from mauerwerk.server.features.chat import api, service
from mauerwerk.server.features.lobby.api import Link, link_to
from mauerwerk.server.features.matchmaking.service import Matchmaking
from mauerwerk.server.features.moderation.service import report as send_report
from mauerwerk.server.features.moderation.state import Subject
from mauerwerk.server.features.spectating import store as follows
from mauerwerk.server.features.spectating.pages import seen_by, watcher_of
from mauerwerk.server.features.table import store
from mauerwerk.server.features.table.live import table_stream
from mauerwerk.server.http import identity, response, seats
from mauerwerk.server.http.errors import CODES, HttpError
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.tables import charter, errors, log, requests
from mauerwerk.server.tables.table import Table
from mauerwerk.server.ui.markup import qr_code

OPERATIONS: Final = operation.Operations()


class Look(operation.Ask):
    """Through whose eyes."""

    seat: operation.Viewing = None


class GetHistory(operation.Ask):
    """Through whose eyes, and from where on."""

    seat: operation.Viewing = None
    after: Annotated[int, Meta(ge=0, description="What you have already been told.")] = 0
    limit: Annotated[int, Meta(ge=1, le=500, description="How many notices at most.")] = 200


class Follow(operation.Ask):
    """Through whose eyes, and from where on; the header `Last-Event-ID` says it too."""

    seat: operation.Viewing = None
    after: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="What you have already been told; else from now on."),
    ] = None
    chat: Annotated[
        bool, Meta(description="Whether to send what is said, too, as events named `chat`.")
    ] = False


class FollowGame(operation.Ask):
    """Whether to follow a game."""

    follow: Annotated[bool, Meta(description="False: no longer.")] = True


class Sit(operation.Ask):
    """Which seat to take."""

    seat: Annotated[int | None, Meta(description="An open seat; any, where none is named.")] = None
    idempotency_key: operation.IdempotencyKey = ""


class Claim(operation.Ask):
    """The secret of a personal link, and who comes by it."""

    token: Annotated[str, Meta(max_length=200)]
    """The last part of a personal link."""
    name: Annotated[str, Meta(max_length=identity.LONGEST_NAME)] = ""
    """How others see you, if you are no guest yet."""


class AtSeat(operation.Ask, kw_only=True):
    """At which seat something is done."""

    seat: operation.Which = None
    idempotency_key: operation.IdempotencyKey = ""


class HandOver(AtSeat, kw_only=True):
    """Which bot plays for whom."""

    level: Annotated[str, Meta(max_length=64, description="One of `levels` in `/api/games`.")]


class Move(AtSeat, kw_only=True):
    """A word of the game's notation."""

    move: Annotated[str, Meta(max_length=200, description="One of `legal` in the table view.")]
    version: operation.Version


class Enter(AtSeat, kw_only=True):
    """What was rolled, drawn or dealt, as a word of nature's."""

    move: Annotated[str, Meta(max_length=200)]
    """As a record has it behind `~:`, such as `*Wgr`."""
    version: operation.Version


class Undo(AtSeat, kw_only=True):
    """Whose last move is taken back."""

    version: operation.Version


class Consent(AtSeat, kw_only=True):
    """Whether a move may be taken back."""

    agree: bool


class NewReport(operation.Ask):
    """What to tell the people who run the server."""

    seat: int | None = None
    """Whose seat; none: the whole table."""
    about: Literal["name", "behaviour", "table"] = "behaviour"
    """What it is about."""
    text: Annotated[str, Meta(max_length=300)] = ""
    """What happened, if you like."""


class AskWhy(operation.Ask, kw_only=True):
    """About which move, and at which seat."""

    seat: operation.Which = None
    move: Annotated[str, Meta(max_length=200, description="A word of the game's notation.")]


class Advise(operation.Ask):
    """Whom to advise."""

    seat: operation.Which = None


class Ended(operation.Answer):
    """A game was ended without a winner."""

    table: str


class Done(operation.Answer):
    """It is done, and on disk."""

    number: Annotated[int, Meta(description="The number of your notice of it.")]


class Seated(operation.Answer):
    """You have a seat, and its token for programs that play there."""

    number: int
    seat: int
    token: str


class History(operation.Answer):
    """What was told, in order."""

    notices: tuple[table_messages.NoticeMessage, ...]
    more: bool
    """Whether there are others: ask again, with the last number as `after`."""


class Followed(operation.Answer):
    """Whether you follow the game."""

    follows: bool


class ReservedSeat(operation.Answer):
    """A seat that is kept for you."""

    table: str
    seat: int
    until: int
    """When it is free for others, in milliseconds since 1970."""


class ReservedSeats(operation.Answer):
    """The seats that are kept for you."""

    seats: tuple[ReservedSeat, ...]


class Watchers(operation.Answer):
    """Who watches, at this server."""

    names: tuple[str, ...]
    guests: int
    """Those without a name, or who do not want to be seen."""


class RematchTable(operation.Answer):
    """The table at which it goes on."""

    table: str


class Advice(operation.Answer):
    """A move that a bot would think about."""

    move: str
    say: str
    value: float | None
    """The chance to win, from 0 to 1; null where a bot only chose a move."""
    reason: str


class Verdict(operation.Answer):
    """Whether a move is allowed now."""

    allowed: bool
    message: Annotated[str, Meta(description="What the move means, or why it is not allowed.")]
    clause: Annotated[str, Meta(description="The clause that forbids it; empty if none does.")]


class Advices(operation.Answer):
    """What a bot would think about, the best first."""

    hints: tuple[Advice, ...]


Answered: TypeAlias = Done | response.Response
"""The number of what was done; for a request that came too late, the table as it is now."""

# --- Looking ---------------------------------------------------------------------------------


@OPERATIONS.get(operation.TABLE)
async def look(request: Request, ask: Look) -> table_messages.TableMessage:
    """The table as it is now, as you may see it, and what you may do."""
    snapshot = await request.host.snapshot(request.table)
    viewer = seats.viewer_for(request, snapshot.table, ask.seat)
    return table_messages.view_message(seen_by(request, snapshot), viewer)


@OPERATIONS.get(f"{operation.TABLE}/history")
async def get_history(request: Request, ask: GetHistory) -> History:
    """What you were told, less what is told only once; after the game, all of it."""
    snapshot = await request.host.snapshot(request.table)
    viewer = seats.viewer_for(request, snapshot.table, ask.seat)
    snapshot = seen_by(request, snapshot)
    told = snapshot.history(viewer, after=ask.after, most=ask.limit)
    request.app.limiter.work(request.client, len(told))
    return History(
        notices=table_messages.notice_messages(snapshot.table.game, told),
        more=bool(told) and told[-1].number < snapshot.table.number(viewer),
    )


@OPERATIONS.get(f"{operation.TABLE}/stream", "text/event-stream")
async def follow(request: Request, ask: Follow) -> ASGIApp:
    """What you are told from now on, as server-sent events; the data of each is a NoticeMessage."""
    table = await request.host.table(request.table)
    viewer = seats.viewer_for(request, table, ask.seat)
    watcher = watcher_of(request, table)
    after = _left_off(request, ask.after)

    def frame(batch: NoticeBatch) -> bytes:
        if batch.watching or (batch.announcements and not ask.chat):
            return b""
        if batch.announcements:
            assert batch.snapshot is not None
            return api.chat_frame(request, batch.snapshot.table, service.messages_in(batch))
        return table_messages.frame_of(table.game, batch)

    async def tell(batch: NoticeBatch | None) -> bytes:
        return b"" if batch is None else frame(batch)

    missed = 0 if after is None else table.number(viewer) - after
    request.app.limiter.work(request.client, missed)
    return table_stream(
        request, viewer, watcher, lambda _: tell, owns=_owns, after=after, frame=frame
    )


def _owns(request: Request, table: Table) -> tuple[Seat, ...]:
    """The seats that the sender may play; none, if the token is no longer valid."""
    try:
        return seats.own_seats(request, table)
    except HttpError:
        return ()


@OPERATIONS.post(f"{operation.TABLE}/follow", example={"follow": True})
async def follow_game(request: Request, ask: FollowGame) -> Followed:
    """Have a game among those that you follow, or no longer."""
    guest = identity.guest_in(request)
    await request.host.table(request.table)
    change = follows.follow if ask.follow else follows.unfollow
    await change(request.host.store, guest.id, request.table)
    return Followed(follows=ask.follow)


@OPERATIONS.get("/api/guests/me/left")
async def list_reserved_seats(request: Request) -> ReservedSeats:
    """The seats that you left in the middle of a game and may take back, for ten minutes."""
    guest = identity.guest_in(request)
    kept = await store.reserved_seats(request.host.store, guest.id, request.host.now())
    return ReservedSeats(
        seats=tuple(
            ReservedSeat(table=each.card.id, seat=each.seat, until=each.until) for each in kept
        )
    )


@OPERATIONS.get(f"{operation.TABLE}/watchers")
async def see_watchers(request: Request) -> Watchers:
    """Who watches the table."""
    watchers = (await request.host.live_tables.fresh(request.table)).audience.watchers
    names = sorted(each.name for each in watchers if each.name)
    return Watchers(names=tuple(names), guests=len(watchers) - len(names))


def _left_off(request: Request, after: int | None) -> int | None:
    """Where a reader left off: what the browser says when it comes back goes first."""
    said = request.headers.get("last-event-id")
    if said is None:
        return after
    number = whole_number(said)
    if number is None:
        raise HttpError(422, "Last-Event-ID is a number", code="query")
    return number


@OPERATIONS.get(f"{operation.TABLE}/record", "text/plain; charset=utf-8")
async def read_record(request: Request) -> response.Response:
    """A finished game on paper, as text that replays."""
    text = await request.host.record(request.table)
    return response.Response(text.encode(), b"text/plain; charset=utf-8")


@OPERATIONS.get(f"{operation.TABLE}/why")
async def explain_move(request: Request, ask: AskWhy) -> Verdict:
    """Whether a move is allowed at your seat now, and if not, which clause forbids it."""
    snapshot, seat = await seats.acting(request, ask.seat)
    table = snapshot.table
    try:
        requests.check_move(table, seat, ask.move)
    except MoveError as error:
        clause = error.clause if isinstance(error, IllegalMoveError) else ""
        return Verdict(allowed=False, message=str(error), clause=clause)
    return Verdict(allowed=True, message=table.game.say(table.game.parse(ask.move)), clause="")


@OPERATIONS.get(f"{operation.TABLE}/hints")
async def advise(request: Request, ask: Advise) -> Advices:
    """What a strong bot would think about at your seat, the best first."""
    snapshot, seat = await seats.acting(request, ask.seat)
    game = snapshot.table.game
    return Advices(
        hints=tuple(
            Advice(
                move=game.write(hint.action),
                say=game.say(hint.action),
                value=hint.value,
                reason=hint.reason,
            )
            for hint in await request.host.hints(snapshot.table, seat)
        )
    )


# --- Coming and going ------------------------------------------------------------------------


@OPERATIONS.post(f"{operation.TABLE}/sit", example={"seat": 2})
async def sit(request: Request, ask: Sit) -> Seated:
    """Take an open seat."""
    guest = identity.guest_in(request)
    wanted = None if ask.seat is None else Seat(ask.seat)
    receipt = await request.host.sit(request.table, wanted, guest, ask.idempotency_key)
    return _seated(request, _seat_taken(receipt.table, guest, ask.idempotency_key), receipt)


def _seat_taken(table: Table, guest: charter.Guest, key: str) -> Seat:
    """Where this guest sat down last, or with this key, if the seat is still theirs."""
    for logged in reversed(table.log.noticed(None)):
        entry = logged.entry
        if entry.kind is log.Kind.SIT and entry.guest == guest.id and entry.key == key:
            assert entry.seat is not None
            if table.occupants[entry.seat].guest == guest.id:
                return entry.seat
            break
    raise errors.RequestError(errors.Reason.SEAT_LEFT)


@OPERATIONS.post(
    f"{operation.TABLE}/claim", Seated, example={"token": "QHkuWm0zVlpnc2JqZ3RBdHlX", "name": "Ada"}
)
async def claim(request: Request, ask: Claim) -> response.Response:
    """Come by a personal link. A seat that nobody has becomes yours, and gets a new link."""
    table = await request.host.table(request.table)
    seat = request.host.keys.seat_of(table, ask.token)
    if seat is None:
        raise HttpError(403, "this link no longer works", code="link")
    receipt, headers = await seats.take_seat(request, table, seat, ask.name)
    return response.reply(_seated(request, seat, receipt), 200, headers)


def _seated(request: Request, seat: Seat, receipt: Receipt) -> Seated:
    token = request.host.keys.seat_token(receipt.table, seat)
    return Seated(number=receipt.number, seat=seat, token=token)


@OPERATIONS.post(f"{operation.TABLE}/stand", Done, example={})
async def stand(request: Request, ask: AtSeat) -> Answered:
    """Leave: before the game the seat is free again, then a bot plays on for good."""
    return await _act(request, ask.seat, request.host.stand, ask.idempotency_key)


@OPERATIONS.post(f"{operation.TABLE}/away", Done, example={"level": "apprentice"})
async def hand_over(request: Request, ask: HandOver) -> Answered:
    """Let a bot play for you until you are back."""
    return await _act(request, ask.seat, request.host.hand_over, ask.level, ask.idempotency_key)


@OPERATIONS.post(f"{operation.TABLE}/back", Done, example={})
async def come_back(request: Request, ask: AtSeat) -> Answered:
    """Play again yourself."""
    return await _act(request, ask.seat, request.host.come_back, ask.idempotency_key)


@OPERATIONS.post(f"{operation.TABLE}/rest", Done, example={})
async def rest(request: Request, ask: AtSeat) -> Answered:
    """Take one of your days off: you have a day more for this decision."""
    return await _act(request, ask.seat, request.host.rest, ask.idempotency_key)


@OPERATIONS.get(f"{operation.TABLE}/seats/{{seat}}/link")
async def see_link(request: Request) -> Link:
    """The personal link to your seat, or to one that is still kept for somebody."""
    table, seat = await seats.linked(request)
    return link_to(request, table, seat)


@OPERATIONS.get(f"{operation.TABLE}/seats/{{seat}}/qr", "image/svg+xml")
async def see_qr_code(request: Request) -> response.Response:
    """The personal link as a picture, for a telephone."""
    table, seat = await seats.linked(request)
    picture = qr_code(link_to(request, table, seat).link, border=4, scale=8)
    return response.Response(picture.encode(), b"image/svg+xml")


# --- Playing ---------------------------------------------------------------------------------


@OPERATIONS.post(
    f"{operation.TABLE}/moves",
    Done,
    refuses=(409,),
    example={"move": "T", "version": 7, "idempotency_key": "c0ffee"},
)
async def move(request: Request, ask: Move) -> Answered:
    """Play a word; until others have seen it, another word replaces it."""
    return await _act(
        request, ask.seat, request.host.move, ask.move, ask.version, ask.idempotency_key
    )


@OPERATIONS.post(
    f"{operation.TABLE}/chance",
    Done,
    refuses=(409,),
    example={"move": "@1", "version": 3, "idempotency_key": "d1ce"},
)
async def enter(request: Request, ask: Enter) -> Answered:
    """Say what was rolled, drawn or dealt, at a table where people do that themselves."""
    return await _act(
        request, ask.seat, request.host.enter, ask.move, ask.version, ask.idempotency_key
    )


@OPERATIONS.post(f"{operation.TABLE}/undo", Done, refuses=(409,), example={"version": 8})
async def take_back(request: Request, ask: Undo) -> Answered:
    """Take back your last move, or ask the others whether you may."""
    return await _act(request, ask.seat, request.host.undo, ask.version, ask.idempotency_key)


@OPERATIONS.post(f"{operation.TABLE}/consent", Done, refuses=(409,), example={"agree": True})
async def consent(request: Request, ask: Consent) -> Answered:
    """Say whether somebody may take back their move."""
    return await _act(
        request, ask.seat, request.host.consent, agree=ask.agree, key=ask.idempotency_key
    )


@OPERATIONS.post(f"{operation.TABLE}/end", example={})
async def end_unsupported(request: Request) -> Ended:
    """End a game without a winner whose rules this server does not have; you must sit there."""
    await store.end(request.host.store, request.table, identity.guest_in(request))
    return Ended(table=request.table)


@OPERATIONS.post(f"{operation.TABLE}/rematch", example={})
async def rematch(request: Request) -> RematchTable:
    """Play again, at another table, which is the same for all who ask."""
    table = await request.host.table(request.table)
    return RematchTable(
        table=await request.host.rematch(
            request.table,
            seats.player_of(request, table),
            await request.host.service(Matchmaking).joining(request.table),
        )
    )


@OPERATIONS.post(f"{operation.TABLE}/reports", example={"seat": 1, "about": "name"})
async def report(request: Request, ask: NewReport) -> operation.Reported:
    """Tell the people who run the server about a player at your table."""
    await send_report(request, ask.seat, Subject(ask.about), ask.text)
    return operation.Reported()


async def _act(
    request: Request,
    wanted: int | None,
    carry_out: Callable[..., Awaitable[Receipt]],
    *what: Any,  # noqa: ANN401 - what it takes beyond table and seat
    **more: Any,  # noqa: ANN401 - as above
) -> Answered:
    """Do something at a seat: the number of it. A sender who is too late gets the table now."""
    snapshot, seat = await seats.submitting(request, wanted)
    try:
        receipt = await seats.act(snapshot.table, seat, carry_out, *what, **more)
    except StaleMoveError as error:
        now = table_messages.view_message(await request.host.snapshot(request.table), seat)
        problem = table_messages.Problem(CODES[409], str(error), table_view=now)
        return response.reply(problem, 409)
    return Done(number=receipt.number)
