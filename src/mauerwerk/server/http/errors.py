"""Errors of requests: a status, a code for programs and a sentence for people."""

from collections.abc import Mapping
from math import ceil
from typing import Annotated, Final

from msgspec import Meta

from mauerwerk.core.game import Value

CODES: Final[Mapping[int, str]] = {
    400: "request",
    401: "unknown",
    403: "forbidden",
    404: "missing",
    405: "method",
    409: "stale",
    410: "rules",
    413: "size",
    415: "media",
    422: "invalid",
    429: "busy",
    500: "broken",
    503: "storage",
}
"""The code of each status, used where no more exact one is given."""


class HttpError(Exception):
    """A request is refused. Nothing has changed."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str = "",
        clause: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Describe the error; without a code of its own, it has that of its status."""
        super().__init__(message)
        self.status = status
        self.code = code or CODES[status]
        self.message = message
        self.clause = clause
        self.headers = headers or {}


class MethodError(HttpError):
    """A refusal of a method; it says which are allowed."""

    def __init__(self, *allowed: str) -> None:
        methods = ", ".join(allowed)
        super().__init__(405, f"here you can {methods}", headers={"allow": methods})


class BusyError(HttpError):
    """A refusal for now, which says after how many seconds to try again."""

    def __init__(self, message: str, seconds: float) -> None:
        """In the answer, these are whole seconds."""
        after = str(max(1, ceil(seconds)))
        super().__init__(429, message, headers={"retry-after": after})
        self.seconds = seconds


class ErrorText(Value, tag=False, omit_defaults=True):
    """Why something was not done. Nothing has changed."""

    error: Annotated[str, Meta(description="What kind of fault, in a word for programs.")]
    message: Annotated[str, Meta(description="What is wrong, in a sentence for people.")]
    clause: Annotated[str, Meta(description="The clause of the rules that forbids it.")] = ""
