"""Answers as they go over the wire: whole ones, and those that say what is wrong."""

from collections.abc import Iterable

import msgspec
from starlette.types import Receive, Scope, Send

from mauerwerk.core.game import IllegalMoveError, NotAWordError, SetupError, StaleMoveError
from mauerwerk.play.storage.store import StorageError
from mauerwerk.play.tables.errors import (
    KeyReusedError,
    NoTableError,
    NotYoursError,
    OtherRulesError,
    RequestError,
    TooManyError,
)
from mauerwerk.web.http.faults import Fault, too_many
from mauerwerk.web.http.wire import Problem

JSON = b"application/json"
Header = tuple[bytes, bytes]

_encode = msgspec.json.Encoder().encode


class Reply:
    """A whole answer."""

    __slots__ = ("body", "headers", "status")

    def __init__(
        self, body: bytes, media: bytes = JSON, status: int = 200, headers: Iterable[Header] = ()
    ) -> None:
        """Say what, of which kind, and with which status."""
        self.body = body
        self.status = status
        self.headers = [
            (b"content-type", media),
            (b"content-length", b"%d" % len(body)),
            *headers,
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        del scope, receive
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body})


def reply(answer: object, status: int = 200, headers: Iterable[Header] = ()) -> Reply:
    """An answer of the API, as JSON."""
    return Reply(_encode(answer), JSON, status, headers)


def redirect(path: str, headers: Iterable[Header] = ()) -> Reply:
    """Go and look there."""
    return Reply(b"", b"text/plain", 303, [(b"location", path.encode("latin-1")), *headers])


def refuse(fault: Fault) -> Reply:
    """What is wrong, as JSON."""
    problem = Problem(
        error=fault.word, message=fault.message, clause=fault.clause, table_view=fault.table_view
    )
    return reply(problem, fault.status, headers_of(fault))


def headers_of(fault: Fault) -> list[Header]:
    """What the answer says besides."""
    return [(name.encode(), value.encode("latin-1")) for name, value in fault.headers.items()]


def fault_of(error: Exception) -> Fault | None:
    """What is wrong with a request that a table refused; None if it was not the request."""
    match error:
        case Fault():
            fault = error
        case NoTableError():
            fault = Fault(404, str(error))
        case OtherRulesError():
            fault = Fault(410, str(error))
        case NotYoursError():
            fault = Fault(403, str(error))
        case StaleMoveError():
            fault = Fault(409, str(error))
        case IllegalMoveError():
            fault = Fault(422, str(error), word="illegal", clause=error.clause)
        case NotAWordError():
            fault = Fault(422, str(error), word="word")
        case SetupError():
            fault = Fault(422, str(error), word="setup")
        case KeyReusedError():
            fault = Fault(422, str(error), word="key")
        case RequestError():
            fault = Fault(422, str(error), word="request")
        case StorageError():
            headers = {"retry-after": "5"}
            fault = Fault(503, "nothing can be stored right now; try again", headers=headers)
        case TooManyError():
            fault = too_many(str(error), 30)
        case _:
            return None
    return fault
