"""Answers: whole ones, redirections, and refusals."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

import msgspec
from starlette import responses
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from mauerwerk.core import errors, registry
from mauerwerk.server.database.errors import OvertakenError, StorageError
from mauerwerk.server.http.errors import BusyError, ErrorText, HttpError
from mauerwerk.server.http.request import Request, request_in
from mauerwerk.server.tables import errors as table_errors

JSON = b"application/json"
Header = tuple[bytes, bytes]

REASONS: Final[Mapping[table_errors.Reason, str]] = {
    table_errors.Reason.KEY_REUSED: "idempotency_key",
    table_errors.Reason.NO_ROOM: "room",
    table_errors.Reason.CHAT_OFF: "chat",
    table_errors.Reason.TOO_FAST: "moment",
    table_errors.Reason.NO_FREE_TEXT: "chat",
    table_errors.Reason.NOT_SAID_LIKE_THIS: "chat",
}
"""The code of a refusal where `request` would not say enough."""

STATUSES: Final[Mapping[type[Exception], tuple[int, str]]] = {
    table_errors.NoTableError: (404, ""),
    table_errors.OtherRulesError: (410, ""),
    table_errors.NotYoursError: (403, ""),
    table_errors.ClosedError: (403, "closed"),
    OvertakenError: (409, ""),
    errors.StaleMoveError: (409, ""),
    errors.NotAWordError: (422, "notation"),
    errors.MoveError: (422, "illegal"),
    errors.SetupError: (422, "setup"),
}
"""The status and the code of errors that say themselves what is wrong; the first kind counts."""

_encode = msgspec.json.Encoder().encode


class Response(responses.Response):
    """A whole answer. Its headers are a list, since some of them may be repeated."""

    def __init__(
        self, body: bytes, media: bytes = JSON, status: int = 200, headers: Iterable[Header] = ()
    ) -> None:
        # Starlette would work out the same from a mapping of headers, in three times the time.
        self.body = body
        self.status_code = status
        self.background = None
        self.raw_headers = [
            (b"content-type", media),
            (b"content-length", b"%d" % len(body)),
            *headers,
        ]


def reply(answer: object, status: int = 200, headers: Iterable[Header] = ()) -> Response:
    """An answer of the API, as JSON."""
    return Response(_encode(answer), JSON, status, headers)


def redirect(path: str, headers: Iterable[Header] = ()) -> Response:
    """A redirection to another path, which the browser then gets."""
    return Response(b"", b"text/plain", 303, [(b"location", path.encode("latin-1")), *headers])


def refuse(fault: HttpError) -> Response:
    """A refusal, as JSON."""
    refusal = ErrorText(error=fault.code, message=fault.message, clause=fault.clause)
    return reply(refusal, fault.status, headers_of(fault))


def headers_of(fault: HttpError) -> list[Header]:
    """The headers that a refusal adds."""
    return [(name.encode(), value.encode("latin-1")) for name, value in fault.headers.items()]


def fault_of(error: Exception) -> HttpError | None:
    """The fault behind an error of a table or the store; None if the program itself is at fault."""
    match error:
        case HttpError():
            return error
        case table_errors.FeatureError():
            return HttpError(error.status, str(error), code=error.code)
        case errors.IllegalMoveError():
            return HttpError(422, str(error), code="illegal", clause=error.clause)
        case table_errors.RequestError(reason=reason):
            status = 429 if reason is table_errors.Reason.TOO_FAST else 422
            return HttpError(status, str(error), code=REASONS.get(reason, "request"))
        case StorageError():
            headers = {"retry-after": "5"}
            return HttpError(503, "nothing can be stored right now; try again", headers=headers)
        case table_errors.WarmingUpError():
            return HttpError(503, str(error), code="warming", headers={"retry-after": "60"})
        case table_errors.TooManyError():
            return BusyError(str(error), 30)
        case registry.RegistryError():  # a package of this server is at fault, and no visitor
            return None
        case _:
            found = (STATUSES[kind] for kind in STATUSES if isinstance(error, kind))
            status, code = next(found, (0, ""))
            return HttpError(status, str(error), code=code) if status else None


class Endpoint:
    """An app that answers the requests to a path, or says why it does not."""

    def __init__(
        self,
        answer: Callable[[Request, Receive], Awaitable[ASGIApp]],
        refuse: Callable[[HttpError], ASGIApp] = refuse,
    ) -> None:
        self._answer = answer
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            answer = await self._answer(request_in(scope), receive)
        except Exception as error:
            # No variable here may hold the error: it holds this frame, and both would stay in
            # memory, with the table and the connection, until the garbage collector finds them.
            fault = fault_of(error)
            if fault is None:
                raise
            answer = self._refuse(fault)
            del fault  # which may be the error
        await answer(scope, receive, send)


SMALL: Final = 1_000
"""A page with fewer bytes is not worth compressing."""

LEVEL: Final = 5


class Compressed:
    """An app whose answers are compressed for clients that accept it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._gzip = GZipMiddleware(app, minimum_size=SMALL + 1, compresslevel=LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, compressed unless a foreign page caused the request."""
        app = self._app if request_in(scope).is_foreign else self._gzip
        await app(scope, receive, send)
