"""How many connections a server takes, from one client and from all together."""

import logging
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import msgspec

from mauerwerk.server.http.request import client_named
from mauerwerk.server.http.settings import Limits, Settings

_log = logging.getLogger(__name__)

QUIET: Final = 60.0
"""Seconds after a line about refused connections in which there is no other."""

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
        self._held: dict[str, int] = {}
        self._clock = clock
        self._said: float | None = None
        self.refused = 0
        """How many were refused since the server started."""

    @property
    def held(self) -> Mapping[str, int]:
        """The number of open connections of each client."""
        return self._held

    def __len__(self) -> int:
        """The number of open connections."""
        return sum(self._held.values())

    def add(self, address: str) -> str | None:
        """Count a connection from an address and return its client; None if it is one too many."""
        client = client_named(address)
        held = self._held.get(client, 0)
        if self._most and held >= self._most * self._times(client):
            self._refuse()
            return None
        self._held[client] = held + 1
        return client

    def remove(self, client: str) -> None:
        """Count one less."""
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]

    def _refuse(self) -> None:
        """Count it, and log it unless that was logged just now: a flood must not fill the log."""
        self.refused += 1
        now = self._clock()
        if self._said is None or now - self._said >= QUIET:
            self._said = now
            _log.warning(
                "a client has more than %d connections open; further ones are refused (%d so far)",
                self._most,
                self.refused,
            )


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
