"""Requests that this server sends to others, at addresses that people gave: public ones alone.

A name is looked up once, right before it is used, and the number that was found is what is
connected to: so a name cannot lead elsewhere after it was checked.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from importlib import import_module
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from mauerwerk.core.game import Value
from mauerwerk.core.language import message

LONGEST: Final = 1_000
HTTPS: Final = 443
SECONDS: Final = 5.0
"""The time that others have: to be found, to be reached and to answer, all together."""
UNICAST: Final = ipaddress.ip_network("2000::/3")
"""What of IPv6 is given to public networks; elsewhere are translations into private ones."""
PRIVATE_NAMES: Final = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "arpa"}
    | {"invalid", "test", "onion", "alt"}
)
"""Ends of names that no public network has (RFC 6761, 6762, 8375, 9476, and by custom)."""
_LOOKUPS: Final = ThreadPoolExecutor(32, "lookups")
"""Names that visitors gave may take long to look up; nothing else is to wait for these threads."""


class OutgoingError(ValueError):
    """An address to which nothing may be sent; the message says why, as a template."""


class Reach(Value, tag=False):
    """Where requests may go: to public networks by https, and where else the host allows it."""

    networks: tuple[str, ...] = ()
    """Networks that are not public; there, http and any port will do."""
    anywhere: bool = False
    """Whether an address comes from the host, who may send anything anywhere."""

    def includes(self, number: str) -> bool:
        """Whether an address is in one of these networks."""
        address = ipaddress.ip_address(number.partition("%")[0])
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return self.anywhere or any(
            address in ipaddress.ip_network(network) for network in self.networks
        )


PUBLIC: Final = Reach()


def checked_url(url: str, reach: Reach = PUBLIC) -> SplitResult:
    """The parts of an address to which something may be sent. Raises OutgoingError."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise OutgoingError(message("This is not an address")) from None
    fine = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST
    plain = not (parts.username or parts.password or parts.fragment)
    if not (fine and plain and parts.hostname and parts.scheme in {"http", "https"}):
        raise OutgoingError(message("This is not the address of a service"))
    if reach.anywhere or reach.networks:  # where a name leads is checked when it is used
        if is_number(parts.hostname) and not _may_be_reached(parts, parts.hostname, reach):
            raise OutgoingError(message("The service is not in a public network"))
        return parts
    if not _is_usual(parts):
        raise OutgoingError(message("The address of a service begins with https and has no port"))
    if not may_be_public(parts.hostname):
        raise OutgoingError(message("The service is not in a public network"))
    return parts


def _may_be_reached(parts: SplitResult, number: str, reach: Reach) -> bool:
    return reach.includes(number) or (is_public(number) and _is_usual(parts))


def is_number(host: str) -> bool:
    """Whether a host is an address in numbers."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_usual(parts: SplitResult) -> bool:
    return parts.scheme == "https" and parts.port in {None, HTTPS}


def may_be_public(host: str) -> bool:
    """Whether a host can be in a public network: by its number, or by a name that others can have.

    >>> may_be_public("push.example"), may_be_public("localhost"), may_be_public("127.1")
    (True, False, False)
    """
    try:
        return is_public(host)
    except ValueError:
        *above, last = host.removesuffix(".").split(".")
    # Systems read a name that ends in a number as an address, such as 127.1 or 0x7f.0.0.1.
    number = last.isdecimal() or last.startswith("0x")
    return bool(above) and bool(last) and not number and last not in PRIVATE_NAMES


def service_at(parts: SplitResult) -> str:
    """Who answers at an address, by host and port.

    >>> service_at(urlsplit("https://Push.example/a")), service_at(urlsplit("http://10.0.0.1:81"))
    ('push.example:443', '10.0.0.1:81')
    """
    return f"{parts.hostname}:{parts.port or (80 if parts.scheme == 'http' else HTTPS)}"


async def address_of(parts: SplitResult, reach: Reach = PUBLIC) -> tuple[str, int]:
    """The number and port to connect to. Raises OutgoingError, and OSError if there is none."""
    port = int(service_at(parts).rpartition(":")[2])
    look_up = partial(socket.getaddrinfo, parts.hostname, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_LOOKUPS, look_up)
    numbers = [str(each[4][0]) for each in found]
    if not numbers:
        raise OSError("there is no such service")
    for number in numbers:
        if not _may_be_reached(parts, number, reach):
            raise OutgoingError(message("The service is not in a public network"))
    return numbers[0], port


def is_success(status: int) -> bool:
    """Whether somebody took what was sent."""
    return 200 <= status < 300  # noqa: PLR2004 - as HTTP numbers them


def is_server_error(status: int) -> bool:
    """Whether the other server could not, this time."""
    return 500 <= status < 600  # noqa: PLR2004 - as above


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


@cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()


async def post(
    parts: SplitResult, content: bytes, headers: Mapping[str, str], reach: Reach = PUBLIC
) -> int:
    """Send a request; its status. What else is answered is not read, and redirects not followed.

    Raises OutgoingError, and OSError or TimeoutError where nobody answers in time.
    """
    status, _ = await _exchange("POST", parts, content, headers, reach, most=0)
    return status


async def get(parts: SplitResult, reach: Reach, *, most: int) -> tuple[int, bytes]:
    """Ask for something; the status, and the first bytes of the answer. Raises as `post` does."""
    return await _exchange("GET", parts, b"", {"accept": "application/json"}, reach, most=most)


async def _exchange(  # noqa: PLR0913 - what, where, how and how much
    method: str,
    parts: SplitResult,
    content: bytes,
    headers: Mapping[str, str],
    reach: Reach,
    *,
    most: int,
) -> tuple[int, bytes]:
    # Many servers never send anything, and it takes long to load.
    load = asyncio.get_running_loop().run_in_executor(_LOOKUPS, import_module, "httpx")
    httpx: Any = await load
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    body = b""
    try:
        async with asyncio.timeout(SECONDS):
            number, port = await address_of(parts, reach)
            host = f"[{number}]" if ":" in number else number
            async with (
                httpx.AsyncClient(verify=_certificates(), trust_env=False, timeout=SECONDS) as it,
                it.stream(
                    method,
                    f"{parts.scheme}://{host}:{port}{path}",
                    content=content,
                    headers={"host": parts.netloc, **headers},
                    extensions={"sni_hostname": parts.hostname},
                ) as answer,
            ):
                if most:
                    async for each in answer.aiter_bytes(4_096):
                        body += each
                        if len(body) >= most:
                            break
                return answer.status_code, body[:most]
    except httpx.HTTPError as fault:
        raise ConnectionError(str(fault)) from None
