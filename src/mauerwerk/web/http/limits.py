"""Rate limits: a token bucket for each client, and counters of what is open."""

import time
from collections import Counter as Counts
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from typing import Final

from mauerwerk.web.http.faults import too_many
from mauerwerk.web.http.settings import Limits

REMEMBERED: Final = 50_000
"""The most clients whose buckets are kept; beyond that, the least recent are forgotten."""

HOUR: Final = 3600.0


class Buckets:
    """A token bucket for each client: a request takes a token, and time refills the bucket."""

    def __init__(
        self, rate: float, size: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Full buckets of this size, which gain `rate` tokens per second."""
        self._rate = rate
        self._size = size
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, tokens: float = 1.0) -> float:
        """Take tokens and return 0.0, or return the seconds until there is one.

        Whoever has one may take more: then there are none until the debt is paid.
        """
        now = self._clock()
        left, then = self._held.get(client, (self._size, now))
        left = min(self._size, left + (now - then) * self._rate)
        if left < 1:
            return (1 - left) / self._rate
        self._held[client] = (left - tokens, now)
        self._held.move_to_end(client)
        if len(self._held) > REMEMBERED:
            self._held.popitem(last=False)
        return 0.0


NOTICES: Final = 20
"""Telling this many notices counts as one more request."""

LARGE: Final = 120
"""A board with more fields takes long to draw; the boards of the game have 85 at most."""

DRAWINGS: Final = 4
"""Large boards per second that are drawn for one client, in the long run."""


class Counter:
    """Counts what each client has open."""

    def __init__(
        self, most: int, most_of_all: int, refused: MutableMapping[str, int] | None = None
    ) -> None:
        """Allow `most` for each client, and `most_of_all` for all; count what is `refused`."""
        self._refused = Counts[str]() if refused is None else refused
        self._most = most
        self._most_of_all = most_of_all
        self._held: dict[str, int] = {}
        self.total = 0

    def add(self, client: str, what: str) -> None:
        """Count one more. Raises Fault if that is one too many."""
        held = self._held.get(client, 0)
        if held >= self._most or self.total >= self._most_of_all:
            self._refused[what] += 1
            raise too_many(f"there are too many {what} open; close one first", 5)
        self._held[client] = held + 1
        self.total += 1

    def remove(self, client: str) -> None:
        """Count one less."""
        self.total -= 1
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]


class Limiter:
    """All limits of one server."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with full buckets."""
        self.refused: Counts[str] = Counts()
        """How often a client was over a limit, by what was limited."""

        self._off = limits.requests <= 0
        self._requests = Buckets(limits.requests, limits.burst, clock)
        self._guests = Buckets(limits.guests / HOUR, limits.guests / 2, clock)
        self._tables = Buckets(limits.tables / HOUR, limits.tables / 2, clock)
        self._drawings = Buckets(DRAWINGS, 10 * DRAWINGS, clock)
        unlimited = 10**9
        self.streams = Counter(
            unlimited if self._off else limits.streams,
            unlimited if self._off else limits.all_streams,
            self.refused,
        )

    def request(self, client: str) -> None:
        """Count a request. Raises Fault if it is over the limit."""
        self._take(self._requests, client, "requests")

    def work(self, client: str, notices: int) -> None:
        """Count the work of telling many notices, like so many requests. Raises Fault."""
        if notices >= NOTICES:  # a client may say that it was told more than there is
            self._take(self._requests, client, "notices", notices // NOTICES)

    def guest(self, client: str) -> None:
        """Count a new guest. Raises Fault if it is over the limit."""
        self._take(self._guests, client, "new guests")

    def table(self, client: str) -> None:
        """Count a new table. Raises Fault if it is over the limit."""
        self._take(self._tables, client, "new tables")

    def drawing(self, client: str, fields: int) -> None:
        """Count a drawing of a board, if it is large. Raises Fault if it is over the limit."""
        if fields > LARGE:
            self._take(self._drawings, client, "large boards")

    def _take(self, buckets: Buckets, client: str, what: str, tokens: float = 1.0) -> None:
        if not self._off and (seconds := buckets.take(client, tokens)):
            self.refused[what] += 1
            raise too_many(f"too many {what} from you; try again in a while", seconds)
