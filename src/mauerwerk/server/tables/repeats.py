"""Requests that come twice: with the same key, one is carried out and answered again."""

from typing import NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.server.tables.entries import Kind
from mauerwerk.server.tables.errors import KeyReusedError, NotYoursError, Reason
from mauerwerk.server.tables.table import Table


class Request(NamedTuple):
    """A request that makes entries of these kinds: who makes it, and with which key."""

    who: str | Seat
    """A guest, or a seat."""

    kinds: frozenset[Kind]
    key: str = ""
    word: str = ""
    version: int | None = None
    """The number that it answers, if it does."""

    tenure: int | None = None
    """How often the seat had changed hands when it was found to be theirs; None: not checked."""

    seat: Seat | None = None
    """The seat for which a guest asks, where that is known."""

    @property
    def viewer(self) -> Seat | None:
        """The seat that asks, if it is one."""
        return self.seat if isinstance(self.who, str) else self.who


def check_tenure(table: Table, request: Request) -> None:
    """Refuse a caller whose seat has changed hands meanwhile. Raises NotYoursError."""
    seat = request.viewer
    if seat is not None and request.tenure not in {None, table.occupants[seat].tenure}:
        raise NotYoursError(Reason.SEAT_CHANGED_HANDS, seat=seat)


def answered(table: Table, request: Request) -> int | None:
    """The number that a request with this key got the first time; None if it is new."""
    entry = table.log.keyed(request.who, request.key) if request.key else None
    if entry is None:
        return None
    if entry.kind not in request.kinds or (request.word and entry.word != request.word):
        raise KeyReusedError
    number = table.number_of(entry.seq, entry.seat if request.viewer is None else request.viewer)
    if request.version is not None and request.version >= number:
        # It answers a number that the first one led to, so it is another request.
        raise KeyReusedError
    return number
