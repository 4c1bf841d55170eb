"""What goes wrong with a request, as a status, a word and a sentence."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.play.tables.sights import TableView

WORDS: Final[Mapping[int, str]] = {
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
"""The word of an error, where nothing says it more exactly."""


class Fault(Exception):  # noqa: N818 - the client's, not the program's
    """A request that is refused. Nothing has changed."""

    def __init__(  # noqa: PLR0913 - as many as an answer has parts
        self,
        status: int,
        message: str,
        *,
        word: str = "",
        clause: str = "",
        headers: Mapping[str, str] | None = None,
        table_view: TableView | None = None,
    ) -> None:
        """Say what is wrong; the word is that of the status, where none is given."""
        super().__init__(message)
        self.status = status
        self.word = word or WORDS[status]
        self.message = message
        self.clause = clause
        self.headers = headers or {}
        self.table_view = table_view


def too_many(message: str, seconds: float) -> Fault:
    """A refusal for now, and when to come again."""
    return Fault(429, message, headers={"retry-after": str(max(1, round(seconds + 0.5)))})
