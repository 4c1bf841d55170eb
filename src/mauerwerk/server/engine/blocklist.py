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
            (_Pattern(each.what), each) for each in blocks if each.kind is Blocked.NAME
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
        if not self._names:
            return False
        now = int(self._clock() * 1_000)
        words = (*name.split(), name)
        return any(
            block.holds(now) and any(map(pattern.matches, words)) for pattern, block in self._names
        )

    def _networks_around(self, client: str) -> tuple[Block, ...]:
        return tuple(block for network, block in self._networks if lies_in(client, network))


LETTERS: Final = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕԁԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοιαρνυı",  # noqa: RUF001 - that is what they look like
    "ABEKMHOPCTYXIJSaeopcyxijsdqwhlABEZHIKMNOPTYXoiapvui",
)
"""Cyrillic and Greek letters that look like Latin ones: a selection of Unicode's confusables."""

ROUGHLY: Final = LETTERS | str.maketrans(
    "вкмнптєβεκτησωøłđħŧɪʟᴀʙᴄᴅᴇɢʜᴊᴋᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "bkmhntebektnowoldhtilabcdeghjkmnoprstuvwyz",
)
"""The same with those that do so at a glance."""

STROKE: Final = re.compile(r"[1|!]|(?<=\w)I")
"""What is read as an i or an l, as it suits."""

LOOKS_LIKE: Final = str.maketrans("01345789@$!|", "oieastbgasil")
"""Digits and signs that people write for letters."""


def plain(name: str, keep: str = "", *, latin: bool = False) -> str:
    """A name without what makes no difference: case, accents, spaces, digits for letters.

    Where it is read as `latin`, letters that look like Latin ones are these.

    >>> plain("V\u00eel\u00e8 N4m3"), plain("*B\u00f6se*", keep="*")
    ('vilename', '*bose*')
    """
    letters = unicodedata.normalize("NFKD", name)
    letters = (letters.translate(ROUGHLY) if latin else letters).casefold().translate(LOOKS_LIKE)
    return "".join(each for each in letters if each.isalnum() or each in keep)


class _Pattern:
    """A word in names that is blocked, also in letters and signs that look like its own."""

    def __init__(self, what: str) -> None:
        forms = {plain(what, keep="*", latin=latin) for latin in (False, True)}
        self._forms = [re.compile(translate(each)) for each in forms]
        self._strokes = [re.compile(translate(each.replace("i", "l"))) for each in forms]

    def matches(self, word: str) -> bool:
        """Whether this word of a name, or all of the name, is blocked."""
        called = (word, word.strip("!"))  # which may be an i, or be said aloud
        forms = {plain(each, latin=latin) for each in called for latin in (False, True)}
        if any(pattern.match(each) for pattern in self._forms for each in forms):
            return True
        strokes = [each.replace("i", "l") for each in forms] if STROKE.search(word) else ()
        return any(pattern.match(each) for pattern in self._strokes for each in strokes)


def lies_in(client: str, network: Network) -> bool:
    """Whether the networks overlap: an IPv6 client is a whole /64, of which a part may be named."""
    try:
        named = ipaddress.ip_network(client)
    except ValueError:
        return False
    return named.version == network.version and named.overlaps(network)
