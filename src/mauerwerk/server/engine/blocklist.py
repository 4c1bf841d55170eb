"""Guests and networks that may not use the server, and names that nobody may have."""

import ipaddress
import re
import time
import unicodedata
from collections.abc import Callable, Sequence
from enum import StrEnum
from fnmatch import translate
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
    NAME = "name"


class Block(Value, tag=False):
    """A guest or a network that may not use the server, or a name that nobody may have."""

    kind: Blocked
    what: str
    """The id of a guest, a network such as `192.0.2.0/24`, or a word in which `*` is anything."""

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
        self._names = tuple(
            (re.compile(translate(plain(each.what, keep="*"))), each)
            for each in blocks
            if each.kind is Blocked.NAME
        )
        self._around = lru_cache(_CLIENTS)(self._networks_around)

    def block_of(self, client: str, guest: str = "") -> Block | None:
        """Why this client or this guest may not use the server; None if they may."""
        if not self._blocks:
            return None
        theirs = (*self._around(client), self._guests.get(guest))
        now = int(self._clock() * 1_000)
        return next((block for block in theirs if block is not None and block.holds(now)), None)

    def refuses_name(self, name: str) -> bool:
        """Whether nobody may have this name: one of its words is blocked, or all of them as one."""
        now = int(self._clock() * 1_000)
        words = (*map(plain, name.split()), plain(name))
        return any(
            block.holds(now) and any(map(pattern.match, words)) for pattern, block in self._names
        )

    def _networks_around(self, client: str) -> tuple[Block, ...]:
        return tuple(block for network, block in self._networks if lies_in(client, network))


LOOKS_LIKE: Final = str.maketrans("01345789@$!|", "oieastbgasil")
"""Digits and signs that people write for letters."""


def plain(name: str, keep: str = "") -> str:
    """A name without what makes no difference: case, accents, spaces, digits for letters.

    >>> plain("V\u00eel\u00e8 N4m3"), plain("*B\u00f6se*", keep="*")
    ('vilename', '*bose*')
    """
    letters = unicodedata.normalize("NFKD", name).casefold().translate(LOOKS_LIKE)
    return "".join(each for each in letters if each.isalnum() or each in keep)


def lies_in(client: str, network: Network) -> bool:
    """Whether the networks overlap: an IPv6 client is a whole /64, of which a part may be named."""
    try:
        named = ipaddress.ip_network(client)
    except ValueError:
        return False
    return named.version == network.version and named.overlaps(network)
