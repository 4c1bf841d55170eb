"""The Model Context Protocol at `/mcp`: a message is posted, and the answer is plain JSON.

The token is that of a seat, which plays at the table of `/mcp?table=ID`, or that of a guest.
Cookies do not count. Nothing is kept between two requests, and each is limited and charged like any
other.
"""

import asyncio
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final
from uuid import uuid4

from starlette.routing import Route
from starlette.types import ASGIApp, Receive

from mauerwerk.core.game import shown
from mauerwerk.server.api.table_messages import notice_messages
from mauerwerk.server.engine.audience import NoticeBatch, Subscription
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.mcp import protocol, tools
from mauerwerk.server.features.table import api
from mauerwerk.server.http import errors, identity, response, seats
from mauerwerk.server.http import request as requests
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.errors import LaggingError
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.names import names_of

STATUSES: Final = {protocol.METHOD_NOT_FOUND: 404, protocol.INTERNAL_ERROR: 500}
"""The status of an error of the protocol, where it is not 400."""

OF_SERVER: Final = (429, 500, 503)
"""Refusals that are none of a tool's: the client should come again later."""

MOST_TABLES: Final = 20
"""How many of a guest's tables are looked at."""

GLANCE: Final = 1.0
"""Seconds after which a request that waits looks whether the server is about to stop."""


def _refused(fault: errors.HttpError) -> response.Response:
    """A refusal of the server, as an error of the protocol."""
    error = protocol.RpcError(protocol.REFUSED, fault.message, {"error": fault.code})
    return response.reply(protocol.error_message(error), fault.status, response.headers_of(fault))


async def _answer(request: Request, receive: Receive) -> ASGIApp:
    if request.method != "POST":
        raise errors.MethodError("POST")
    if identity.bearer_in(request) is None:
        raise identity.unknown("say `Authorization: Bearer` and the token of your seat")
    request.identity = identity.identify(request)
    identity.check_block(request, request.identity)
    requests.check_media(request, "application/json")
    body = await requests.body_of(request, receive)
    key: str | int | None = None
    stateless = False
    try:
        message = protocol.message_in(protocol.decoded(body))
        key = message.id
        stateless = message.version is not None
        _check_headers(request, message)
        answer = await tools.handler_for(SeatOfRequest(request)).answer(message)
    except protocol.RpcError as error:
        # Where a connection has begun with `initialize`, errors are ordinary answers.
        plain = key is not None and not stateless
        status = 200 if plain else STATUSES.get(error.code, 400)
        return response.reply(protocol.error_message(error, key), status)
    if answer is None:
        return response.Response(b"", status=HTTPStatus.ACCEPTED)
    return response.reply(answer)


def _check_headers(request: Request, message: protocol.Message) -> None:
    """Refuse headers that say something else than the message. Raises RpcError or HttpError."""
    said = request.headers.get("mcp-protocol-version")
    version = message.version
    if version is None:
        if said is not None and said not in protocol.HANDSHAKE:
            raise errors.HttpError(400, f"{shown(said)} is not a revision that is spoken here")
        return
    expected = {"mcp-protocol-version": version, "mcp-method": message.method}
    if message.name is not None:
        expected["mcp-name"] = message.name
    for name, value in expected.items():
        if _decoded(request.headers.get(name)) != value:
            raise protocol.RpcError(
                protocol.HEADER_MISMATCH, f"the header {name} does not say what the message says"
            )


def _decoded(value: str | None) -> str | None:
    """The value of a header; one with characters that headers cannot have comes as Base64."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return b64decode(value.removeprefix("=?base64?").removesuffix("?="), validate=True).decode()
    except (NotBase64, UnicodeDecodeError):
        return None


class SeatOfRequest:
    """The seat whose token came with a request."""

    def __init__(self, request: Request) -> None:
        """For this request only."""
        self._request = request

    async def look(self, table: str, /) -> tools.Seen:
        """The table now. Raises ToolError."""
        request = self._request
        async with _refusals():
            named = table or request.query.get("table", "")
            request.path_params = {"table": named or await self._only_table()}
            snapshot, seat = await seats.acting(request, None, seated=True)
            seen, game = snapshot.view(seat), snapshot.table.game
            names = names_of(seen.seats)
            return tools.Seen(
                table=seen.table,
                game=game,
                number=seen.number,
                seat=seat,
                status=seen.status,
                asked=seen.asked,
                names=names,
                view=seen.view,
                prompt="" if seen.view is None or seen.ended else game.ask(seen.view, names),
                legal=seen.legal,
                outcome=seen.outcome,
                ended=seen.ended,
            )

    async def _only_table(self) -> str:
        guest = self._request.identity.guest
        if guest is None:
            raise errors.HttpError(
                422, "at which table? Name it: the address is /mcp?table=ID", code="query"
            )
        found = await self._request.host.store.tables_of(guest.id, before=None, most=MOST_TABLES)
        going_on = [card.id for card in found if card.status is not Status.OVER]
        if len(going_on) != 1:
            yours = ", ".join(going_on) or "none that goes on"
            raise errors.HttpError(422, f"at which table? Yours are {yours}", code="query")
        return going_on[0]

    async def why_not(self, table: str, move: str, /) -> tools.Verdict:
        """Whether the move is allowed now. Raises ToolError."""
        self._request.path_params = {"table": table}
        async with _refusals():
            said = await api.explain_move(self._request, api.AskWhy(move=move))
        return tools.Verdict(said.allowed, said.message, said.clause)

    async def play(self, table: str, move: str, version: int, /) -> None:
        """Make a move. Raises ToolError."""
        self._request.path_params = {"table": table}
        ask = api.Move(move=move, version=version, idempotency_key=uuid4().hex)
        async with _refusals():
            done = await api.move(self._request, ask)
        if isinstance(done, response.Response):
            raise protocol.ToolError(tools.TOO_LATE)

    @asynccontextmanager
    async def listen(self, table: str, after: int, /) -> AsyncGenerator[tools.Heard, None]:
        """Hear what the seat is told after that number. Raises ToolError."""
        request = self._request
        request.path_params = {"table": table}
        async with _refusals():
            snapshot, seat = await seats.acting(request, None, seated=True)
        request.app.limiter.work(request.client, snapshot.table.number(seat) - after)
        # A request that waits is open as long as a stream is.
        counter = request.app.limiter.streams
        counter.add(request.client, "streams")
        try:
            told = await request.host.subscribe(table, seat, after=after)
            hearing = Hearing(told, request.host.service(Streams))
            try:
                yield hearing.next
            finally:
                await hearing.close()
        finally:
            counter.remove(request.client)


class Hearing:
    """What a subscription tells, a few seconds at a time."""

    def __init__(self, told: Subscription, streams: Streams) -> None:
        """Nothing yet. If the streams of the server are closed, it is about to stop."""
        self._told = told
        self._streams = streams
        self._coming: asyncio.Task[NoticeBatch | None] | None = None

    async def next(self, seconds: float) -> Sequence[tools.Notice] | None:
        """What is told next, within that many seconds; None when there will be no more."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            # A batch that comes as the time is up must not be lost, so nothing is cancelled.
            self._coming = self._coming or loop.create_task(self._told.next())
            left = until - loop.time()
            await asyncio.wait((self._coming,), timeout=max(0.0, min(left, GLANCE)))
            if self._coming.done():
                batch = self._taken()
                if batch is None:
                    return None
                if batch.notices:
                    return self._sentences(batch)
            elif self._streams.closed:
                return None
            elif left <= 0:
                return ()

    def _taken(self) -> NoticeBatch | None:
        assert self._coming is not None
        coming, self._coming = self._coming, None
        try:
            return coming.result()
        except LaggingError:
            return None

    def _sentences(self, batch: NoticeBatch) -> Sequence[tools.Notice]:
        game = self._told.latest.table.game
        return [
            tools.Notice(each.number, (*each.text, *tools.taken_back(each.kind, each.back_to)))
            for each in notice_messages(game, batch.notices)
        ]

    async def close(self) -> None:
        """Hear no more."""
        self._told.close()
        if self._coming is not None:
            self._coming.cancel()
            await asyncio.gather(self._coming, return_exceptions=True)


@asynccontextmanager
async def _refusals() -> AsyncGenerator[None, None]:
    """What the server refuses is an error of the tool, unless the client should come again."""
    try:
        yield
    except Exception as error:
        fault = response.fault_of(error)
        if fault is None or fault.status in OF_SERVER:
            raise
        raise protocol.ToolError(fault.message, clause=fault.clause) from None


FEATURE = Feature(name="mcp", routes=(Route("/mcp", response.Endpoint(_answer, _refused)),))
