"""Limits of clients: rates, what is open, and the number of connections."""

import ipaddress
import logging
import time
from collections import Counter as Counts
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from math import inf
from typing import Any, Final

import msgspec

from mauerwerk.server.http.errors import BusyError
from mauerwerk.server.http.settings import Limits, Settings, Trusted

HOUR: Final = 3600.0

_log = logging.getLogger(__name__)


@lru_cache(maxsize=4096)
def client_named(address: str) -> str:
    """The client at an address: with IPv6 a whole /64, since one household has all of it.

    >>> client_named("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    >>> client_named("192.0.2.7")
    '192.0.2.7'
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip.packed[:8] + bytes(8), 64)))
    return str(ip)


class Buckets:
    """A token bucket for each client: a request takes a token, and time refills the bucket."""

    def __init__(
        self,
        rate: float,
        size: float,
        clock: Callable[[], float] = time.monotonic,
        times: Callable[[str], float] = lambda _: 1.0,
        tracked_clients: int = Limits().tracked_clients,
    ) -> None:
        """Full buckets of this size, which gain `rate` tokens per second.

        Those of some clients are `times` as large.
        """
        self._rate = rate
        self._size = size
        self._clock = clock
        self._times = times
        self._remembered = tracked_clients
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, tokens: float = 1.0) -> float:
        """Take tokens and return 0.0, or return the seconds until there is one.

        A client that has one may take more: then there are none until the debt is paid.
        """
        if seconds := self.wait(client):
            return seconds
        self.charge(client, tokens)
        return 0.0

    def wait(self, client: str) -> float:
        """The seconds until a client has a token; 0.0 if it has one."""
        left, _, rate = self._level(client, self._clock())
        return max(0.0, (1 - left) / rate)

    def charge(self, client: str, tokens: float) -> None:
        """Take tokens, whether there are any or not."""
        now = self._clock()
        self._held[client] = (self._level(client, now)[0] - tokens, now)
        self._held.move_to_end(client)
        if len(self._held) > self._remembered:
            self._held.popitem(last=False)

    def missing(self, client: str) -> float:
        """How many tokens the bucket of a client lacks."""
        if client not in self._held:
            return 0.0
        left, size, _ = self._level(client, self._clock())
        return size - left

    def _level(self, client: str, now: float) -> tuple[float, float, float]:
        """The tokens of a client now, the size of the bucket, and what it gains per second."""
        times = self._times(client)
        size, rate = self._size * times, self._rate * times
        left, then = self._held.get(client, (size, now))
        return min(size, left + (now - then) * rate), size, rate


LARGE: Final = 120
"""A board with more fields takes long to draw; the boards of the game have 85 at most."""


MUCH: Final = 16.0
"""A client that has asked for this much lately, in requests, leaves half of the time to others."""


class Counter:
    """Counts what each client has open."""

    def __init__(
        self,
        most: int,
        most_of_all: int,
        refused: MutableMapping[str, int] | None = None,
        times: Callable[[str], float] = lambda _: 1.0,
    ) -> None:
        """Allow `most` for each client, and `most_of_all` for all; count what is `refused`."""
        self._refused = Counts[str]() if refused is None else refused
        self._times = times
        self._most = most
        self._most_of_all = most_of_all
        self.held: Counts[str] = Counts()
        """How much each client has open."""

        self.total = 0

    def add(self, client: str, what: str) -> None:
        """Count one more. Raises HttpError if that is one too many."""
        full = self.total >= self._most_of_all
        if full or self.held[client] >= self._most * self._times(client):
            self._refused[what] += 1
            raise BusyError(f"there are too many {what} open; close one first", 5)
        self.held[client] += 1
        self.total += 1

    def remove(self, client: str) -> None:
        """Count one less."""
        self.total -= 1
        count_down(self.held, client)


def count_down(counts: Counts[str], what: str) -> None:
    """Count one less; what is not there any more is left out."""
    counts[what] -= 1
    if not counts[what]:
        del counts[what]


class Limiter:
    """All limits of one server. Each counts something a client does; over the limit: HttpError."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        trusted: Trusted | None = None,
    ) -> None:
        self.refused: Counts[str] = Counts()
        """How often a client was over a limit, by what was limited."""

        self._off = limits.requests <= 0
        self.counts = not self._off
        """Whether clients are limited at all."""
        self.included = limits.request_ms / 1_000
        """Seconds of CPU time that a request may take before it counts as several."""
        self._notices = limits.notices
        self.times = (trusted or Trusted()).times
        """By how much the limits of a client are multiplied."""

        def buckets(rate: float, size: float) -> Buckets:
            return Buckets(rate, max(1, size), clock, self.times, limits.tracked_clients)

        def limit(what: str, rate: float, size: float) -> Callable[..., None]:
            return partial(self._take, buckets(rate, size), what)

        def hourly(what: str, most: int) -> Callable[..., None]:
            return limit(what, most / HOUR, most / 2)

        self._requests = buckets(limits.requests, limits.burst)
        self.request = partial(self._take, self._requests, "requests")
        self.guest = hourly("new guests", limits.guests)
        self.table = hourly("new tables", limits.tables)
        self.report = hourly("reports", limits.reports)
        self.mail = hourly("e-mail addresses", limits.email_addresses)
        self.device = hourly("new addresses for notifications", limits.devices)
        self.record = limit("records", limits.records, 20 * limits.records)
        self.picture = limit("pictures", limits.pictures, 20 * limits.pictures)
        """Takes the client, and as how many it counts where it takes as long as several."""

        self._large_board = limit("large boards", limits.large_boards, 10 * limits.large_boards)
        unlimited = 10**9
        self.streams = Counter(
            unlimited if self._off else limits.streams,
            unlimited if self._off else limits.all_streams,
            self.refused,
            self.times,
        )

    def work(self, client: str, notices: int) -> None:
        """Count the work of telling many notices, like so many requests."""
        if notices >= self._notices:  # a client may say that it was told more than there is
            self._take(self._requests, "notices", client, notices // self._notices)

    def charge(self, client: str, seconds: float) -> None:
        """Count CPU time beyond what a request includes, like so many requests."""
        if not self._off:
            self._requests.charge(client, seconds / self.included)

    def wait(self, client: str) -> float:
        """The seconds until a client may ask for something again; 0.0 if it may now."""
        return 0.0 if self._off else self._requests.wait(client)

    def is_heavy(self, client: str) -> bool:
        """Whether a client has lately asked for more than people do."""
        return not self._off and self._requests.missing(client) > MUCH * self.times(client)

    def drawing(self, client: str, fields: int) -> None:
        """Count a drawing of a board, if it is large."""
        if fields > LARGE:
            self._large_board(client)

    def _take(self, buckets: Buckets, what: str, client: str, tokens: float = 1.0) -> None:
        if not self._off and (seconds := buckets.take(client, tokens)):
            self.refused[what] += 1
            raise BusyError(f"too many {what} from you; try again in a while", seconds)


QUIET: Final = 60.0
"""Seconds after such a line in which there is no other."""


class OccasionalWarning:
    """A line of the log about what may happen again and again: a flood must not fill the log."""

    def __init__(self, line: str, clock: Callable[[], float]) -> None:
        self._line = line
        self._clock = clock
        self._said = -inf
        self.count = 0
        """How often it has happened since the server started."""

    def note(self) -> None:
        """It has happened once more."""
        self.count += 1
        now = self._clock()
        if now - self._said >= QUIET:
            self._said = now
            _log.warning("%s (%d so far)", self._line, self.count)


# --- Connections, from one client and from all together ------------------------------------------

_RESOURCE: Any = import_module("resource") if find_spec("resource") else None
"""None on Windows, where no number of open files is set."""

OTHER_FILES: Final = 128
"""File descriptors for all but clients: the database, bot workers, pages and scripts."""


class Connections:
    """Counts open connections, and refuses those of a client that has too many."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with none. A proxy's connections are not limited: they are many clients'."""
        limits = settings.limits
        self.limits = limits
        self._times = settings.trusted.times
        self._most = 0 if settings.trust_proxy or not limits.requests else limits.connections
        self.held: Counts[str] = Counts()
        """The number of open connections of each client."""

        self.refused = OccasionalWarning(
            f"a client has more than {self._most} connections open; further ones are refused", clock
        )

    def __len__(self) -> int:
        return self.held.total()

    def add(self, address: str) -> str | None:
        """Count a connection from an address and return its client; None if it is one too many."""
        client = client_named(address)
        if self._most and self.held[client] >= self._most * self._times(client):
            self.refused.note()
            return None
        self.held[client] += 1
        return client

    def remove(self, client: str) -> None:
        """Count one less."""
        count_down(self.held, client)


def fit_descriptors(limits: Limits) -> tuple[Limits, str]:
    """Raise the number of open files to what the limits promise, or lower the promise.

    Returns the limits that can be kept, and a line for the host where they had to be lowered.
    """
    if _RESOURCE is None:
        return limits, ""
    soft, hard = _RESOURCE.getrlimit(_RESOURCE.RLIMIT_NOFILE)
    wanted = limits.all_streams + limits.connections + OTHER_FILES
    if soft != _RESOURCE.RLIM_INFINITY and soft < wanted:
        may = wanted if hard == _RESOURCE.RLIM_INFINITY else min(wanted, hard)
        _RESOURCE.setrlimit(_RESOURCE.RLIMIT_NOFILE, (may, hard))
        if may < wanted:
            connections = min(limits.connections, max(1, (may - OTHER_FILES) // 2))
            streams = max(1, may - OTHER_FILES - connections)
            lowered = msgspec.structs.replace(
                limits,
                all_streams=streams,
                streams=min(limits.streams, streams),
                connections=connections,
            )
            said = (
                f"only {may} files may be open here (ulimit -n), so there are at most "
                f"{streams} streams instead of {limits.all_streams}, "
                f"and {connections} connections of one client"
            )
            return lowered, said
    return limits, ""
