"""Operations of the API: one line declares an operation, its route and its documentation."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import check_block, identify
from mauerwerk.server.http.request import (
    Request,
    body_of,
    check_media,
    decoded,
    query_fields,
    request_in,
)
from mauerwerk.server.http.response import fault_of, refuse, reply

Handler = Callable[[Request, Any], Awaitable[Any]]


class Operation(NamedTuple):
    """An operation: its route, the message it takes and the message it answers with."""

    method: str
    path: str
    handler: Handler
    """Takes the request and the message; returns a value for JSON, or an ASGI app that answers."""

    ask: type[msgspec.Struct]
    answer: type | str
    """The type of the answer as JSON, or the media type of another answer."""

    refuses: Sequence[int] = ()
    """Error statuses of this operation, in addition to those that all can have."""

    status: int = 200
    example: Mapping[str, Any] | None = None
    """An example of a message."""

    for_hosts: bool = False
    """Whether it is for those who run the server, and checks that itself."""

    @property
    def name(self) -> str:
        """The name of the operation in the documentation."""
        return self.handler.__name__

    @property
    def summary(self) -> str:
        """What the operation does, in one line."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0]


class Resource:
    """All operations at one path.

    They share a route: Starlette would name the methods of the first route alone in a 405.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        """Answer requests for these operations."""
        self._by_method = {each.method: each for each in operations}
        self._decoders = {each.method: msgspec.json.Decoder(each.ask) for each in operations}
        if "GET" in self._by_method:
            self._by_method["HEAD"] = self._by_method["GET"]
        self._allow = ", ".join(sorted(self._by_method))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the message, do what it asks, and answer."""
        try:
            answer = await self._answer(scope, receive)
        except Exception as error:
            fault = fault_of(error)
            if fault is None:
                raise
            answer = refuse(fault)
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> ASGIApp:
        request = request_in(scope)
        operation = self._by_method.get(request.method)
        if operation is None:
            raise HttpError(405, f"here you can {self._allow}", headers={"allow": self._allow})
        request.identity = identify(request)
        if not operation.for_hosts:  # who could not lift a block of their own network
            check_block(request, request.identity)
        if request.is_safe:
            ask = query_fields(scope["query_string"], operation.ask)
        else:
            check_media(request, "application/json")
            ask = decoded(await body_of(request, receive), self._decoders[request.method])
        answer = await operation.handler(request, ask)
        if callable(answer):
            return answer  # type: ignore[no-any-return]
        return reply(answer, operation.status)
