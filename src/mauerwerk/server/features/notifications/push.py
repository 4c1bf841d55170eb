"""Web Push: a message for one browser, encrypted, sent to public push services alone."""

import asyncio
import ipaddress
import os
import socket
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any, Final, cast
from urllib.parse import SplitResult, urlsplit

import http_ece  # pyright: ignore[reportMissingTypeStubs]
import httpx
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02  # pyright: ignore[reportMissingTypeStubs]

from mauerwerk.server.features.notifications.store import Device, Result
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
        raise HttpError(422, str(error), code="endpoint") from None


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


SECONDS: Final = 10.0
"""The time that a push service has: to be found, to be reached and to answer, all together."""
DAY: Final = 86_400
VALID: Final = 12 * 3_600
"""Seconds for which the signature of this server is valid."""
KEY_BYTES: Final = 65
AUTH_BYTES: Final = 16
GONE: Final = {404, 410}
BUSY: Final = {408, 425, 429}


def new_key() -> bytes:
    """A key for this server."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return number.to_bytes(32)


class Signer:
    """Shows push services who sends."""

    def __init__(self, key: bytes, contact: str) -> None:
        """Sign with this key; `contact` says whom a push service can turn to."""
        self._vapid: Any = Vapid02.from_raw(urlsafe_b64encode(key).rstrip(b"="))  # pyright: ignore[reportUnknownMemberType]
        self._contact = contact
        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.public = urlsafe_b64encode(cast("bytes", point)).rstrip(b"=").decode()
        """What a browser tells its push service, so that only this server can send."""

    def headers(self, origin: str, now: int) -> dict[str, str]:
        """The header for a push service."""
        claims = {"aud": origin, "exp": now + VALID, "sub": self._contact}
        return dict(self._vapid.sign(claims))


def encrypted(device: Device, content: bytes) -> bytes:
    """What only this browser can read. Raises ValueError for keys that are none."""
    seal = cast("Any", http_ece.encrypt)  # pyright: ignore[reportUnknownMemberType]
    sealed: bytes = seal(
        content,
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(device.key, KEY_BYTES),
        auth_secret=decoded(device.auth, AUTH_BYTES),
        version="aes128gcm",
    )
    return sealed


def decoded(said: str, size: int) -> bytes:
    """A key as browsers write it. Raises ValueError unless it has this many bytes."""
    try:
        found = urlsafe_b64decode(said + "=" * (-len(said) % 4))
    except (NotBase64, ValueError):
        raise ValueError("this is not a key") from None
    if len(found) != size or len(said) > 2 * size:  # other signs are passed over, however many
        raise ValueError("this is not a key")
    return found


@cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()


async def push(  # noqa: PLR0913 - what, to whom, from whom, and how
    device: Device, content: bytes, signer: Signer, topic: str, now: int, *, private: bool
) -> Result:
    """Send a message to a browser; of those with the same topic it keeps the last one."""
    try:
        async with asyncio.timeout(SECONDS):
            return await _sent(device, content, signer, topic, now, private=private)
    except (EndpointError, ValueError, InvalidTag, InvalidSignature):
        return Result.GONE
    except (OSError, TimeoutError, httpx.HTTPError):
        return Result.LATER


async def _sent(  # noqa: PLR0913 - as above
    device: Device, content: bytes, signer: Signer, topic: str, now: int, *, private: bool
) -> Result:
    parts = checked_url(device.endpoint, private=private)
    number, port = await address_of(parts, private=private)
    body = encrypted(device, content)
    host = f"[{number}]" if ":" in number else number
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    headers = {
        "host": parts.netloc,
        "ttl": str(DAY),
        "urgency": "normal",
        "topic": topic,
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        **signer.headers(f"{parts.scheme}://{parts.netloc}", now),
    }
    async with (
        httpx.AsyncClient(verify=_certificates(), trust_env=False, timeout=SECONDS) as client,
        client.stream(
            "POST",
            f"{parts.scheme}://{host}:{port}{path}",
            content=body,
            headers=headers,
            extensions={"sni_hostname": parts.hostname},
        ) as answer,
    ):
        return _result(answer.status_code)  # what else it says is not read


def _result(status: int) -> Result:
    if httpx.codes.is_success(status):
        return Result.SENT
    if status in GONE:
        return Result.GONE
    return Result.LATER if status in BUSY or httpx.codes.is_server_error(status) else Result.FAILED
