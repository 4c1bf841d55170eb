"""An operation of the interface for programs: one line gives its route and its documentation."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.play.host.host import Host
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.identity import Caller, caller_of
from mauerwerk.web.http.limits import Limiter
from mauerwerk.web.http.replies import fault_of, refuse, reply
from mauerwerk.web.http.settings import BODY, BODY_SECONDS, Settings
from mauerwerk.web.http.stream import Streams
from mauerwerk.web.http.visit import Visit

FIELDS: Final = 20
"""The most fields that a query may have."""

DIGITS: Final = 9
"""No number in a path, a header or a form is longer."""


class Site(NamedTuple):
    """What every operation works with."""

    host: Host
    settings: Settings
    limiter: Limiter
    streams: Streams

    def address(self, visit: Visit, path: str) -> str:
        """A path as a link that can be given to others."""
        return f"{self.settings.address.rstrip('/') or visit.origin}{path}"


class Call(NamedTuple):
    """One request to an operation."""

    site: Site
    visit: Visit
    caller: Caller
    path: Mapping[str, str]

    @property
    def host(self) -> Host:
        """Where the tables are."""
        return self.site.host

    @property
    def table(self) -> str:
        """The table that the request is about."""
        return self.path["table"]


Handler = Callable[[Call, Any], Awaitable[Any]]


class Operation(NamedTuple):
    """What can be asked, who may, what it takes and what it gives."""

    method: str
    path: str
    handler: Handler
    """Gets the call and what was asked; answers a value for JSON, or an app that answers itself."""

    ask: type[msgspec.Struct]
    answer: type | str
    """What comes back: a type as JSON, or something of this media type."""

    refuses: Sequence[int] = ()
    """Statuses that this operation can answer besides those that any can."""

    status: int = 200
    example: Mapping[str, Any] | None = None
    """What somebody might send."""

    @property
    def name(self) -> str:
        """Its name in the documentation."""
        return self.handler.__name__

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0]


class Resource:
    """All operations at one path."""

    def __init__(self, site: Site, operations: Sequence[Operation]) -> None:
        """Answer for these."""
        self._site = site
        self._by_method = {each.method: each for each in operations}
        self._decoders = {each.method: msgspec.json.Decoder(each.ask) for each in operations}
        if "GET" in self._by_method:
            self._by_method["HEAD"] = self._by_method["GET"]
        self._allow = ", ".join(sorted(self._by_method))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read what is asked, do it, answer."""
        try:
            answer = await self._answer(scope, receive)
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                raise
            answer = refuse(fault)
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> ASGIApp:
        visit: Visit = scope["mauerwerk.visit"]
        operation = self._by_method.get(visit.method)
        if operation is None:
            raise Fault(405, f"here you can {self._allow}", headers={"allow": self._allow})
        path = scope["path_params"]
        caller = caller_of(self._site.host, visit, path.get("table", ""))
        call = Call(self._site, visit, caller, path)
        if visit.is_safe:
            ask = query_fields(scope["query_string"], operation.ask)
        else:
            check_media(visit, "application/json")
            ask = decoded(await body_of(visit, receive), self._decoders[visit.method])
        answer = await operation.handler(call, ask)
        if callable(answer):
            return answer  # type: ignore[no-any-return]
        return reply(answer, operation.status)


# --- Reading ---------------------------------------------------------------------------------


def query_fields(query: bytes, ask: type[msgspec.Struct]) -> msgspec.Struct:
    """What a query asks for. Raises Fault."""
    fields: dict[str, str] = {}
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, max_num_fields=FIELDS, errors="strict"
        )
    except ValueError:
        raise Fault(400, "the query cannot be read", word="query") from None
    for name, value in pairs:
        if name in fields:
            raise Fault(422, "a field of the query stands there twice", word="query")
        if value.lower() == "null":
            raise Fault(422, "leave out what is nothing", word="query")
        fields[name] = value
    try:
        return msgspec.convert(fields, ask, strict=False)
    except msgspec.ValidationError as error:
        raise Fault(422, f"the query is not as it should be: {error}", word="query") from None


def whole_number(said: str) -> int | None:
    """A whole number from 0 that somebody wrote; None where it is none, or far too large."""
    fine = said.isascii() and said.isdecimal() and len(said) <= DIGITS
    return int(said) if fine else None


def check_media(visit: Visit, media: str) -> None:
    """Refuse a body of another kind, which any foreign page could send. Raises Fault."""
    given = visit.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != media:
        raise Fault(415, f"send {media}")


async def body_of(visit: Visit, receive: Receive) -> bytes:
    """The whole body, unless it is too large or too slow. Raises Fault."""
    said = visit.headers.get("content-length", "0")
    if not said.isdecimal() or int(said) > BODY:
        raise _too_large()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _all_of(receive)
    except TimeoutError:
        raise Fault(400, "the request took too long to arrive", word="slow") from None


async def _all_of(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Fault(400, "the request broke off", word="slow")
        body += message.get("body", b"")
        if len(body) > BODY:
            raise _too_large()
        if not message.get("more_body"):
            return bytes(body)


def _too_large() -> Fault:
    # The rest is not read, so nothing else can come this way.
    headers = {"connection": "close"}
    return Fault(413, f"a request has at most {BODY} bytes", headers=headers)


def decoded(body: bytes, decoder: msgspec.json.Decoder[Any]) -> msgspec.Struct:
    """What a body asks for. Raises Fault."""
    try:
        ask: msgspec.Struct = decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Fault(422, f"the request is not as it should be: {error}", word="body") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Fault(400, "the request is not JSON", word="json") from None
    return ask
