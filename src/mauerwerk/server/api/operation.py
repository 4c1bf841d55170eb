"""Operations of the API: one line declares an operation, its route and its documentation."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.server.http.call import AppState, Call
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import caller_of, check_block
from mauerwerk.server.http.reading import body_of, check_media, decoded, query_fields
from mauerwerk.server.http.response import fault_of, refuse, reply
from mauerwerk.server.http.visit import visit_in

Handler = Callable[[Call, Any], Awaitable[Any]]


class Operation(NamedTuple):
    """An operation: its route, the message it takes and the message it answers with."""

    method: str
    path: str
    handler: Handler
    """Takes the call and the message; returns a value for JSON, or an ASGI app that answers."""

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

    def __init__(self, site: AppState, operations: Sequence[Operation]) -> None:
        """Answer requests for these operations."""
        self._site = site
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
        visit = visit_in(scope)
        operation = self._by_method.get(visit.method)
        if operation is None:
            raise HttpError(405, f"here you can {self._allow}", headers={"allow": self._allow})
        path = scope["path_params"]
        caller = caller_of(self._site.host, visit, path.get("table", ""))
        if not operation.for_hosts:  # who could not lift a block of their own network
            check_block(self._site.host, visit, caller)
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
