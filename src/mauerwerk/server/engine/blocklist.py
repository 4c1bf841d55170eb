"""Guests and networks that may not use the server, for quick answers."""

import ipaddress
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeAlias

from mauerwerk.core.game import Value

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_CLIENTS: Final = 4_096
"""The number of clients for which it is remembered whether their network is blocked."""


class Blocked(StrEnum):
    """The kinds of things that can be blocked."""

    GUEST = "guest"
    NETWORK = "network"


class Block(Value, tag=False):
    """A guest or a network that may not use the server."""

    kind: Blocked
    what: str
    """The id of a guest, or a network such as `192.0.2.0/24`."""

    reason: str
    since: int
    until: int | None = None
    """Milliseconds since 1970; None: for ever."""

    def holds(self, now: int) -> bool:
        """Whether it has not ended yet."""
        return self.until is None or now < self.until


class Blocklist:
    """All blocks at one time."""

    def __init__(
        self, blocks: Sequence[Block] = (), clock: Callable[[], float] = time.time
    ) -> None:
        """Each block holds until its end by this clock."""
        self._clock = clock
        self._blocks = blocks
        self._guests = {each.what: each for each in blocks if each.kind is Blocked.GUEST}
        self._networks = tuple(
            (ipaddress.ip_network(each.what), each)
            for each in blocks
            if each.kind is Blocked.NETWORK
        )
        self._around = lru_cache(_CLIENTS)(self._networks_around)

    def block_of(self, client: str, guest: str = "") -> Block | None:
        """Why this client or this guest may not use the server; None if they may."""
        if not self._blocks:
            return None
        theirs = (*self._around(client), self._guests.get(guest))
        now = int(self._clock() * 1_000)
        return next((block for block in theirs if block is not None and block.holds(now)), None)

    def _networks_around(self, client: str) -> tuple[Block, ...]:
        return tuple(block for network, block in self._networks if lies_in(client, network))


def lies_in(client: str, network: Network) -> bool:
    """Whether the networks overlap: an IPv6 client is a whole /64, of which a part may be named."""
    try:
        named = ipaddress.ip_network(client)
    except ValueError:
        return False
    return named.version == network.version and named.overlaps(network)
