"""Addresses of push services, which browsers name: only public ones are ever spoken to.

A visitor could name any address. So it must be https and lead to a public network, both when it is
kept and when something is sent; what is connected to is the address that was checked.
"""

import asyncio
import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final
from urllib.parse import SplitResult, urlsplit

from mauerwerk.server.http.errors import HttpError

LONGEST: Final = 1_000
HTTPS: Final = 443

UNICAST: Final = ipaddress.ip_network("2000::/3")
"""What of IPv6 is given to public networks; elsewhere are translations into private ones."""

_LOOKUPS: Final = ThreadPoolExecutor(32, "lookups")
"""Names that visitors gave may take long to look up; nothing else is to wait for these threads."""


class EndpointError(ValueError):
    """An address to which nothing may be sent."""


def checked_url(url: str, *, private: bool) -> SplitResult:
    """The parts of an address that may be a push service's. Raises EndpointError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise EndpointError("this is not an address") from None
    fine = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST
    plain = not (parts.username or parts.password or parts.fragment)
    if not (fine and plain and parts.hostname):
        raise EndpointError("this is not the address of a push service")
    if private:
        return parts
    if parts.scheme != "https" or port not in {None, HTTPS}:
        raise EndpointError("a push service speaks https")
    try:
        address = ipaddress.ip_address(parts.hostname)
    except ValueError:
        return parts
    if not is_public(str(address)):
        raise EndpointError("a push service is not in a private network")
    return parts


def check_endpoint(url: str, *, private: bool) -> None:
    """Refuse an address that a browser names. Raises HttpError."""
    try:
        checked_url(url, private=private)
    except EndpointError as error:
        raise HttpError(422, str(error), word="endpoint") from None


async def address_of(parts: SplitResult, *, private: bool) -> tuple[str, int]:
    """The number and port to connect to. Raises EndpointError, and OSError if there is none."""
    port = parts.port or (HTTPS if parts.scheme == "https" else 80)
    look_up = partial(socket.getaddrinfo, parts.hostname, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_LOOKUPS, look_up)
    numbers = [str(each[4][0]) for each in found]
    if not private and not all(map(is_public, numbers)):
        raise EndpointError("a push service is not in a private network")
    if not numbers:
        raise OSError("there is no such push service")
    return numbers[0], port


def is_public(number: str) -> bool:
    """Whether an address is in no private network, also not in one that is mapped into IPv6.

    >>> is_public("10.0.0.1"), is_public("::ffff:127.0.0.1"), is_public("9.9.9.9")
    (False, False, True)
    """
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return inner.is_global
        return address.is_global and address in UNICAST
    return address.is_global and not address.is_multicast
